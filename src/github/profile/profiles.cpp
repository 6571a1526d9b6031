// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/pattern.h"
#include "github/profile/profile.h"
#include "project/glob.h"

namespace fs = std::filesystem;

namespace hipwright {
extern const EmbeddedFile github_profiles[];
extern const unsigned github_profiles_count;
}  // namespace hipwright

namespace hipwright::github {

namespace {

// The value of the line `repository = "…"`: which profile a file changes must be known before it is
// read.
Result<std::string> repository_of(std::string_view text, const std::string& origin) {
  Profile profile;
  HW_CHECK(read_profile(text, origin, profile));
  return profile.repository;
}

}  // namespace

bool names_amd(std::string_view title) {
  static const Pattern pattern(
      R"((?i)(?:^|[^a-z])(?:rocm|amd|hip|aiter|rccl|mi[1-4][0-9]{2}[a-z]?|gfx[0-9a-f]{3,4})(?:[^a-z]|$))");
  return !pattern.find(title).empty();
}

bool Profile::has_bot(std::string_view login) const {
  return login.ends_with("[bot]") || std::ranges::find(bots, login) != bots.end();
}

bool Profile::is_rocm_path(std::string_view path) const {
  return std::ranges::any_of(
      rocm_paths, [&](const std::string& pattern) { return project::glob_matches(pattern, path); });
}

Status Profiles::add(std::string_view text, const std::string& origin) {
  HW_TRY(const std::string repository, repository_of(text, origin));
  if (repository == "*") return read_profile(text, origin, default_);
  const auto known = std::ranges::find(profiles_, repository, &Profile::repository);
  if (known != profiles_.end()) return read_profile(text, origin, *known);
  Profile fresh = default_;
  HW_CHECK(read_profile(text, origin, fresh));
  profiles_.push_back(std::move(fresh));
  return {};
}

Result<Profiles> Profiles::load(const fs::path& directory) {
  Profiles loaded;
  for (const EmbeddedFile& file : std::span(github_profiles, github_profiles_count))
    HW_CHECK(loaded.add(file.content(), file.path));
  std::error_code error;
  std::set<fs::path> files;
  for (auto at = fs::directory_iterator(directory, error); !error && at != fs::directory_iterator();
       at.increment(error))
    if (at->path().extension() == ".toml") files.insert(at->path());
  for (const fs::path& file : files) {
    HW_TRY(const std::string text, read_file(file, kMostSettingsBytes));
    HW_CHECK(loaded.add(text, file.string()));
  }
  return loaded;
}

const Profile& Profiles::of(const Repository& repository) const {
  const std::string name = repository.text();
  const auto exact = std::ranges::find_if(profiles_, [&](const Profile& profile) {
    return profile.repository.find('*') == std::string::npos &&
           matches_name(profile.repository, name);
  });
  if (exact != profiles_.end()) return *exact;
  const auto pattern = std::ranges::find_if(
      profiles_, [&](const Profile& profile) { return matches_name(profile.repository, name); });
  return pattern != profiles_.end() ? *pattern : default_;
}

}  // namespace hipwright::github
