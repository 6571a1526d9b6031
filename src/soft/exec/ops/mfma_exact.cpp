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
#include "soft/exec/ops/matrix_vec.h"

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

template <unsigned W>
using Ints = Vec<int32_t, W>;

template <unsigned W>
inline Vec<double, W> power_of_two(const Ints<W>& exponent) {
  const auto wide = __builtin_convertvector(exponent + 1023, Vec<int64_t, W>);
  return std::bit_cast<Vec<double, W>>(wide << 52);
}

// s counts 2^(e-24).
template <unsigned W>
inline Vec<float, W> join(const Ints<W>& s, const Ints<W>& e, const Vec<float, W>& c,
                          bool drop_small_c) {
  const auto field = std::bit_cast<Ints<W>>(c) >> 23 & 0xff;
  const Ints<W> c_exponent = larger<W>(field, Ints<W>{} + 1) - 127;
  const Ints<W> largest = larger<W>(e, c_exponent);
  // Both count 2^(largest-31) and have fewer than 40 bits: the sum of doubles is exact.
  const auto products = floor<W>(__builtin_convertvector(s, Vec<double, W>) *
                                 power_of_two<W>(kSumFraction - kFraction + e - largest));
  auto own =
      floor<W>(__builtin_convertvector(c, Vec<double, W>) * power_of_two<W>(kFraction - largest));
  if (drop_small_c) {
    const Ints<W> kept = c_exponent >= largest - 25;
    own = std::bit_cast<Vec<double, W>>(std::bit_cast<Vec<int64_t, W>>(own) &
                                        __builtin_convertvector(kept, Vec<int64_t, W>));
  }
  const auto sum = (products + own * 128.0) * power_of_two<W>(largest - kSumFraction);
  const auto rounded = __builtin_convertvector(sum, Vec<float, W>);
  return field == 255 ? c : rounded;
}

template <unsigned W>
struct Sums {
  Ints<W> exponent, sum;
};

// Products first, first + step, … of a group, W columns from `column` on.
template <unsigned W>
inline Sums<W> add_products(const Block<float>& block, const Parts& a, const Parts& b, unsigned i,
                            unsigned column, unsigned first, unsigned end, unsigned step) {
  constexpr unsigned kMost = 16;
  Ints<W> exponents[kMost];
  Sums<W> out{Ints<W>{} - 1000, Ints<W>{}};
  unsigned count = 0;
  for (unsigned k = first; k < end; k += step, ++count) {
    const Ints<W> eb = load<int32_t, W>(b.exponent + block.row(i, k) + column);
    exponents[count] = eb + a.exponent[std::size_t{k} * block.m + i];
    out.exponent = larger<W>(out.exponent, exponents[count]);
  }
  count = 0;
  for (unsigned k = first; k < end; k += step, ++count) {
    const Ints<W> nb = load<int32_t, W>(b.number + block.row(i, k) + column);
    const Ints<W> product = nb * a.number[std::size_t{k} * block.m + i];
    out.sum += truncate<W>(product, out.exponent - exponents[count]);
  }
  return out;
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

template <unsigned n, unsigned W, bool two_sums>
void rows(const Block<float>& block, const Parts& a, const Parts& b, unsigned group, bool special) {
  for (unsigned i = 0; i < block.m; ++i) {
    float* acc = block.acc + std::size_t{i} * n;
    for (unsigned first = 0; first < block.k; first += group) {
      const unsigned end = first + group;
      float joined[n];
      for (unsigned column = 0; column < n; column += W) {
        Sums<W> sums = add_products<W>(block, a, b, i, column, first, end, two_sums ? 2 : 1);
        if constexpr (two_sums) {
          const Sums<W> odd = add_products<W>(block, a, b, i, column, first + 1, end, 2);
          const Ints<W> e = larger<W>(sums.exponent, odd.exponent);
          sums.sum =
              round_down<W>(sums.sum, e - sums.exponent) + round_down<W>(odd.sum, e - odd.exponent);
          sums.exponent = e;
        }
        int32_t s[W], e[W];
        store<int32_t, W>(s, sums.sum);
        store<int32_t, W>(e, sums.exponent);
        constexpr unsigned D = kDoubles;
        for (unsigned part = 0; part < W; part += D)
          store<float, D>(joined + column + part,
                          join<D>(load<int32_t, D>(s + part), load<int32_t, D>(e + part),
                                  load<float, D>(acc + column + part), two_sums));
      }
      if (special)
        for (unsigned j = 0; j < n; ++j)
          joined[j] = settle(block, i, j, first, end, acc[j], joined[j]);
      std::memcpy(acc, joined, sizeof(joined));
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
  with_width(block.n, [&](auto width, auto lanes) {
    if (alignment.two_sums)
      rows<width, lanes, true>(block, a, b, group, special);
    else
      rows<width, lanes, false>(block, a, b, group, special);
  });
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
