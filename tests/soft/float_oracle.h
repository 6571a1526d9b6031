// SPDX-License-Identifier: MIT
// What float instructions must give: MPFR rounds once to the format, in any mode, with gradual
// underflow. And a runner that puts many operands through one instruction.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "soft/lab.h"

namespace hipwright::soft {

struct Format {
  int bits;      // in all
  int mantissa;  // stored
  int exponent;  // bits

  std::uint64_t sign() const { return std::uint64_t{1} << (bits - 1); }
  std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent) - 1) << mantissa; }
  std::uint64_t quiet() const { return std::uint64_t{1} << (mantissa - 1); }
  std::uint64_t default_nan() const { return sign() | infinity() | quiet(); }
  bool is_nan(std::uint64_t value) const { return (value & ~sign()) > infinity(); }
  bool is_signalling(std::uint64_t value) const { return is_nan(value) && !(value & quiet()); }
  bool is_denormal(std::uint64_t value) const {
    return (value & infinity()) == 0 && (value & ~sign()) != 0;
  }
};
constexpr Format kHalf{16, 10, 5}, kBrain{16, 7, 8}, kSingle{32, 23, 8}, kDouble{64, 52, 11};

// The wave's modes as MPFR's: 0 nearest, 1 up, 2 down, 3 toward zero.
mpfr_rnd_t rounding(unsigned mode);

// A number with room for any intermediate result.
class Number {
 public:
  Number();
  Number(std::uint64_t bits, const Format& format);
  ~Number();
  Number(const Number& other);
  Number& operator=(const Number& other);
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  double to_double() const;

 private:
  mpfr_t value_;
};

// Rounds the exact result of `function` into the format: `function` is one MPFR call that takes
// its rounding mode and gives MPFR's ternary value.
using MpfrFunction = std::function<int(mpfr_ptr, mpfr_rnd_t)>;
std::uint64_t rounded(const Format& format, unsigned mode, const MpfrFunction& function);

// The NaN of an operation with NaN operands or none: first operand first.
std::uint64_t nan_of(const Format& format, const std::vector<std::uint64_t>& operands);

// One instruction over many operands. In the text, D is the destination and A, B, C the sources.
struct Operands {
  std::vector<std::uint64_t> a, b, c;
  std::size_t size() const { return a.size(); }
};
struct Shape {
  // Registers per value.
  unsigned d = 1, a = 1, b = 1, c = 1;
};
// Results by operand. `before` is what the destination holds at first (C, for accumulators).
// With a partial EXEC, lanes that do not run keep the destination, which is checked.
std::vector<std::uint64_t> run_all(Lab& lab, std::string_view text, const Shape& shape,
                                   const Operands& operands, bool accumulates = false,
                                   bool partial_exec = false);
// One line with registers put in, for Lab::accepts.
std::string sample(std::string_view text, const Shape& shape);

// All pairs (triples) of special values, then random ones.
Operands unary_operands(const Format& format, unsigned count);
Operands binary_operands(const Format& format, unsigned random);
Operands ternary_operands(const Format& format, unsigned random);

std::string hex(std::uint64_t value);

}  // namespace hipwright::soft
