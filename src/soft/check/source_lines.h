// SPDX-License-Identifier: MIT
// Source lines of instructions, from the DWARF that -g puts into a code object.
#pragma once

#include <cstdint>
#include <string>

#include "soft/load/image.h"

namespace hipwright::soft {

// "dir/app.hip:12" for an instruction's address; empty when the code object does not say.
std::string source_line(const Image& image, std::uint64_t address);

}  // namespace hipwright::soft
