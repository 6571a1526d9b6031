// SPDX-License-Identifier: MIT
// Vector instructions against an oracle: a text with placeholders, run for many operands on every
// target whose assembler takes it, in waves of both sizes, with all lanes active and with some.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "soft/lab.h"

namespace hipwright::soft {

// What the oracle sees of one lane.
struct VectorIn {
  std::uint64_t a = 0, b = 0, c = 0;  // 32 bits unless the placeholder is a capital
  std::uint64_t old = 0;              // the destination before
  bool mask = false;                  // {m}
  unsigned lane = 0;
  unsigned lanes = 64;
  Isa isa = Isa::kGfx942;
};
struct VectorOut {
  std::uint64_t value = 0;
  bool flag = false;  // {f}
};

enum class Pool : std::uint8_t { kIntegers, kF16, kF32, kF64 };

struct VectorCase {
  // {d} {a} {b} {c}: one vector register; {D} {A} {B} {C}: two; {m} and {f}: a lane mask that is
  // read, written. Mnemonics that differ between targets are separated by '/'.
  std::string text;
  std::function<VectorOut(const VectorIn&)> oracle;
  unsigned targets = 7;  // how many of all_targets() have it
  Pool pool = Pool::kIntegers;
};

void check(const VectorCase& test);
void check_all(std::span<const VectorCase> tests);

}  // namespace hipwright::soft
