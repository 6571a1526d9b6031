// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "base/git.h"
#include "port/output/in_place.h"

namespace hipwright::port {

std::vector<std::string> submodules_in(const Ported& ported) {
  std::map<std::string, bool> folders;  // is it one?
  std::error_code error;
  for (const PortedFile& file : ported.files) {
    if (!file.is_changed()) continue;
    std::filesystem::path at = std::filesystem::path(file.source->path()).parent_path();
    for (; !at.empty(); at = at.parent_path()) {
      const auto [folder, is_new] = folders.try_emplace(at.generic_string());
      if (!is_new) break;
      folder->second = std::filesystem::exists(ported.tree.root / at / ".git", error);
    }
  }
  std::vector<std::string> found;
  for (const auto& [path, is_one] : folders)
    if (is_one) found.push_back(path);
  return found;
}

namespace {

std::vector<std::string> split(std::string_view text, char end) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(end), text.size());
    parts.emplace_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return parts;
}

// The first path that git reports, or nothing. Submodules have settings of their own, and are asked
// one by one.
Result<std::string> first_change(const std::filesystem::path& folder) {
  HW_TRY(const Finished status,
         ask_git(folder, {"status", "--porcelain", "--untracked-files=normal",
                          "--ignore-submodules=dirty", "--", "."}));
  if (!status.ok())
    return fail("git failed", folder.string(), status.err.substr(0, status.err.find('\n')));
  if (!status.out.empty()) return status.out.substr(0, status.out.find('\n')).substr(3);
  HW_TRY(const Finished listed, ask_git(folder, {"ls-files", "-s", "-z", "--", "."}));
  for (const std::string& entry : split(listed.out, '\0')) {
    const std::string path = entry.substr(entry.find('\t') + 1);
    std::error_code ignored;
    if (!entry.starts_with("160000 ") || !std::filesystem::exists(folder / path / ".git", ignored))
      continue;
    HW_TRY(const std::string inner, first_change(folder / path));
    if (!inner.empty()) return path + "/" + inner;
  }
  return std::string();
}

}  // namespace

Status check_clean(const std::filesystem::path& folder) {
  const auto not_clean = [&](std::string why, std::string fix) {
    return fail("will not port in place", folder.string(), std::move(why), std::move(fix));
  };
  constexpr const char* kForce = "Use --force to port it anyway; --undo reverts it.";
  if (!find_program("git")) return not_clean("git is not installed", kForce);
  const auto change = first_change(folder);
  if (!change) {
    const Error& error = change.error();
    if (error.what != "git failed") return std::unexpected(error);
    if (error.why.find("not a git repository") != std::string::npos)
      return not_clean("not in a git repository", kForce);
    return not_clean("git says: " + error.why, kForce);
  }
  if (change->empty()) return {};
  return not_clean("uncommitted changes (" + *change + ")",
                   "Commit or stash them first, or use --force.");
}

}  // namespace hipwright::port
