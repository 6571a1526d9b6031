// SPDX-License-Identifier: MIT
// asm statements of CUDA sources: the text, and the C++ expressions that go in and out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::port::ptx {

struct AsmOperand {
  bool is_output = false;
  bool is_input = true;                 // "+r" is both
  char constraint = 0;                  // h r l f d n
  syntax::cuda::TokenRange expression;  // between the parentheses
};

struct AsmStatement {
  Span span;  // with the ; where it has one
  bool has_semicolon = false;
  syntax::cuda::TokenIndex keyword = 0;
  std::string text;  // strings joined, escapes resolved
  std::vector<AsmOperand> operands;
  // Not empty if the string cannot be determined from the file: the reason.
  std::string unreadable;
};

// In text order.
std::vector<AsmStatement> asm_statements(const syntax::cuda::File& file);

}  // namespace hipwright::port::ptx
