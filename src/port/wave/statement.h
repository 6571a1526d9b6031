// SPDX-License-Identifier: MIT
// The statements of a function's body, with the threads that execute them.
#pragma once

#include <optional>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::port {

struct Statement {
  enum class Kind { kSimple, kBlock, kIf, kOther };  // kOther: loops, switches, whatever else
  Kind kind = Kind::kSimple;
  syntax::cuda::TokenRange range;      // of a simple one without its ;
  syntax::cuda::TokenRange condition;  // of an if
  std::vector<Statement> inner;        // of a block; of an if without else what it guards
  bool has_else = false;
};

// Empty if it cannot be parsed, or contains preprocessor directives other than #pragma.
std::optional<std::vector<Statement>> statements(const syntax::cuda::File& file,
                                                 syntax::cuda::TokenRange body);

}  // namespace hipwright::port
