// SPDX-License-Identifier: MIT
#include <map>

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

Status check_clean(const std::filesystem::path& folder) {
  const auto not_clean = [&](std::string why, std::string fix) {
    return fail("will not port in place", folder.string(), std::move(why), std::move(fix));
  };
  constexpr const char* kForce = "Use --force to port it anyway; --undo reverts it.";
  if (!find_program("git")) return not_clean("git is not installed", kForce);
  // A repository's own settings must not start programs, nor hide files.
  const auto status =
      run({.argv = {"git", "-c", "core.fsmonitor=false", "status", "--porcelain",
                    "--untracked-files=normal", "--ignore-submodules=none", "--", "."},
           .directory = folder,
           .environment = {{"GIT_OPTIONAL_LOCKS", "0"}, {"LC_ALL", "C"}}});
  if (!status) return std::unexpected(status.error());
  if (!status->ok()) {
    if (status->err.find("not a git repository") != std::string::npos)
      return not_clean("not in a git repository", kForce);
    return not_clean("git says: " + status->err.substr(0, status->err.find('\n')), kForce);
  }
  if (status->out.empty()) return {};
  const std::string first = status->out.substr(0, status->out.find('\n'));
  return not_clean("uncommitted changes (" + first.substr(3) + ")",
                   "Commit or stash them first, or use --force.");
}

}  // namespace hipwright::port
