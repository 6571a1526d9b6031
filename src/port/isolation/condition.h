// SPDX-License-Identifier: MIT
// Conditions of #if lines with AMD's macros undefined, and what is left of them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "syntax/cuda/token.h"

namespace hipwright::port {

// A condition in one canonical form: two that mean the same token for token, but for brackets and
// the two ways to write `defined`, are equal.
struct Condition {
  enum class Kind { kFalse, kTrue, kOpen } kind = Kind::kOpen;
  std::string text;  // of kOpen

  friend bool operator==(const Condition&, const Condition&) = default;
};

// `is_undefined` says of a macro that NVIDIA's compilers never see it. What is not an expression
// stays open, with its words as they are.
Condition simplified(std::string_view text, std::span<const syntax::cuda::Token> tokens,
                     const std::function<bool(std::string_view macro)>& is_undefined);
Condition negated(const Condition& condition);

}  // namespace hipwright::port
