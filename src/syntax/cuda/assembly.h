// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "syntax/cuda/values.h"

namespace hipwright::syntax::cuda {

// An asm statement: its text with the strings joined.
struct Assembly {
  TokenIndex keyword;
  std::string text;
};
std::vector<Assembly> assembly(const File& file);
const std::vector<Name>& assembly_names();

// The first PTX instruction in a text; empty if it is another assembler's or has none.
std::string ptx_instruction(std::string_view text);
// The same where macros write a part of the text: "ld." and then a macro.
bool begins_like_ptx(std::string_view text);

}  // namespace hipwright::syntax::cuda
