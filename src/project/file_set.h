// SPDX-License-Identifier: MIT
// The paths of a tree, and how to read one of its files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::project {

struct FileSet {
  std::vector<std::string> paths;  // sorted
  // Empty if it cannot be read.
  std::function<std::optional<std::string>(const std::string& path)> read;

  bool has(std::string_view path) const;
  // The paths that match a pattern (glob.h). `recursive`: the last part of the pattern matches in
  // all folders below.
  std::vector<std::string> glob(std::string_view pattern, bool recursive) const;
};

}  // namespace hipwright::project
