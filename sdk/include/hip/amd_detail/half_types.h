// SPDX-License-Identifier: MIT
// The structs of fp16, over clang's _Float16. Part of amd_hip_fp16.h.
//
// __HIP_NO_HALF_CONVERSIONS__ removes the implicit conversions from and to the built-in types, and
// __HIP_NO_HALF_OPERATORS__ the operators, as CUDA's macros of that name do.
#pragma once

#include <hip/amd_detail/host_defines.h>
#if !defined(__HIPCC_RTC__)
#include <type_traits>
#endif

typedef _Float16 _Float16_2 __attribute__((ext_vector_type(2)));

struct __half_raw {
  union {
    _Float16 data;
    unsigned short x;
  };
};

struct __half2_raw {
  union {
    struct {
      __half_raw x;
      __half_raw y;
    };
    _Float16_2 data;
  };
};

static_assert(sizeof(__half_raw) == 2 && sizeof(__half2_raw) == 4, "a half has 16 bits");

// libstdc++ knows _Float16 by itself only where the compiler calls it std::float16_t.
#if !defined(__HIPCC_RTC__) && !defined(__STDCPP_FLOAT16_T__)
template <>
struct std::is_floating_point<_Float16> : std::true_type {};
#endif

template <bool cond, typename T = void>
using Enable_if_t = typename __hip_internal::enable_if<cond, T>::type;

namespace __hip_detail {
template <typename T>
struct is_half_float
    : __hip_internal::bool_constant<__is_same(T, float) || __is_same(T, double) ||
                                    __is_same(T, long double) || __is_same(T, _Float16)> {};
template <typename T>
struct is_half_scalar : __hip_internal::bool_constant<is_half_float<T>::value || __is_integral(T)> {
};
}  // namespace __hip_detail

// Generates `T op T` and `T op= T` inside struct T.
#define __hw_half_operator(T, op)                                              \
  __HOST_DEVICE__ T& operator op##=(const T& other) {                          \
    data = data op other.data;                                                 \
    return *this;                                                              \
  }                                                                            \
  friend inline __HOST_DEVICE__ T operator op(const T& left, const T& right) { \
    return T{left}.operator op##=(right);                                      \
  }

struct __half {
 protected:
  union {
    _Float16 data;
    unsigned short __x;
  };

 public:
  __half() = default;
  __half(const __half&) = default;
  __half(__half&&) = default;
  ~__half() = default;
  __half& operator=(const __half&) = default;
  __half& operator=(__half&&) = default;

  __HOST_DEVICE__ __half(const __half_raw& raw) : data{raw.data} {}
  __HOST_DEVICE__ operator __half_raw() const { return __half_raw{data}; }
  __HOST_DEVICE__ operator __half_raw() const volatile { return __half_raw{data}; }

  __HOST_DEVICE__ __half& operator=(const __half_raw& raw) {
    data = raw.data;
    return *this;
  }
  __HOST_DEVICE__ volatile __half& operator=(const __half_raw& raw) volatile {
    data = raw.data;
    return *this;
  }
  // In ROCm the next four can be called from host code only.
  volatile __half& operator=(const volatile __half_raw& raw) volatile {
    data = raw.data;
    return *this;
  }
  __half& operator=(__half_raw&& raw) {
    data = raw.data;
    return *this;
  }
  volatile __half& operator=(__half_raw&& raw) volatile {
    data = raw.data;
    return *this;
  }
  volatile __half& operator=(volatile __half_raw&& raw) volatile {
    data = raw.data;
    return *this;
  }

#if !defined(__HIP_NO_HALF_CONVERSIONS__)
  __HOST_DEVICE__ __half(decltype(data) value) : data{value} {}
  template <typename T, Enable_if_t<__hip_detail::is_half_scalar<T>::value>* = nullptr>
  __HOST_DEVICE__ __half(T value) : data{static_cast<_Float16>(value)} {}
  template <typename T, Enable_if_t<__hip_detail::is_half_scalar<T>::value>* = nullptr>
  __HOST_DEVICE__ operator T() const {
    return static_cast<T>(data);
  }

  template <typename T, Enable_if_t<__hip_detail::is_half_float<T>::value>* = nullptr>
  __HOST_DEVICE__ __half& operator=(T value) {
    data = static_cast<_Float16>(value);
    return *this;
  }
  template <typename T, Enable_if_t<__is_integral(T)>* = nullptr>
  __device__ __half& operator=(T value) {
    data = static_cast<_Float16>(value);
    return *this;
  }
#endif

#if !defined(__HIP_NO_HALF_OPERATORS__)
  __hw_half_operator(__half, +);
  __hw_half_operator(__half, -);
  __hw_half_operator(__half, *);
  __hw_half_operator(__half, /);

  __HOST_DEVICE__ __half operator+() const {
    return *this;
  }
  __HOST_DEVICE__ __half operator-() const {
    return __half_raw{-data};
  }
  __HOST_DEVICE__ __half& operator++() {
    ++data;
    return *this;
  }
  __HOST_DEVICE__ __half operator++(int) {
    __half old{*this};
    ++data;
    return old;
  }
  __HOST_DEVICE__ __half& operator--() {
    --data;
    return *this;
  }
  __HOST_DEVICE__ __half operator--(int) {
    __half old{*this};
    --data;
    return old;
  }

  // In ROCm <= and >= are the negations of > and <, so with a NaN they are true.
  friend inline __HOST_DEVICE__ bool operator==(const __half& left, const __half& right) {
    return left.data == right.data;
  }
  friend inline __HOST_DEVICE__ bool operator!=(const __half& left, const __half& right) {
    return left.data != right.data;
  }
  friend inline __HOST_DEVICE__ bool operator<(const __half& left, const __half& right) {
    return left.data < right.data;
  }
  friend inline __HOST_DEVICE__ bool operator>(const __half& left, const __half& right) {
    return left.data > right.data;
  }
  friend inline __HOST_DEVICE__ bool operator<=(const __half& left, const __half& right) {
    return !(left.data > right.data);
  }
  friend inline __HOST_DEVICE__ bool operator>=(const __half& left, const __half& right) {
    return !(left.data < right.data);
  }
#endif
};

struct __half2 {
  union {
    struct {
      __half x;
      __half y;
    };
    _Float16_2 data;
  };

  __half2() = default;
  __half2(const __half2&) = default;
  __half2(__half2&&) = default;
  ~__half2() = default;
  __half2& operator=(const __half2&) = default;
  __half2& operator=(__half2&&) = default;

  __HOST_DEVICE__ __half2(const __half2_raw& raw) : data{raw.data} {}
  __HOST_DEVICE__ __half2(decltype(data) both) : data{both} {}
  __HOST_DEVICE__ __half2(const __half& low, const __half& high)
      : data{static_cast<__half_raw>(low).data, static_cast<__half_raw>(high).data} {}
  __HOST_DEVICE__ __half2& operator=(const __half2_raw& raw) {
    data = raw.data;
    return *this;
  }
  __HOST_DEVICE__ operator decltype(data)() const { return data; }
  __HOST_DEVICE__ operator __half2_raw() const {
    __half2_raw raw;
    raw.data = data;
    return raw;
  }

#if !defined(__HIP_NO_HALF_OPERATORS__)
  __hw_half_operator(__half2, +);
  __hw_half_operator(__half2, -);
  __hw_half_operator(__half2, *);
  __hw_half_operator(__half2, /);

  __HOST_DEVICE__ __half2 operator+() const {
    return *this;
  }
  __HOST_DEVICE__ __half2 operator-() const {
    return __half2{-data};
  }
  __HOST_DEVICE__ __half2& operator++() {
    return *this += _Float16_2{1, 1};
  }
  __HOST_DEVICE__ __half2 operator++(int) {
    __half2 old{*this};
    ++*this;
    return old;
  }
  __HOST_DEVICE__ __half2& operator--() {
    return *this -= _Float16_2{1, 1};
  }
  __HOST_DEVICE__ __half2 operator--(int) {
    __half2 old{*this};
    --*this;
    return old;
  }

  // == and < hold when they hold in both lanes; the others are made of these two, as in ROCm, so
  // that a <= b already holds when one lane of b is not less than a's.
  friend inline __HOST_DEVICE__ bool operator==(const __half2& left, const __half2& right) {
    return left.data.x == right.data.x && left.data.y == right.data.y;
  }
  friend inline __HOST_DEVICE__ bool operator!=(const __half2& left, const __half2& right) {
    return !(left == right);
  }
  friend inline __HOST_DEVICE__ bool operator<(const __half2& left, const __half2& right) {
    return left.data.x < right.data.x && left.data.y < right.data.y;
  }
  friend inline __HOST_DEVICE__ bool operator>(const __half2& left, const __half2& right) {
    return right < left;
  }
  friend inline __HOST_DEVICE__ bool operator<=(const __half2& left, const __half2& right) {
    return !(right < left);
  }
  friend inline __HOST_DEVICE__ bool operator>=(const __half2& left, const __half2& right) {
    return !(left < right);
  }
#endif
};

#undef __hw_half_operator

#if !defined(HIP_NO_HALF)
using half = __half;
using half2 = __half2;
#endif
