// SPDX-License-Identifier: MIT
// Expressions of #if lines, over values that may be unknown.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "syntax/cuda/platform_macros.h"

namespace hipwright::syntax::cuda {

using MacroLookup = std::function<MacroState(std::string_view name)>;

// Text that is not an expression has an unknown value.
Values evaluate(std::string_view text, std::span<const Token> tokens, const MacroLookup& lookup);

}  // namespace hipwright::syntax::cuda
