// SPDX-License-Identifier: MIT
// Which files of a tree are looked at: what git ignores and what links point to is left out.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "lint/ignore.h"

namespace hipwright::lint {

struct WalkRequest {
  std::filesystem::path root;                // an existing folder
  std::vector<std::filesystem::path> paths;  // relative to the root, or absolute; empty: the root
  std::function<bool(std::string_view path, bool is_folder)> excludes;  // named files too
  bool use_gitignore = true;
  // Is a file of this path wanted? Asked before git's patterns.
  std::function<bool(std::string_view path)> wants;
};

struct NotWalked {
  std::string path;
  std::string why;  // "symbolic link: not followed"
};

struct WalkResult {
  std::vector<std::string> files;  // relative to the root where below it; sorted, no duplicates
  std::vector<NotWalked> skipped;  // sorted; what git ignores is not among them
};

// An error: a path of the request is not there.
Result<WalkResult> walk(const WalkRequest& request);

// Where the project of these paths begins: the repository of the first one, or the folder itself
// when it lies outside of the working directory. Empty: the working directory.
std::filesystem::path project_of(const std::vector<std::filesystem::path>& paths);

// The nearest folder at or above `path` that has `name` in it; empty when there is none.
std::filesystem::path find_upward(std::filesystem::path path, const char* name);

}  // namespace hipwright::lint
