// SPDX-License-Identifier: MIT
// Facts about the user's own repository, from git.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "github/pull_request.h"

namespace hipwright::github {

// The repository that pull requests go to: of the remote "upstream", else of "origin".
std::optional<Repository> upstream_of(const std::filesystem::path& directory);

struct LocalCommit {
  std::string hash, subject, body, author, email;
  bool is_signed_off = false;  // by its author
  std::string signed_off_by;   // the address of another sign-off; empty: none
};

// What a pull request of the current branch would consist of.
struct LocalBranch {
  std::filesystem::path top;
  std::string name;                  // empty: no branch
  std::string base;                  // as given, or found
  std::string base_commit;           // merge base with HEAD
  std::vector<LocalCommit> commits;  // oldest first
  std::vector<ChangedFile> files;
  std::string diff;  // unified, three lines of context
  bool has_uncommitted = false;
  std::string owner;  // of the fork that the branch is pushed to; empty: unknown
};

// `base`: a commit, branch or tag; empty: the default branch of upstream or origin.
Result<LocalBranch> read_branch(const std::filesystem::path& directory, const std::string& base);

// The addresses of lines "Signed-off-by: NAME <EMAIL>", in small letters.
std::vector<std::string> sign_offs(std::string_view message);

}  // namespace hipwright::github
