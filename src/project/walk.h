// SPDX-License-Identifier: MIT
// Selects the files of a tree; omits what git ignores and what links point to.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::project {

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
  std::string why;        // "symbolic link: not followed"
  bool is_error = false;  // it should have been read: "Permission denied"
};

struct WalkResult {
  std::vector<std::string> files;  // relative to the root where below it; sorted, no duplicates
  std::vector<NotWalked> skipped;  // sorted; what git ignores is not among them
};

// An error: a path of the request is not there.
Result<WalkResult> walk(const WalkRequest& request);

}  // namespace hipwright::project
