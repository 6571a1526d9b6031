// SPDX-License-Identifier: MIT
// Short vectors for the matrix kernels. Their loops are nested three deep, where compilers do not
// find the vector code by themselves.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "soft/exec/ops/ops.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

// Elements that a register of this SIMD level holds.
#ifdef __AVX2__
constexpr unsigned kWords = 8, kDoubles = 4;
#else
constexpr unsigned kWords = 4, kDoubles = 2;
#endif

template <class T, unsigned W>
struct VecType {
  typedef T type __attribute__((vector_size(W * sizeof(T))));
};
template <class T, unsigned W>
using Vec = typename VecType<T, W>::type;

template <class T, unsigned W>
inline Vec<T, W> load(const T* from) {
  Vec<T, W> v;
  std::memcpy(&v, from, sizeof(v));
  return v;
}
template <class T, unsigned W>
inline void store(T* to, const Vec<T, W>& v) {
  std::memcpy(to, &v, sizeof(v));
}

template <unsigned W>
inline Vec<float, W> fma(const Vec<float, W>& a, const Vec<float, W>& b, const Vec<float, W>& c) {
#ifdef __AVX2__
  if constexpr (W == 8) return _mm256_fmadd_ps(a, b, c);
  if constexpr (W == 4) return _mm_fmadd_ps(a, b, c);
#endif
  Vec<float, W> r;
  for (unsigned i = 0; i < W; ++i) r[i] = std::fma(a[i], b[i], c[i]);
  return r;
}
template <unsigned W>
inline Vec<double, W> fma(const Vec<double, W>& a, const Vec<double, W>& b,
                          const Vec<double, W>& c) {
#ifdef __AVX2__
  if constexpr (W == 4) return _mm256_fmadd_pd(a, b, c);
#endif
  Vec<double, W> r;
  for (unsigned i = 0; i < W; ++i) r[i] = std::fma(a[i], b[i], c[i]);
  return r;
}

template <unsigned W>
inline Vec<std::int32_t, W> larger(const Vec<std::int32_t, W>& a, const Vec<std::int32_t, W>& b) {
  return a > b ? a : b;
}

// v / 2^n towards zero, n ≥ 0.
template <unsigned W>
inline Vec<std::int32_t, W> truncate(const Vec<std::int32_t, W>& v, const Vec<std::int32_t, W>& n) {
#ifdef __AVX2__
  if constexpr (W == 8) {
    const auto bits = std::bit_cast<__m256i>(v);
    const __m256i size = _mm256_srlv_epi32(_mm256_abs_epi32(bits), std::bit_cast<__m256i>(n));
    return std::bit_cast<Vec<std::int32_t, W>>(_mm256_sign_epi32(size, bits));
  }
#endif
  const Vec<std::int32_t, W> sign = v >> 31;
  const Vec<std::int32_t, W> held = n < 31 ? n : n - n + 31;
  return ((((v ^ sign) - sign) >> held) ^ sign) - sign;
}

// v / 2^n rounded down, n ≥ 0.
template <unsigned W>
inline Vec<std::int32_t, W> round_down(const Vec<std::int32_t, W>& v,
                                       const Vec<std::int32_t, W>& n) {
#ifdef __AVX2__
  if constexpr (W == 8)
    return std::bit_cast<Vec<std::int32_t, W>>(
        _mm256_srav_epi32(std::bit_cast<__m256i>(v), std::bit_cast<__m256i>(n)));
#endif
  return v >> (n < 31 ? n : n - n + 31);
}

// Whether any element is not zero.
template <unsigned W>
inline bool any(const Vec<std::int32_t, W>& v) {
#ifdef __AVX2__
  if constexpr (W == 8)
    return !_mm256_testz_si256(std::bit_cast<__m256i>(v), std::bit_cast<__m256i>(v));
#endif
  std::int32_t all = 0;
  for (unsigned i = 0; i < W; ++i) all |= v[i];
  return all != 0;
}

template <unsigned W>
inline Vec<double, W> floor(const Vec<double, W>& v) {
#ifdef __AVX2__
  if constexpr (W == 4) return _mm256_floor_pd(v);
#endif
  Vec<double, W> r;
  for (unsigned i = 0; i < W; ++i) r[i] = std::floor(v[i]);
  return r;
}

// Calls f with the width of a row of D as a constant, and the vector width to cut it into.
template <class F>
inline void with_width(unsigned n, F f) {
  using std::integral_constant;
  switch (n) {
    case 4:
      return f(integral_constant<unsigned, 4>{}, integral_constant<unsigned, 4>{});
    case 16:
      return f(integral_constant<unsigned, 16>{}, integral_constant<unsigned, kWords>{});
    default:
      return f(integral_constant<unsigned, 32>{}, integral_constant<unsigned, kWords>{});
  }
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
