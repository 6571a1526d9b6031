// SPDX-License-Identifier: MIT
// The arithmetic of CDNA3's matrix cores, bit for bit (arXiv 2511.10909 found it by probing
// MI300X). For a group of products p and the accumulator c, with exponents as the multiplier has
// them (the sum of the operands' exponents, not normalised; zero counts as 2^-126):
//   e = the largest exponent of the products; each product truncated at 2^(e-24); s = their sum
//   E = max(e, exponent of c); s rounded down at 2^(E-31), c rounded down at 2^(E-24)
//   D = s + c rounded to nearest even.
// 8-bit floats: even and odd products make two such sums, which are aligned to the larger exponent
// and rounded down at 24 bits; a c more than 25 exponents below E is dropped.
#include <bit>
#include <cmath>
#include <type_traits>

#include "soft/exec/ops/matrix.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

using std::int32_t;
using std::int64_t;
using std::uint32_t;

constexpr unsigned kMaxElements = 2048;
constexpr int kZeroExponent = -126;
constexpr int kFraction = 24;     // bits kept of a product
constexpr int kSumFraction = 31;  // bits kept of the sum of products

// A matrix taken apart: value = number × 2^(exponent - fraction), with `raise` more zero bits.
struct Parts {
  alignas(64) int32_t number[kMaxElements];
  alignas(64) int32_t exponent[kMaxElements];
  int largest = kZeroExponent;
  bool special = false;  // an infinity or NaN among them
};

void take_apart(const float* values, unsigned count, const Significand& format, int raise,
                Parts& parts) {
  int32_t largest = kZeroExponent;
  uint32_t special = 0;
  for (unsigned i = 0; i < count; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(values[i]);
    const auto field = static_cast<int32_t>((bits >> 23) & 0xffU);
    const auto whole = static_cast<int32_t>((bits & 0x7fffffU) | (field != 0 ? 0x800000U : 0U));
    const int32_t own = field != 0 ? field - 127 : -126;
    const int32_t below = std::max(format.lowest - own, 0);
    const int32_t number = whole >> std::min(23 - format.fraction + below, 31) << raise;
    const int32_t exponent = number != 0 ? std::max(own, format.lowest) : kZeroExponent;
    parts.number[i] = (bits >> 31) != 0 ? -number : number;
    parts.exponent[i] = exponent;
    largest = std::max(largest, exponent);
    special |= field == 255 ? 1U : 0U;
  }
  parts.largest = largest;
  parts.special = special != 0;
}

inline double power_of_two(int32_t exponent) {
  return std::bit_cast<double>(static_cast<int64_t>(exponent + 1023) << 52);
}

// s counts 2^(e-24).
inline float join(int32_t s, int32_t e, float c, bool drop_small_c) {
  const uint32_t bits = std::bit_cast<uint32_t>(c);
  const auto field = static_cast<int32_t>((bits >> 23) & 0xffU);
  const int32_t c_exponent = std::max(field, 1) - 127;
  const int32_t largest = std::max(e, c_exponent);
  // Both count 2^(largest-31) and have fewer than 40 bits: the sum of doubles is exact.
  const double products =
      std::floor(static_cast<double>(s) * power_of_two(kSumFraction - kFraction + e - largest));
  const double own = std::floor(static_cast<double>(c) * power_of_two(kFraction - largest));
  const bool dropped = drop_small_c && c_exponent < largest - 25;
  const double sum = products + (dropped ? 0.0 : own * 128.0);
  const auto rounded = static_cast<float>(sum * power_of_two(largest - kSumFraction));
  return field == 255 ? c : rounded;
}

template <unsigned n>
struct Sums {
  int32_t exponent[n];
  int32_t sum[n];
};

// Products first, first + step, … of a group.
template <unsigned n>
inline void add_products(const Block<float>& block, const Parts& a, const Parts& b, unsigned i,
                         unsigned first, unsigned end, unsigned step, Sums<n>& out) {
  for (unsigned j = 0; j < n; ++j) out.exponent[j] = -1000;
  for (unsigned k = first; k < end; k += step) {
    const int32_t ea = a.exponent[std::size_t{k} * block.m + i];
    const int32_t* eb = b.exponent + block.row(i, k);
    for (unsigned j = 0; j < n; ++j) out.exponent[j] = std::max(out.exponent[j], ea + eb[j]);
  }
  for (unsigned j = 0; j < n; ++j) out.sum[j] = 0;
  for (unsigned k = first; k < end; k += step) {
    const std::size_t at = std::size_t{k} * block.m + i;
    const int32_t ea = a.exponent[at], na = a.number[at];
    const int32_t* eb = b.exponent + block.row(i, k);
    const int32_t* nb = b.number + block.row(i, k);
    for (unsigned j = 0; j < n; ++j) {
      const int32_t product = na * nb[j];
      const auto shift = static_cast<uint32_t>(std::min(out.exponent[j] - ea - eb[j], 31));
      const int32_t sign = product >> 31;
      const auto size = static_cast<uint32_t>((product ^ sign) - sign);
      out.sum[j] += (static_cast<int32_t>(size >> shift) ^ sign) - sign;
    }
  }
}

// With infinities or NaNs about, or products that overflow, plain arithmetic decides first.
inline float settle(const Block<float>& block, unsigned i, unsigned j, unsigned first, unsigned end,
                    float c, float finite) {
  double sum = 0.0;
  bool up = false, down = false;
  for (unsigned k = first; k < end; ++k) {
    const double product = static_cast<double>(block.a[std::size_t{k} * block.m + i]) *
                           static_cast<double>(block.b[block.row(i, k) + j]);
    sum += product;
    up |= product >= 0x1p128;
    down |= product <= -0x1p128;
  }
  sum += static_cast<double>(c);
  if (!std::isfinite(sum)) return static_cast<float>(sum);
  if (up && down) return std::bit_cast<float>(kMatrixNan);
  if (up || down) return up ? HUGE_VALF : -HUGE_VALF;
  return finite;
}

template <unsigned n, bool two_sums>
void rows(const Block<float>& block, const Parts& a, const Parts& b, unsigned group, bool special) {
  for (unsigned i = 0; i < block.m; ++i) {
    float* acc = block.acc + std::size_t{i} * n;
    for (unsigned first = 0; first < block.k; first += group) {
      const unsigned end = first + group;
      Sums<n> sums;
      if constexpr (two_sums) {
        Sums<n> odd;
        add_products<n>(block, a, b, i, first, end, 2, sums);
        add_products<n>(block, a, b, i, first + 1, end, 2, odd);
        for (unsigned j = 0; j < n; ++j) {
          const int32_t e = std::max(sums.exponent[j], odd.exponent[j]);
          sums.sum[j] = (sums.sum[j] >> std::min(e - sums.exponent[j], 31)) +
                        (odd.sum[j] >> std::min(e - odd.exponent[j], 31));
          sums.exponent[j] = e;
        }
      } else {
        add_products<n>(block, a, b, i, first, end, 1, sums);
      }
      float joined[n];
      for (unsigned j = 0; j < n; ++j)
        joined[j] = join(sums.sum[j], sums.exponent[j], acc[j], two_sums);
      if (special)
        for (unsigned j = 0; j < n; ++j)
          joined[j] = settle(block, i, j, first, end, acc[j], joined[j]);
      for (unsigned j = 0; j < n; ++j) acc[j] = joined[j];
    }
    for (unsigned j = 0; j < n; ++j)
      acc[j] = acc[j] != acc[j] ? std::bit_cast<float>(kMatrixNan) : acc[j];
  }
}

}  // namespace

void aligned_sum(const Block<float>& block, const Alignment& alignment) {
  Parts a, b;
  // Products get 24 fraction bits: A's numbers carry the zeros that are missing.
  const int raise = kFraction - alignment.a.fraction - alignment.b.fraction;
  take_apart(block.a, block.k * block.m, alignment.a, raise, a);
  const unsigned b_rows = block.pick ? 2 * block.k : block.k;
  take_apart(block.b, b_rows * block.n, alignment.b, 0, b);
  const bool special = a.special || b.special || a.largest + b.largest >= 126;
  const unsigned group = std::min(alignment.group, block.k);
  const auto run = [&](auto width) {
    constexpr unsigned n = decltype(width)::value;
    if (alignment.two_sums)
      rows<n, true>(block, a, b, group, special);
    else
      rows<n, false>(block, a, b, group, special);
  };
  if (block.n == 4)
    run(std::integral_constant<unsigned, 4>{});
  else if (block.n == 16)
    run(std::integral_constant<unsigned, 16>{});
  else
    run(std::integral_constant<unsigned, 32>{});
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
