// SPDX-License-Identifier: MIT
// What NVIDIA's compiler sees of a source: its tokens, without what only AMD's compilers read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::port {

struct SeenToken {
  std::string text;        // an #if line is one token, in its canonical form
  std::size_t offset = 0;  // in the source
};

// Branches whose condition is false without AMD's macros are gone, and so are the #if lines that
// are decided by them; conditions that are open stay, in one canonical form.
std::vector<SeenToken> nvidia_view_of_cuda(std::string_view text,
                                           const std::vector<std::string>& amd_macros = {});

// The same of a CMake file: without what USE_ROCM and its like turn on.
std::vector<SeenToken> nvidia_view_of_cmake(std::string_view text);

// The same of a makefile: its lines, without what `make USE_ROCM=1` and its like build.
std::vector<SeenToken> nvidia_view_of_make(std::string_view text);

}  // namespace hipwright::port
