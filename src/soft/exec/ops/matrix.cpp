// SPDX-License-Identifier: MIT
#include "soft/exec/ops/matrix.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "soft/exec/ops/fp8.h"
#include "soft/exec/ops/half.h"
#include "soft/exec/ops/matrix_vec.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

using std::int32_t;
using std::uint32_t;

template <class F>
inline void each(const uint32_t* words, unsigned shift, unsigned count, float* out, F f) {
  for (unsigned i = 0; i < count; ++i) out[i] = f(words[i] >> shift);
}

// The OCP formats below 8 bits: all codes are numbers.
inline float small_to_f32(uint32_t code, unsigned exponent_bits, unsigned mantissa, unsigned bias) {
  const uint32_t magnitude = code & ((1U << (exponent_bits + mantissa)) - 1U);
  const uint32_t sign = (code >> (exponent_bits + mantissa)) << 31;
  const float number = std::bit_cast<float>(magnitude << (23U - mantissa)) *
                       std::bit_cast<float>((254U - bias) << 23);
  return std::bit_cast<float>(std::bit_cast<uint32_t>(number) | sign);
}

inline float without_payload(float value) {
  return value != value ? std::bit_cast<float>(kMatrixNan) : value;
}
inline double without_payload(double value) {
  return value != value ? std::bit_cast<double>(kMatrixNan64) : value;
}

// acc[i][…] = step(a[k][i], b[k][…], acc[i][…]) over k, in vectors of W elements.
template <class T, unsigned n, unsigned W, class Step, class Finish>
inline void accumulate(const Block<T>& block, Step step, Finish finish) {
  constexpr unsigned parts = n / W;
  for (unsigned i = 0; i < block.m; ++i) {
    T* acc = block.acc + std::size_t{i} * n;
    Vec<T, W> sum[parts];
    for (unsigned p = 0; p < parts; ++p) sum[p] = load<T, W>(acc + p * W);
    for (unsigned k = 0; k < block.k; ++k) {
      // Subtracting 0 keeps the sign of 0.
      const Vec<T, W> a = block.a[std::size_t{k} * block.m + i] - Vec<T, W>{};
      const T* b = block.b + block.row(i, k);
      for (unsigned p = 0; p < parts; ++p) sum[p] = step(a, load<T, W>(b + p * W), sum[p]);
    }
    for (unsigned p = 0; p < parts; ++p) store<T, W>(acc + p * W, sum[p]);
    for (unsigned j = 0; j < n; ++j) acc[j] = finish(acc[j]);
  }
}

template <class T>
void chain(const Block<T>& block) {
  with_width(block.n, [&](auto width, auto lanes) {
    constexpr unsigned n = width, W = std::is_same_v<T, double> ? kDoubles : lanes;
    using V = Vec<T, W>;
    accumulate<T, n, W>(
        block, [](const V& a, const V& b, const V& c) { return fma<W>(a, b, c); },
        [](T value) { return without_payload(value); });
  });
}

template <unsigned W>
inline Vec<float, W> flush(const Vec<float, W>& value) {
  const auto bits = std::bit_cast<Vec<int32_t, W>>(value);
  const auto kept =
      (bits & 0x7fffffff) < 0x00800000 ? bits & std::numeric_limits<int32_t>::min() : bits;
  return std::bit_cast<Vec<float, W>>(kept);
}
// Inputs lose their sign too.
inline float flush_input(float value, float smallest) {
  return std::fabs(value) < smallest ? 0.0F : value;
}

// The block's inputs are flushed already.
template <unsigned n, unsigned W, unsigned group>
void pairwise_rows(const Block<float>& block) {
  for (unsigned i = 0; i < block.m; ++i)
    for (unsigned part = 0; part < n; part += W) {
      float* acc = block.acc + std::size_t{i} * n + part;
      Vec<float, W> sum = load<float, W>(acc);
      for (unsigned k = 0; k < block.k; k += group) {
        Vec<float, W> product[group];
        for (unsigned g = 0; g < group; ++g) {
          const float a = block.a[std::size_t{k + g} * block.m + i];
          const Vec<float, W> b = load<float, W>(block.b + block.row(i, k + g) + part);
          // Adding 0 turns -0 into +0, as the first level of the tree does.
          product[g] = flush<W>(a * b + 0.0F);
        }
        for (unsigned step = 1; step < group; step *= 2)
          for (unsigned g = 0; g < group; g += 2 * step)
            product[g] = flush<W>(product[g] + product[g + step]);
        sum = flush<W>(sum + product[0]);
      }
      store<float, W>(acc, sum);
      for (unsigned j = 0; j < W; ++j) acc[j] = without_payload(acc[j]);
    }
}

// A sum of doubles without rounding errors: numbers that do not overlap, the largest last.
class ExactSum {
 public:
  void add(double value) {
    unsigned kept = 0;
    for (unsigned i = 0; i < count_; ++i) {
      const double other = parts_[i], sum = value + other;
      const double rounded = sum - value;
      const double error = (value - (sum - rounded)) + (other - rounded);
      if (error != 0 && std::isfinite(sum)) parts_[kept++] = error;
      value = sum;
    }
    parts_[kept++] = value;
    count_ = kept;
  }
  // To the nearest float: what does not fit a double makes its last bit odd, which rounds like the
  // whole.
  float rounded() const {
    double sum = 0, rest = 0;
    for (unsigned i = count_; i > 0 && rest == 0;) {
      const double before = sum, part = parts_[--i];
      sum = before + part;
      if (!std::isfinite(sum)) return static_cast<float>(sum);
      rest = part - (sum - before);
    }
    if (sum == 0) return 0.0F;
    if (rest == 0) return static_cast<float>(sum);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    if ((rest > 0) != (sum > 0)) --bits;
    return static_cast<float>(std::bit_cast<double>(bits | 1U));
  }

 private:
  double parts_[8]{};
  unsigned count_ = 0;
};

}  // namespace

void fused_groups(const Block<float>& block, unsigned group) {
  for (unsigned i = 0; i < block.m; ++i)
    for (unsigned j = 0; j < block.n; ++j) {
      float& c = block.acc[std::size_t{i} * block.n + j];
      for (unsigned first = 0; first < block.k; first += group) {
        ExactSum sum;
        sum.add(static_cast<double>(c));
        for (unsigned k = first; k < first + group; ++k)
          sum.add(static_cast<double>(block.a[std::size_t{k} * block.m + i]) *
                  static_cast<double>(block.b[block.row(i, k) + j]));
        c = without_payload(sum.rounded());
      }
    }
}

void decode(Element element, Isa isa, const uint32_t* words, unsigned shift, unsigned count,
            float* out) {
  switch (element) {
    case Element::kF16:
      if (count % 8 == 0) {
        for (unsigned i = 0; i < count; i += 8)
          shift ? decode_halves<16, 8>(words + i, out + i)
                : decode_halves<0, 8>(words + i, out + i);
        break;
      }
      each(words, shift, count, out, [](uint32_t x) { return f16_to_f32(x & 0xffffU); });
      break;
    case Element::kBF16:
      each(words, shift, count, out, [](uint32_t x) { return bf16_to_f32(x & 0xffffU); });
      break;
    case Element::kXF32:
      each(words, shift, count, out, [](uint32_t x) { return std::bit_cast<float>(x & ~0x1fffU); });
      break;
    case Element::kFP8:
    case Element::kBF8: {
      const Fp8Layout f = layout_of(element == Element::kFP8 ? fp8_format(isa) : bf8_format(isa));
      each(words, shift, count, out, [&](uint32_t x) { return fp8_to_f32(x & 0xffU, f); });
      break;
    }
    case Element::kFP6:
      each(words, shift, count, out, [](uint32_t x) { return small_to_f32(x & 63U, 2, 3, 1); });
      break;
    case Element::kBF6:
      each(words, shift, count, out, [](uint32_t x) { return small_to_f32(x & 63U, 3, 2, 3); });
      break;
    case Element::kFP4:
      each(words, shift, count, out, [](uint32_t x) { return small_to_f32(x & 15U, 2, 1, 1); });
      break;
    default:
      each(words, shift, count, out, [](uint32_t x) { return std::bit_cast<float>(x); });
      break;
  }
}

void decode(Element element, const uint32_t* words, unsigned shift, unsigned count, int32_t* out) {
  const unsigned above = 32U - bits_of(element);
  const bool is_signed = element == Element::kI8 || element == Element::kI4;
  for (unsigned i = 0; i < count; ++i) {
    const uint32_t top = words[i] >> shift << above;
    out[i] = is_signed ? static_cast<int32_t>(top) >> above : static_cast<int32_t>(top >> above);
  }
}

void fma_chain(const Block<float>& block) {
  chain(block);
}
void fma_chain(const Block<double>& block) {
  chain(block);
}

void integer_dot(const Block<int32_t>& block, bool clamp) {
  with_width(block.n, [&](auto width, auto lanes) {
    constexpr unsigned n = width, W = lanes;
    using V = Vec<int32_t, W>;
    // The products alone cannot overflow: at most 128 of them, below 2^16 each.
    alignas(64) int32_t sums[32 * n] = {};
    Block<int32_t> products = block;
    products.acc = sums;
    accumulate<int32_t, n, W>(
        products, [](const V& a, const V& b, const V& c) { return a * b + c; },
        [](int32_t value) { return value; });
    for (unsigned i = 0; i < block.m * n; ++i) {
      const int32_t wrapped = static_cast<int32_t>(static_cast<uint32_t>(block.acc[i]) +
                                                   static_cast<uint32_t>(sums[i]));
      // Overflow: the terms agree in sign and the result does not.
      const bool overflows = ((block.acc[i] ^ wrapped) & (sums[i] ^ wrapped)) < 0;
      const int32_t bound =
          sums[i] < 0 ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int32_t>::max();
      block.acc[i] = clamp && overflows ? bound : wrapped;
    }
  });
}

void double_sum(const Block<double>& block) {
  with_width(block.n, [&](auto width, auto) {
    using V = Vec<double, kDoubles>;
    accumulate<double, width, kDoubles>(
        block, [](const V& a, const V& b, const V& c) { return a * b + c; },
        [](double value) { return value; });
  });
}

void pairwise(const Block<float>& block, unsigned group, int lowest) {
  constexpr std::size_t kMost = 512;  // elements of an input of one block
  const float smallest = std::bit_cast<float>(static_cast<uint32_t>(lowest + 127) << 23);
  alignas(64) float a[kMost], b[kMost];
  for (std::size_t i = 0; i < std::size_t{block.m} * block.k; ++i) {
    a[i] = flush_input(block.a[i], smallest);
    b[i] = flush_input(block.b[i], smallest);
  }
  Block<float> flushed = block;
  flushed.a = a;
  flushed.b = b;
  for (std::size_t i = 0; i < std::size_t{block.m} * block.n; ++i)
    block.acc[i] = flush_input(block.acc[i], std::numeric_limits<float>::min());
  with_width(block.n, [&](auto width, auto lanes) {
    if (group == 4)
      pairwise_rows<width, lanes, 4>(flushed);
    else
      pairwise_rows<width, lanes, 2>(flushed);
  });
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
