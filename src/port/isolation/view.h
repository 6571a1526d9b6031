// SPDX-License-Identifier: MIT
// A source as NVIDIA's compiler sees it: its tokens, without code for AMD's compilers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::port {

struct SeenToken {
  std::string text;        // an #if line is one token, in its canonical form
  std::size_t offset = 0;  // in the source
};

// Launches are in one form: kernel<< <grid, {16, 16}>> > and kernel<<<grid, dim3{16, 16}>>> are the
// same. Branches whose condition is false without AMD's macros are removed, and so are the #if
// lines that those macros decide; open conditions stay, in canonical form.
std::vector<SeenToken> nvidia_view_of_cuda(std::string_view text);
// The same one by one: a list of all takes ten times the memory of the text.
void visit_nvidia_view_of_cuda(std::string_view text, const std::function<void(SeenToken)>& visit);

// The same for a CMake file, without what USE_ROCM and similar options enable.
std::vector<SeenToken> nvidia_view_of_cmake(std::string_view text);

// The same for a makefile, without what `make USE_ROCM=1` and similar options build.
std::vector<SeenToken> nvidia_view_of_make(std::string_view text);

}  // namespace hipwright::port
