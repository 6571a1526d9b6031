// SPDX-License-Identifier: MIT
// Conditions of #if lines with AMD's macros undefined, and what remains of them.
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

// `is_undefined` tells whether a macro is never defined in NVIDIA builds. Text that is not an
// expression stays open, with its words unchanged.
Condition simplified(std::string_view text, std::span<const syntax::cuda::Token> tokens,
                     const std::function<bool(std::string_view macro)>& is_undefined);
Condition negated(const Condition& condition);

}  // namespace hipwright::port
