// SPDX-License-Identifier: MIT
// The platforms that a build compiles files for.
#pragma once

#include <map>
#include <string>

#include "syntax/cuda/file.h"

namespace hipwright::project {

using syntax::Truth;
using syntax::cuda::Platform;

struct BuiltFor {
  Truth amd = Truth::kMaybe;
  Truth nvidia = Truth::kMaybe;

  Truth& on(Platform platform) { return platform == Platform::kAmd ? amd : nvidia; }
  Truth on(Platform platform) const { return platform == Platform::kAmd ? amd : nvidia; }
  friend bool operator==(const BuiltFor&, const BuiltFor&) = default;
};

// Paths are relative to the root of the tree, with '/' and without "." and "..".
using BuiltFiles = std::map<std::string, BuiltFor, std::less<>>;

}  // namespace hipwright::project
