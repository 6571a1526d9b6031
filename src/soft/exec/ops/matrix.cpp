// SPDX-License-Identifier: MIT
#include "soft/exec/ops/matrix.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "soft/exec/ops/fp8.h"
#include "soft/exec/ops/half.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

using std::int32_t;
using std::uint32_t;

// Loops over a row of D have a fixed length, so that they become SIMD code.
template <class F>
void with_width(unsigned n, F f) {
  switch (n) {
    case 4:
      f(std::integral_constant<unsigned, 4>{});
      break;
    case 16:
      f(std::integral_constant<unsigned, 16>{});
      break;
    default:
      f(std::integral_constant<unsigned, 32>{});
      break;
  }
}

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

template <class T>
void chain(const Block<T>& block) {
  with_width(block.n, [&](auto width) {
    constexpr unsigned n = width;
    for (unsigned i = 0; i < block.m; ++i) {
      T sum[n];
      T* acc = block.acc + std::size_t{i} * n;
      for (unsigned j = 0; j < n; ++j) sum[j] = acc[j];
      for (unsigned k = 0; k < block.k; ++k) {
        const T a = block.a[std::size_t{k} * block.m + i];
        const T* b = block.b + block.row(i, k);
        for (unsigned j = 0; j < n; ++j) sum[j] = std::fma(a, b[j], sum[j]);
      }
      for (unsigned j = 0; j < n; ++j) acc[j] = without_payload(sum[j]);
    }
  });
}

inline float flush(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<float>((bits & 0x7fffffffU) < 0x00800000U ? bits & 0x80000000U : bits);
}
// Inputs lose their sign too.
inline float flush_input(float value, float smallest) {
  return std::fabs(value) < smallest ? 0.0F : value;
}

template <unsigned n, unsigned group>
void pairwise_rows(const Block<float>& block, float smallest) {
  for (unsigned i = 0; i < block.m; ++i) {
    float sum[n];
    float* acc = block.acc + std::size_t{i} * n;
    for (unsigned j = 0; j < n; ++j)
      sum[j] = flush_input(acc[j], std::numeric_limits<float>::min());
    for (unsigned k = 0; k < block.k; k += group) {
      float product[group][n];
      for (unsigned g = 0; g < group; ++g) {
        const float a = flush_input(block.a[std::size_t{k + g} * block.m + i], smallest);
        const float* b = block.b + block.row(i, k + g);
        // Adding 0 turns -0 into +0, as the first level of the tree does.
        for (unsigned j = 0; j < n; ++j)
          product[g][j] = flush(a * flush_input(b[j], smallest) + 0.0F);
      }
      for (unsigned step = 1; step < group; step *= 2)
        for (unsigned g = 0; g < group; g += 2 * step)
          for (unsigned j = 0; j < n; ++j)
            product[g][j] = flush(product[g][j] + product[g + step][j]);
      for (unsigned j = 0; j < n; ++j) sum[j] = flush(sum[j] + product[0][j]);
    }
    for (unsigned j = 0; j < n; ++j) acc[j] = without_payload(sum[j]);
  }
}

}  // namespace

void decode(Element element, Isa isa, const uint32_t* words, unsigned shift, unsigned count,
            float* out) {
  switch (element) {
    case Element::kF16:
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
  with_width(block.n, [&](auto width) {
    constexpr unsigned n = width;
    for (unsigned i = 0; i < block.m; ++i) {
      // The products alone cannot overflow: at most 128 of them, below 2^16 each.
      int32_t sum[n] = {};
      for (unsigned k = 0; k < block.k; ++k) {
        const int32_t a = block.a[std::size_t{k} * block.m + i];
        const int32_t* b = block.b + block.row(i, k);
        for (unsigned j = 0; j < n; ++j) sum[j] += a * b[j];
      }
      int32_t* acc = block.acc + std::size_t{i} * n;
      for (unsigned j = 0; j < n; ++j) {
        const std::int64_t exact = std::int64_t{acc[j]} + sum[j];
        constexpr std::int64_t least = std::numeric_limits<int32_t>::min();
        constexpr std::int64_t most = std::numeric_limits<int32_t>::max();
        acc[j] = static_cast<int32_t>(clamp ? std::clamp(exact, least, most) : exact);
      }
    }
  });
}

void double_sum(const Block<double>& block) {
  with_width(block.n, [&](auto width) {
    constexpr unsigned n = width;
    for (unsigned i = 0; i < block.m; ++i) {
      double* acc = block.acc + std::size_t{i} * n;
      for (unsigned k = 0; k < block.k; ++k) {
        const double a = block.a[std::size_t{k} * block.m + i];
        const double* b = block.b + block.row(i, k);
        for (unsigned j = 0; j < n; ++j) acc[j] += a * b[j];
      }
    }
  });
}

void pairwise(const Block<float>& block, unsigned group, int lowest) {
  const float smallest = std::bit_cast<float>(static_cast<uint32_t>(lowest + 127) << 23);
  with_width(block.n, [&](auto width) {
    constexpr unsigned n = width;
    if (group == 4)
      pairwise_rows<n, 4>(block, smallest);
    else
      pairwise_rows<n, 2>(block, smallest);
  });
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
