// SPDX-License-Identifier: MIT
// Translates PTX to C++ that computes the same.
#pragma once

#include "port/ptx/emit.h"

namespace hipwright::port::ptx {

struct Translation {
  std::vector<std::string> lines;  // statements, each with its ;
  bool is_block = false;           // they need braces around them
  std::vector<Remark> remarks;
  std::optional<Remark> refusal;
  std::string instruction;  // the rejected one, as written
};
Translation translate(std::string_view text, std::span<const Argument> arguments, bool is_kernel);

}  // namespace hipwright::port::ptx
