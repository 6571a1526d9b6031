// SPDX-License-Identifier: MIT
// What a build compiles for whom.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::build {

using cuda::Platform;

struct Built {
  Truth amd = Truth::kMaybe;
  Truth nvidia = Truth::kMaybe;

  Truth& on(Platform platform) { return platform == Platform::kAmd ? amd : nvidia; }
  Truth on(Platform platform) const { return platform == Platform::kAmd ? amd : nvidia; }
  friend bool operator==(const Built&, const Built&) = default;
};

// Paths are relative to the root of the tree, with '/' and without "." and "..".
using BuiltFiles = std::map<std::string, Built, std::less<>>;

// The files of a tree, and how to read one of them (none: it cannot be read).
struct Tree {
  std::vector<std::string> paths;  // sorted
  std::function<std::optional<std::string>(const std::string& path)> read;

  bool has(std::string_view path) const;
  // The paths that a pattern with * ? […] fits; '*' stays within one folder unless `recursive`:
  // then the last part of the pattern is looked for in all folders below.
  std::vector<std::string> glob(std::string_view pattern, bool recursive) const;
};

// "a/b/../c", relative to a folder of the tree; none when it leaves the tree.
std::optional<std::string> join_path(std::string_view folder, std::string_view path);
std::string_view folder_of(std::string_view path);

}  // namespace hipwright::syntax::build
