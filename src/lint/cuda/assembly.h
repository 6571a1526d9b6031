// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "lint/cuda/values.h"

namespace hipwright::lint {

// An asm statement: its text with the strings joined.
struct Assembly {
  cu::TokenIndex keyword;
  std::string text;
};
std::vector<Assembly> assembly(const cu::File& file);
const std::vector<syntax::Name>& assembly_names();

// The first instruction of NVIDIA's assembler in a text; empty: it is somebody else's, or none.
std::string ptx_instruction(std::string_view text);

}  // namespace hipwright::lint
