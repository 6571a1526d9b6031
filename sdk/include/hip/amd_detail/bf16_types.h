// SPDX-License-Identifier: MIT
// The structs of bf16. Part of amd_hip_bf16.h.
#pragma once

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/host_defines.h>

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __hip_bfloat16_raw;

typedef struct __attribute__((aligned(4))) {
  unsigned short x;
  unsigned short y;
} __hip_bfloat162_raw;

#if __HW_ROCM >= 700
typedef __bf16 __bf16_2 __attribute__((ext_vector_type(2)));
#endif

static_assert(sizeof(__hip_bfloat16_raw) == 2 && sizeof(__hip_bfloat162_raw) == 4,
              "a bfloat16 has 16 bits");

namespace __hip_detail {

__BF16_HOST_DEVICE__ inline float bf16_to_float(unsigned short bits) {
  return __builtin_bit_cast(float, static_cast<unsigned int>(bits) << 16);
}

// To nearest, ties to even. The device uses the compiler's type, which is one instruction on
// gfx950; the host does not, because the conversion would be a call into a library that may lack
// it.
__BF16_HOST_DEVICE__ inline unsigned short bf16_of_float(float value) {
#if __HIP_DEVICE_COMPILE__
  return __builtin_bit_cast(unsigned short, static_cast<__bf16>(value));
#else
  unsigned int bits = __builtin_bit_cast(unsigned int, value);
  unsigned int upper = bits >> 16, lower = bits & 0xffff;
  if (__builtin_isnan(value)) {
    // The payload may be in the lower bits alone, and what is left would be an infinity.
    return static_cast<unsigned short>(upper | (lower != 0));
  }
  return static_cast<unsigned short>((bits + 0x7fff + (upper & 1)) >> 16);
#endif
}

__BF16_HOST_DEVICE__ inline unsigned short bf16_of_double(double value) {
#if __HIP_DEVICE_COMPILE__
  return __builtin_bit_cast(unsigned short, static_cast<__bf16>(value));
#else
  // By way of a float that is rounded to odd, so that the second rounding sees that there was a
  // rest.
  float nearest = static_cast<float>(value);
  unsigned int bits = __builtin_bit_cast(unsigned int, nearest);
  double reached = nearest;
  if (reached != value && !__builtin_isnan(value)) {
    bits -= __builtin_fabs(reached) > __builtin_fabs(value);
    bits |= 1;
  }
  return bf16_of_float(__builtin_bit_cast(float, bits));
#endif
}

}  // namespace __hip_detail

struct __attribute__((aligned(2))) __hip_bfloat16 {
 protected:
#if __HW_ROCM < 700
  unsigned short __x;
#else
  union {
    unsigned short __x;
    __bf16 __x_bf16;
  };
#endif

 public:
  __BF16_HOST_DEVICE__ __hip_bfloat16() = default;

  __BF16_HOST_DEVICE__ __hip_bfloat16(const __hip_bfloat16_raw& raw) : __x(raw.x) {}
  __BF16_HOST_DEVICE__ operator __hip_bfloat16_raw() const {
    return __hip_bfloat16_raw{__x};
  }
  __BF16_HOST_DEVICE__ operator __hip_bfloat16_raw() const volatile {
    return __hip_bfloat16_raw{__x};
  }
  __BF16_HOST_DEVICE__ __hip_bfloat16& operator=(const __hip_bfloat16_raw& raw) {
    __x = raw.x;
    return *this;
  }
  __BF16_HOST_DEVICE__ volatile __hip_bfloat16& operator=(const __hip_bfloat16_raw& raw) volatile {
    __x = raw.x;
    return *this;
  }
  __BF16_HOST_DEVICE__ volatile __hip_bfloat16& operator=(
      const volatile __hip_bfloat16_raw& raw) volatile {
    __x = raw.x;
    return *this;
  }

#define __hw_bf16_from(T, convert)                                            \
  __BF16_HOST_DEVICE__ __hip_bfloat16(const T value) : __x(convert(value)) {} \
  __BF16_HOST_DEVICE__ __hip_bfloat16& operator=(const T value) {             \
    __x = convert(value);                                                     \
    return *this;                                                             \
  }
  __hw_bf16_from(unsigned int, __hip_detail::bf16_of_double);
  __hw_bf16_from(int, __hip_detail::bf16_of_double);
  __hw_bf16_from(unsigned short, __hip_detail::bf16_of_float);
  __hw_bf16_from(short, __hip_detail::bf16_of_float);
  __hw_bf16_from(double, __hip_detail::bf16_of_double);
  __hw_bf16_from(float, __hip_detail::bf16_of_float);
#undef __hw_bf16_from

#if __HW_ROCM >= 700
  __BF16_HOST_DEVICE__ __hip_bfloat16(const __bf16 value) : __x_bf16(value) {}
  __BF16_HOST_DEVICE__ operator __bf16() const {
    return __x_bf16;
  }
#endif

  __BF16_HOST_DEVICE__ operator float() const {
    return __hip_detail::bf16_to_float(__x);
  }
  __BF16_HOST_DEVICE__ operator bool() const {
    return (__x & 0x7fff) != 0;
  }

  // To the other types by way of float; there is none to double.
#define __hw_bf16_to(T)                               \
  __BF16_HOST_DEVICE__ operator T() const {           \
    return static_cast<T>(static_cast<float>(*this)); \
  }
  __hw_bf16_to(char);
  __hw_bf16_to(signed char);
  __hw_bf16_to(unsigned char);
  __hw_bf16_to(short);
  __hw_bf16_to(unsigned short);
  __hw_bf16_to(int);
  __hw_bf16_to(unsigned int);
  __hw_bf16_to(long);
  __hw_bf16_to(unsigned long);
  __hw_bf16_to(long long);
  __hw_bf16_to(unsigned long long);
#undef __hw_bf16_to
};

struct __attribute__((aligned(4))) __hip_bfloat162 {
#if __HW_ROCM < 700
  __hip_bfloat16 x;
  __hip_bfloat16 y;
#else
  union {
    struct {
      __hip_bfloat16 x;
      __hip_bfloat16 y;
    };
    __bf16_2 __xy_bf162;
  };

  __BF16_HOST_DEVICE__ __hip_bfloat162(const __bf16_2 pair) : __xy_bf162(pair) {}
  __BF16_HOST_DEVICE__ operator __bf16_2() const {
    return __xy_bf162;
  }
  __BF16_HOST_DEVICE__ __hip_bfloat162& operator=(const __bf16_2 pair) {
    __xy_bf162 = pair;
    return *this;
  }
#endif

  __BF16_HOST_DEVICE__ __hip_bfloat162() = default;
  // As in ROCm the copies are written out, so the type is not trivially copyable.
  __BF16_HOST_DEVICE__ __hip_bfloat162(const __hip_bfloat162& other) : x(other.x), y(other.y) {}
  __BF16_HOST_DEVICE__ __hip_bfloat162& operator=(const __hip_bfloat162& other) {
    x = other.x;
    y = other.y;
    return *this;
  }

  __BF16_HOST_DEVICE__ __hip_bfloat162(const __hip_bfloat16& low, const __hip_bfloat16& high)
      : x(low), y(high) {}
  __BF16_HOST_DEVICE__ __hip_bfloat162(const __hip_bfloat162_raw& raw)
      : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}
  __BF16_HOST_DEVICE__ __hip_bfloat162& operator=(const __hip_bfloat162_raw& raw) {
    x = __hip_bfloat16_raw{raw.x};
    y = __hip_bfloat16_raw{raw.y};
    return *this;
  }
  __BF16_HOST_DEVICE__ operator __hip_bfloat162_raw() const {
    return __hip_bfloat162_raw{static_cast<__hip_bfloat16_raw>(x).x,
                               static_cast<__hip_bfloat16_raw>(y).x};
  }
  __BF16_HOST_DEVICE__ operator float2() const {
    return float2{static_cast<float>(x), static_cast<float>(y)};
  }
};
