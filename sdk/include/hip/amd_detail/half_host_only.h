// SPDX-License-Identifier: MIT
// fp16 for compilers that do not speak HIP: the types, which C sees only raw, and their
// conversions. Everything is integer arithmetic: such a compiler need not have a half type.
#pragma once

struct __half_raw {
  unsigned short x;
};

struct __half2_raw {
  unsigned short x;
  unsigned short y;
};

#if defined(__cplusplus)

#include <cstring>

namespace __hip_detail {

inline unsigned int float_bits(float value) {
  unsigned int bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline float float_of_bits(unsigned int bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// The magnitude of `value` in half steps below it, and what the steps leave over: 0 for exact, else
// 1, 2 or 3 for less than, exactly and more than half a step.
struct half_magnitude {
  unsigned short bits;
  int rest;
};

inline half_magnitude half_truncated(unsigned int magnitude) {
  const unsigned int infinity = 0x7f800000u, too_large = 0x47800000u, smallest_normal = 0x38800000u;
  if (magnitude > infinity) return {0x7fff, 0};
  if (magnitude == infinity) return {0x7c00, 0};
  if (magnitude >= too_large) return {0x7bff, 3};

  unsigned int significand = magnitude, dropped = 13;
  if (magnitude >= smallest_normal) {
    significand -= 0x38000000u;  // from the bias of float to that of half
  } else {
    dropped = 126 - (magnitude >> 23);
    if (dropped > 25) return {0, magnitude == 0 ? 0 : 1};
    significand = (magnitude & 0x7fffffu) | 0x800000u;
  }
  unsigned int rest = significand & ((1u << dropped) - 1), half_step = 1u << (dropped - 1);
  return {static_cast<unsigned short>(significand >> dropped), rest == 0           ? 0
                                                               : rest < half_step  ? 1
                                                               : rest == half_step ? 2
                                                                                   : 3};
}

inline float float_of_half(unsigned short bits) {
  unsigned int sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
  if (magnitude > 0x7c00u) return float_of_bits(0x7fffffffu);
  if (magnitude == 0x7c00u) return float_of_bits(sign | 0x7f800000u);
  if (magnitude >= 0x400u) return float_of_bits(sign | ((magnitude << 13) + 0x38000000u));
  float step = 1.0f / (1 << 24);
  return static_cast<float>(magnitude) * (sign ? -step : step);
}

}  // namespace __hip_detail

struct __half;
__half __float2half(float);
float __half2float(__half);

struct __half {
 protected:
  unsigned short __x;

 public:
  __half() = default;
  __half(const __half&) = default;
  __half(__half&&) = default;
  ~__half() = default;
  __half& operator=(const __half&) = default;
  __half& operator=(__half&&) = default;

  __half(const __half_raw& raw) : __x{raw.x} {}
  __half& operator=(const __half_raw& raw) {
    __x = raw.x;
    return *this;
  }
#if !defined(__HIP_NO_HALF_CONVERSIONS__)
  __half(float value) : __x{__float2half(value).__x} {}
  __half(double value) : __half(static_cast<float>(value)) {}
  __half& operator=(float value) {
    return *this = __half(value);
  }
  __half& operator=(double value) {
    return *this = __half(value);
  }
#endif
  operator float() const {
    return __half2float(*this);
  }
  operator __half_raw() const {
    return __half_raw{__x};
  }
};

struct __half2 {
  __half x;
  __half y;

  __half2() = default;
  __half2(const __half2&) = default;
  __half2(__half2&&) = default;
  ~__half2() = default;
  __half2& operator=(const __half2&) = default;
  __half2& operator=(__half2&&) = default;

  __half2(const __half2_raw& raw) : x{__half_raw{raw.x}}, y{__half_raw{raw.y}} {}
  __half2(const __half& low, const __half& high) : x{low}, y{high} {}
  __half2& operator=(const __half2_raw& raw) { return *this = __half2(raw); }
  operator __half2_raw() const {
    return __half2_raw{static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x};
  }
};

// Rounds `value` away from zero where `away` says so of what truncation left over.
#define __hw_half_rounding(name, away)                                                   \
  inline __half name(float value) {                                                      \
    unsigned int all = __hip_detail::float_bits(value);                                  \
    __hip_detail::half_magnitude part = __hip_detail::half_truncated(all & 0x7fffffffu); \
    bool negative = all >> 31 != 0, odd = part.bits & 1;                                 \
    (void)negative, (void)odd;                                                           \
    unsigned int bits = part.bits + ((away) ? 1 : 0);                                    \
    if (bits <= 0x7c00u && negative) bits |= 0x8000u; /* NaN has no sign here */         \
    return __half_raw{static_cast<unsigned short>(bits)};                                \
  }

__hw_half_rounding(__float2half, part.rest > 2 || (part.rest == 2 && odd));
__hw_half_rounding(__float2half_rz, false);
__hw_half_rounding(__float2half_rd, part.rest != 0 && negative);
__hw_half_rounding(__float2half_ru, part.rest != 0 && !negative);

#undef __hw_half_rounding

inline __half __float2half_rn(float value) {
  return __float2half(value);
}
inline __half2 __float2half2_rn(float value) {
  return __half2{__float2half(value), __float2half(value)};
}
inline __half2 __floats2half2_rn(float low, float high) {
  return __half2{__float2half(low), __float2half(high)};
}

inline float __half2float(__half value) {
  return __hip_detail::float_of_half(static_cast<__half_raw>(value).x);
}
inline float __low2float(__half2 value) {
  return __half2float(value.x);
}
inline float __high2float(__half2 value) {
  return __half2float(value.y);
}

#if !defined(HIP_NO_HALF)
using half = __half;
using half2 = __half2;
#endif

#endif
