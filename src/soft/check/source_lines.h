// SPDX-License-Identifier: MIT
// Source lines of instructions, from the DWARF that -g puts into a code object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "soft/load/image.h"

namespace hipwright::soft {

// One function of an inline chain, and the line in it.
struct SourceFrame {
  std::string function;  // demangled; empty when the debug information has no functions
  std::string file;
  unsigned line = 0;

  std::string place() const;  // "dir/app.hip:12"
};

// The source of an instruction, innermost function first: each was inlined into the next. Empty
// without debug information.
std::vector<SourceFrame> source_frames(const Image& image, std::uint64_t address);

// A header of HIP, the compiler or the system: the user's mistake is elsewhere.
bool is_system_header(std::string_view path);

// The frame to show: the innermost that is not in a system header, or else the innermost.
// Null without frames.
const SourceFrame* own_frame(const std::vector<SourceFrame>& frames);

}  // namespace hipwright::soft
