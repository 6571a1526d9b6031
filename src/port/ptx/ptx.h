// SPDX-License-Identifier: MIT
// Inline PTX, as C++ that computes the same.
#pragma once

#include "port/ptx/emit.h"
#include "port/source/context.h"

namespace hipwright::port {

// Replaces asm statements; after the names, which it takes over within operands.
void translate_ptx(SourceContext& context);

namespace ptx {

struct Translation {
  std::vector<std::string> lines;  // statements, each with its ;
  bool is_block = false;           // they need braces around them
  std::vector<Remark> remarks;
  std::optional<Remark> refusal;
  std::string instruction;  // the one that was refused, as written
};
Translation translate(std::string_view text, std::span<const Argument> arguments, bool is_kernel);

}  // namespace ptx

}  // namespace hipwright::port
