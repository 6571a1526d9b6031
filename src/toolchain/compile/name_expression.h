// SPDX-License-Identifier: MIT
// Template instances are in a code object only if something uses them. A pointer to one is such a
// use, and its relocation then names the symbol that the expression refers to, whatever defaults,
// aliases and namespaces it is written with.
#pragma once

#include <string>
#include <string_view>

#include "toolchain/code_object/code_object.h"

namespace hipwright::toolchain {

// Source text to append to a HIP source so that `expression` ("rows<float, 4>") is instantiated, as
// number `nth`.
std::string naming_line(std::string_view expression, std::size_t nth);
// The symbol of the `nth` expression; empty if the source did not name one.
std::string named_symbol(const CodeObject& object, std::size_t nth);

}  // namespace hipwright::toolchain
