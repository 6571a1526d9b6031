// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include "base/process.h"
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

// Asks git. Neither settings nor attributes of the repository may start programs: no monitor, no
// filters, no transport (a partial clone fetches what it lacks), no hooks.
Result<Finished> ask_git(const std::filesystem::path& folder, std::vector<std::string> words,
                         const std::vector<std::string>& filters = {}) {
  ProcessCommand command{.argv = {"git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/"},
                         .directory = folder,
                         .environment = {{"GIT_OPTIONAL_LOCKS", "0"},
                                         {"GIT_ALLOW_PROTOCOL", "none"},
                                         {"GIT_NO_LAZY_FETCH", "1"},
                                         {"GIT_TERMINAL_PROMPT", "0"},
                                         {"LC_ALL", "C"}},
                         .timeout = std::chrono::minutes(5)};
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  // Not with -c, which would end a name at the first '='.
  std::size_t count = 0;
  const auto set = [&](const std::string& name, const char* value) {
    const std::string number = std::to_string(count++);
    command.environment.emplace_back("GIT_CONFIG_KEY_" + number, name);
    command.environment.emplace_back("GIT_CONFIG_VALUE_" + number, value);
  };
  for (const std::string& filter : filters) {
    set(filter + ".clean", "");
    set(filter + ".smudge", "");
    set(filter + ".process", "");
    set(filter + ".required", "false");
  }
  if (count != 0) command.environment.emplace_back("GIT_CONFIG_COUNT", std::to_string(count));
  return run(command);
}

std::vector<std::string> split(std::string_view text, char end) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(end), text.size());
    parts.emplace_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return parts;
}

// "filter.lfs" for each filter that any settings define.
Result<std::vector<std::string>> filters_of(const std::filesystem::path& folder) {
  HW_TRY(const Finished asked,
         ask_git(folder, {"config", "-z", "--name-only", "--get-regexp", "^filter\\."}));
  std::set<std::string> names;
  for (const std::string& key : split(asked.out, '\0')) names.insert(key.substr(0, key.rfind('.')));
  return std::vector<std::string>(names.begin(), names.end());
}

// The first path that git reports, or nothing. Submodules have settings of their own, and are asked
// one by one.
Result<std::string> first_change(const std::filesystem::path& folder) {
  HW_TRY(const std::vector<std::string> filters, filters_of(folder));
  HW_TRY(const Finished status, ask_git(folder,
                                        {"status", "--porcelain", "--untracked-files=normal",
                                         "--ignore-submodules=dirty", "--", "."},
                                        filters));
  if (!status.ok())
    return fail("git failed", folder.string(), status.err.substr(0, status.err.find('\n')));
  if (!status.out.empty()) return status.out.substr(0, status.out.find('\n')).substr(3);
  HW_TRY(const Finished listed, ask_git(folder, {"ls-files", "-s", "-z", "--", "."}, filters));
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
