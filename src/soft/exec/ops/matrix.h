// SPDX-License-Identifier: MIT
// What the matrix instructions of all targets share: the element formats, and the arithmetic of
// one block D = A·B + C on unpacked matrices. mfma_layout.h and wmma.cpp say where the elements lie
// in registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "soft/exec/inst.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/wave.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

enum class Element : std::uint8_t {
  kF64,
  kF32,
  kXF32,  // f32 registers of which the multipliers see the upper 19 bits
  kF16,
  kBF16,
  kFP8,  // e4m3, fnuz or OCP as the target says
  kBF8,  // e5m2, likewise
  kFP6,  // e2m3
  kBF6,  // e3m2
  kFP4,  // e2m1
  kI8,
  kU8,
  kI4,
  kU4,
  kI32,
};

constexpr unsigned bits_of(Element element) {
  switch (element) {
    case Element::kF64:
      return 64;
    case Element::kF32:
    case Element::kXF32:
    case Element::kI32:
      return 32;
    case Element::kF16:
    case Element::kBF16:
      return 16;
    case Element::kFP8:
    case Element::kBF8:
    case Element::kI8:
    case Element::kU8:
      return 8;
    case Element::kFP6:
    case Element::kBF6:
      return 6;
    default:
      return 4;
  }
}
constexpr bool is_integer(Element element) {
  return element >= Element::kI8;
}
constexpr Fp8Use fp8_use(Element a, Element b) {
  if (bits_of(a) != 8 || is_integer(a)) return {};
  return Fp8Use::multiply(a == Element::kBF8, b == Element::kBF8);
}

// The significand and exponent that a multiplier sees: 1.fff × 2^e, or 0.fff × 2^lowest.
struct Significand {
  int fraction;  // bits after the point
  int lowest;    // exponent of denormals
};
constexpr Significand significand_of(Element element, Isa isa) {
  const bool fnuz = isa == Isa::kGfx942;
  switch (element) {
    case Element::kXF32:
      return {10, -126};
    case Element::kF16:
      return {10, -14};
    case Element::kBF16:
      return {7, -126};
    case Element::kFP8:
      return {3, fnuz ? -7 : -6};
    case Element::kBF8:
      return {2, fnuz ? -15 : -14};
    case Element::kFP6:
      return {3, 0};
    case Element::kBF6:
      return {2, -2};
    case Element::kFP4:
      return {1, 0};
    default:
      return {23, -126};
  }
}

// Raw register bits to values. `count` elements, one per lane, `shift` bits up in each word.
void decode(Element element, Isa isa, const std::uint32_t* words, unsigned shift, unsigned count,
            float* out);
void decode(Element element, const std::uint32_t* words, unsigned shift, unsigned count,
            std::int32_t* out);

// One block. `a` is [k][m], `b` is [k][n], `acc` is [m][n]: C before, D after. n is 4, 16 or 32.
// Sparse instructions keep half of A's elements: `pick` is [m][k] and names the row of `b` that
// each meets. Without it, element k meets row k.
template <class T>
struct Block {
  const T* a = nullptr;
  const T* b = nullptr;
  T* acc = nullptr;
  unsigned m = 0, n = 0, k = 0;
  const std::uint8_t* pick = nullptr;

  std::size_t row(unsigned i, unsigned at) const {
    const std::size_t which = pick ? pick[std::size_t{i} * k + at] : at;
    return which * n;
  }
};

// D = fma(a, b, …) in the order of k.
void fma_chain(const Block<float>& block);
void fma_chain(const Block<double>& block);
// Wraps, or saturates the whole sum when `clamp`.
void integer_dot(const Block<std::int32_t>& block, bool clamp);
// For instructions whose order of additions is unknown. Products of floats are exact in double
// precision; the caller rounds the sum once to the result's format.
void double_sum(const Block<double>& block);

// CDNA1: the accumulator and `group` products are added exactly and rounded once, the groups one
// after another. A sum of zero is +0.
void fused_groups(const Block<float>& block, unsigned group);

// CDNA2: products in f32, added as a tree in groups of `group`, the groups one after another.
// Denormals are zero before and after each step; `lowest` is the exponent of the inputs' smallest
// normal number.
void pairwise(const Block<float>& block, unsigned group, int lowest);

// CDNA3: groups of `group` exact products are aligned to the largest exponent, truncated and
// added; then the accumulator joins. `two_sums` (fp8): even and odd products are added apart.
struct Alignment {
  unsigned group = 8;
  Significand a{}, b{};
  bool two_sums = false;
};
void aligned_sum(const Block<float>& block, const Alignment& alignment);

// NaN results carry no payload: which operand's would survive is not documented.
constexpr std::uint32_t kMatrixNan = 0x7fc00000;
constexpr std::uint64_t kMatrixNan64 = 0x7ff8000000000000;

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
