// SPDX-License-Identifier: MIT
// The macros that each platform's compiler and build define.
#pragma once

#include <cstdint>
#include <string_view>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

// The values that an integer may have.
struct Values {
  std::int64_t low = INT64_MIN;
  std::int64_t high = INT64_MAX;

  bool is_one() const { return low == high; }
  Truth truth() const {
    if (low == 0 && high == 0) return Truth::kNo;
    return low > 0 || high < 0 ? Truth::kYes : Truth::kMaybe;
  }
};

constexpr Values just(std::int64_t value) {
  return {value, value};
}

struct MacroState {
  Truth defined = Truth::kMaybe;
  Values value;
};

enum class Side { kDevice, kHost, kEither };  // which code a line is part of

MacroState platform_macro(std::string_view name, Platform platform, Side side);

// Is anything known about the macro?
bool is_platform_macro(std::string_view name);

// Does the state of this macro depend on whether the device's or the host's code is compiled?
bool depends_on_side(std::string_view name);

}  // namespace hipwright::syntax::cuda
