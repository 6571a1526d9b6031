// SPDX-License-Identifier: MIT
// hip_bfloat16: an ordinary number in HIP code, only its 16 bits in C and for other compilers.
#pragma once
#define _HIP_INCLUDE_HIP_AMD_DETAIL_HIP_BFLOAT16_H_

#include <hip/amd_detail/host_defines.h>

#if defined(__HIPCC_RTC__)
#define __HOST_DEVICE__ __device__
#else
#define __HOST_DEVICE__ __host__ __device__
#endif

#if !defined(__cplusplus) || !defined(__HIPCC__)

#include <stdint.h>

typedef struct {
  uint16_t data;
} hip_bfloat16;

#else

#include <hip/hip_runtime.h>
#if !defined(__HIPCC_RTC__)
#include <cstddef>
#include <ostream>
#endif

struct hip_bfloat16 {
  __hip_uint16_t data;

  enum truncate_t { truncate };

  __HOST_DEVICE__ hip_bfloat16() = default;
  explicit __HOST_DEVICE__ hip_bfloat16(float value) : data(float_to_bfloat16(value)) {}
  explicit __HOST_DEVICE__ hip_bfloat16(float value, truncate_t)
      : data(truncate_float_to_bfloat16(value)) {}
  __HOST_DEVICE__ hip_bfloat16& operator=(const float& value) {
    data = float_to_bfloat16(value);
    return *this;
  }
  __HOST_DEVICE__ operator float() const {
    return __builtin_bit_cast(float, static_cast<unsigned int>(data) << 16);
  }

  static __HOST_DEVICE__ hip_bfloat16 round_to_bfloat16(float value) { return hip_bfloat16(value); }
  static __HOST_DEVICE__ hip_bfloat16 round_to_bfloat16(float value, truncate_t) {
    return hip_bfloat16(value, truncate);
  }

 private:
  // To nearest, ties to even.
  static __HOST_DEVICE__ __hip_uint16_t float_to_bfloat16(float value) {
    if (value != value) return truncate_float_to_bfloat16(value);
    unsigned int bits = __builtin_bit_cast(unsigned int, value);
    return static_cast<__hip_uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  // A NaN whose payload is in the dropped bits alone must not become an infinity.
  static __HOST_DEVICE__ __hip_uint16_t truncate_float_to_bfloat16(float value) {
    unsigned int bits = __builtin_bit_cast(unsigned int, value);
    bool lost_payload = value != value && (bits & 0xffff) != 0;
    return static_cast<__hip_uint16_t>(bits >> 16 | lost_payload);
  }
};

typedef struct {
  __hip_uint16_t data;
} hip_bfloat16_public;

static_assert(__hip_internal::is_standard_layout<hip_bfloat16>::value &&
                  __hip_internal::is_trivial<hip_bfloat16>::value,
              "C code must be able to use hip_bfloat16");
#if !defined(__HIPCC_RTC__)
static_assert(sizeof(hip_bfloat16) == sizeof(hip_bfloat16_public) &&
                  offsetof(hip_bfloat16, data) == offsetof(hip_bfloat16_public, data),
              "C code sees hip_bfloat16 as hip_bfloat16_public");

inline std::ostream& operator<<(std::ostream& out, const hip_bfloat16& value) {
  return out << static_cast<float>(value);
}
#endif

#define __hw_arithmetic(op)                                                              \
  inline __HOST_DEVICE__ hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {      \
    return hip_bfloat16(static_cast<float>(a) op static_cast<float>(b));                 \
  }                                                                                      \
  inline __HOST_DEVICE__ hip_bfloat16& operator op##=(hip_bfloat16& a, hip_bfloat16 b) { \
    return a = a op b;                                                                   \
  }
__hw_arithmetic(+);
__hw_arithmetic(-);
__hw_arithmetic(*);
__hw_arithmetic(/);
#undef __hw_arithmetic

inline __HOST_DEVICE__ hip_bfloat16 operator+(hip_bfloat16 a) {
  return a;
}
inline __HOST_DEVICE__ hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}

#define __hw_step(op, step)                                               \
  inline __HOST_DEVICE__ hip_bfloat16& operator op(hip_bfloat16& a) {     \
    return a step hip_bfloat16(1.0f);                                     \
  }                                                                       \
  inline __HOST_DEVICE__ hip_bfloat16 operator op(hip_bfloat16& a, int) { \
    hip_bfloat16 old = a;                                                 \
    op a;                                                                 \
    return old;                                                           \
  }
__hw_step(++, +=);
__hw_step(--, -=);
#undef __hw_step

inline __HOST_DEVICE__ bool operator==(hip_bfloat16 a, hip_bfloat16 b) {
  return static_cast<float>(a) == static_cast<float>(b);
}
inline __HOST_DEVICE__ bool operator<(hip_bfloat16 a, hip_bfloat16 b) {
  return static_cast<float>(a) < static_cast<float>(b);
}
inline __HOST_DEVICE__ bool operator>(hip_bfloat16 a, hip_bfloat16 b) {
  return b < a;
}
// In ROCm <= and >= are the negations of > and <, so with a NaN they are true.
inline __HOST_DEVICE__ bool operator!=(hip_bfloat16 a, hip_bfloat16 b) {
  return !(a == b);
}
inline __HOST_DEVICE__ bool operator<=(hip_bfloat16 a, hip_bfloat16 b) {
  return !(a > b);
}
inline __HOST_DEVICE__ bool operator>=(hip_bfloat16 a, hip_bfloat16 b) {
  return !(a < b);
}

namespace std {
constexpr __HOST_DEVICE__ bool isinf(hip_bfloat16 a) {
  return (a.data & 0x7fff) == 0x7f80;
}
constexpr __HOST_DEVICE__ bool isnan(hip_bfloat16 a) {
  return (a.data & 0x7fff) > 0x7f80;
}
constexpr __HOST_DEVICE__ bool iszero(hip_bfloat16 a) {
  return (a.data & 0x7fff) == 0;
}
}  // namespace std

#endif
