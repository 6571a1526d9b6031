// SPDX-License-Identifier: MIT
// Instances of templates are in a code object only where something uses them. A pointer to one is
// such a use, and its relocation then says which symbol the expression means, whatever defaults,
// aliases and namespaces it is written with.
#pragma once

#include <string>
#include <string_view>

#include "toolchain/code_object/code_object.h"

namespace hipwright::toolchain {

// What HIP source ends with for `expression` ("rows<float, 4>") to be there, as number `nth`.
std::string naming_line(std::string_view expression, std::size_t nth);
// The symbol of the `nth` expression; empty: the source did not name one.
std::string named_symbol(const CodeObject& object, std::size_t nth);

}  // namespace hipwright::toolchain
