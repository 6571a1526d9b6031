// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/source.h"

namespace hipwright::syntax {

// Where a reader lost the thread and how it went on. Never an error: code that is being written is
// broken most of the time.
struct Problem {
  Span span;
  std::string what;  // "this bracket is never closed"
};

// An answer that may not be known.
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
