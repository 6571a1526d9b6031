// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/source.h"

namespace hipwright::syntax {

// A syntax problem after which the reader recovered. Never an error: code that is being written is
// broken most of the time.
struct Problem {
  Span span;
  std::string what;  // "unclosed bracket"
};

// An answer that may be unknown.
enum class Truth : unsigned char { kNo, kMaybe, kYes };
constexpr Truth operator!(Truth a) {
  return a == Truth::kYes ? Truth::kNo : a == Truth::kNo ? Truth::kYes : Truth::kMaybe;
}
constexpr Truth operator&(Truth a, Truth b) {
  return a < b ? a : b;
}
constexpr Truth operator|(Truth a, Truth b) {
  return a > b ? a : b;
}

}  // namespace hipwright::syntax
