// SPDX-License-Identifier: MIT
// The sources, flags and program calls of a makefile. Plain variables and conditions are evaluated;
// functions are omitted.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "project/build/options.h"

namespace hipwright::project {

// Variables that select AMD, and that NVIDIA builds never set.
constexpr std::array<std::string_view, 6> kAmdSwitches = {"USE_ROCM", "USE_HIP",  "WITH_ROCM",
                                                          "ROCM",     "GGML_HIP", "BUILD_ROCM"};

struct MakefileFacts {
  std::string folder;  // of the tree; as folder_prefix() writes it
  BuildFlags flags;    // of what make USE_ROCM=1 reads
  // Including those under unknown conditions:
  std::vector<std::vector<std::string>> calls;  // "./program 1 2" of its recipes
  std::set<std::string> sources;                // "main.cu", "common/*.cpp": from its folder
  std::set<std::string> objects;                // without ".o": "kernels"

  // Does it name this source of the tree, as a file, an object or by a pattern?
  bool names(std::string_view path) const;
};

// `path`: of the makefile in its tree.
MakefileFacts read_makefile(std::string_view text, std::string_view path);

}  // namespace hipwright::project
