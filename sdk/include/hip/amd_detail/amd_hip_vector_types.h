// SPDX-License-Identifier: MIT
// The small vector types: char1 to double4 and make_char1 to make_double4.
//
// In C++ they are HIP_vector_type<T, N>, one struct for clang and for other host compilers, so that
// both sides of a program agree on layout: 2 and 4 elements are aligned to their size, 1 and 3 to
// one element. In C they are plain structs with the alignment of one element, as in ROCm.
#pragma once

#include <hip/amd_detail/host_defines.h>
#include <hip/amd_detail/level.h>

#if defined(__HIPCC_RTC__)
#define __HOST_DEVICE__ __device__
#else
#define __HOST_DEVICE__ __host__ __device__
#endif

#if __has_attribute(ext_vector_type)
#define __HIP_USE_NATIVE_VECTOR__ 1
#define __NATIVE_VECTOR__(n, T) T __attribute__((ext_vector_type(n)))
#else
#define __NATIVE_VECTOR__(n, T) T[n]
#endif

#if defined(__cplusplus)

#if defined(__HIPCC_RTC__)
#include <hip/amd_detail/rtc_std.h>
#else
#include <array>
#include <iosfwd>
#include <type_traits>
#endif

namespace __hip_detail {

// A native vector of three would occupy four elements, so this one is an array with operators.
template <typename T>
struct vector_of_three {
  using Vec3_cmp = int __attribute__((vector_size(4 * sizeof(int))));

  T d[3];

  vector_of_three() = default;
  __HOST_DEVICE__ explicit constexpr vector_of_three(T a) noexcept : d{a, a, a} {}
  __HOST_DEVICE__ constexpr vector_of_three(T a, T b, T c) noexcept : d{a, b, c} {}

  __HOST_DEVICE__ T& operator[](unsigned int i) noexcept { return d[i]; }
  __HOST_DEVICE__ T operator[](unsigned int i) const noexcept { return d[i]; }

#define __hw_vec3_assign(op)                                                        \
  __HOST_DEVICE__ vector_of_three& operator op(const vector_of_three& o) noexcept { \
    d[0] op o.d[0];                                                                 \
    d[1] op o.d[1];                                                                 \
    d[2] op o.d[2];                                                                 \
    return *this;                                                                   \
  }
#define __hw_vec3_assign_integral(op)                                                             \
  template <typename U = T, typename std::enable_if<std::is_integral<U>::value>::type* = nullptr> \
  __hw_vec3_assign(op)

  __hw_vec3_assign(+=);
  __hw_vec3_assign(-=);
  __hw_vec3_assign(*=);
  __hw_vec3_assign(/=);
  __hw_vec3_assign_integral(%=);
  __hw_vec3_assign_integral(^=);
  __hw_vec3_assign_integral(|=);
  __hw_vec3_assign_integral(&=);
  __hw_vec3_assign_integral(>>=);
  __hw_vec3_assign_integral(<<=);

#undef __hw_vec3_assign_integral
#undef __hw_vec3_assign

  template <typename U = T, typename std::enable_if<std::is_signed<U>::value>::type* = nullptr>
  __HOST_DEVICE__ vector_of_three operator-() const noexcept {
    return {static_cast<T>(-d[0]), static_cast<T>(-d[1]), static_cast<T>(-d[2])};
  }
  template <typename U = T, typename std::enable_if<std::is_integral<U>::value>::type* = nullptr>
  __HOST_DEVICE__ vector_of_three operator~() const noexcept {
    return {static_cast<T>(~d[0]), static_cast<T>(~d[1]), static_cast<T>(~d[2])};
  }
  __HOST_DEVICE__ Vec3_cmp operator==(const vector_of_three& o) const noexcept {
    return Vec3_cmp{d[0] == o.d[0], d[1] == o.d[1], d[2] == o.d[2]};
  }
};

}  // namespace __hip_detail

template <typename T, unsigned int n>
struct HIP_vector_base;

#if __HW_ROCM < 700

// A native vector brings its own alignment; an array needs to be told.
#if __HIP_USE_NATIVE_VECTOR__
#define __hw_align_as(bytes)
#else
#define __hw_align_as(bytes) alignas(bytes)
#endif

template <typename T>
struct HIP_vector_base<T, 1> {
  using Native_vec_ = __NATIVE_VECTOR__(1, T);
  using value_type = T;

  union {
    Native_vec_ data;
    struct {
      T x;
    };
  };

  HIP_vector_base() = default;
  __HOST_DEVICE__ explicit constexpr HIP_vector_base(T a) noexcept : data{a} {}
};

template <typename T>
struct HIP_vector_base<T, 2> {
  using Native_vec_ = __NATIVE_VECTOR__(2, T);
  using value_type = T;

  union __hw_align_as(2 * sizeof(T)) {
    Native_vec_ data;
    struct {
      T x;
      T y;
    };
  };

  HIP_vector_base() = default;
  __HOST_DEVICE__ explicit constexpr HIP_vector_base(T a) noexcept : data{a, a} {}
  __HOST_DEVICE__ constexpr HIP_vector_base(T a, T b) noexcept : data{a, b} {}
};

template <typename T>
struct HIP_vector_base<T, 3> {
  using Native_vec_ = __hip_detail::vector_of_three<T>;
  using value_type = T;

  union {
    Native_vec_ data;
    struct {
      T x;
      T y;
      T z;
    };
  };

  HIP_vector_base() = default;
  __HOST_DEVICE__ explicit constexpr HIP_vector_base(T a) noexcept : data{a, a, a} {}
  __HOST_DEVICE__ constexpr HIP_vector_base(T a, T b, T c) noexcept : data{a, b, c} {}
};

template <typename T>
struct HIP_vector_base<T, 4> {
  using Native_vec_ = __NATIVE_VECTOR__(4, T);
  using value_type = T;

  union __hw_align_as(4 * sizeof(T)) {
    Native_vec_ data;
    struct {
      T x;
      T y;
      T z;
      T w;
    };
  };

  HIP_vector_base() = default;
  __HOST_DEVICE__ explicit constexpr HIP_vector_base(T a) noexcept : data{a, a, a, a} {}
  __HOST_DEVICE__ constexpr HIP_vector_base(T a, T b, T c, T d) noexcept : data{a, b, c, d} {}
};

#undef __hw_align_as

// One value fills all elements.
#define __hw_fill(v) HIP_vector_type<T, rank>(v)
#define __hw_native(v) (v).data

#else

// Since ROCm 7.0 the elements are members and there is no `data`; elements that an initialiser
// omits are 0.

template <typename T>
struct HIP_vector_base<T, 1> {
  using Native_vec_ = __NATIVE_VECTOR__(1, T);
  using value_type = T;

  T x;

  HIP_vector_base() = default;
  __HOST_DEVICE__ explicit constexpr HIP_vector_base(T a) : x(a) {}
};

template <typename T>
struct alignas(2 * sizeof(T)) HIP_vector_base<T, 2> {
  using Native_vec_ = __NATIVE_VECTOR__(2, T);
  using value_type = T;

  T x, y;

  HIP_vector_base() = default;
  __HOST_DEVICE__ constexpr HIP_vector_base(T a, T b = T()) : x(a), y(b) {}
};

template <typename T>
struct HIP_vector_base<T, 3> {
  using Native_vec_ = __hip_detail::vector_of_three<T>;
  using value_type = T;

  T x, y, z;

  HIP_vector_base() = default;
  __HOST_DEVICE__ constexpr HIP_vector_base(T a, T b = T(), T c = T()) : x(a), y(b), z(c) {}
};

template <typename T>
struct alignas(4 * sizeof(T)) HIP_vector_base<T, 4> {
  using Native_vec_ = __NATIVE_VECTOR__(4, T);
  using value_type = T;

  T x, y, z, w;

  HIP_vector_base() = default;
  __HOST_DEVICE__ constexpr HIP_vector_base(T a, T b = T(), T c = T(), T d = T())
      : x(a), y(b), z(c), w(d) {}
};

template <typename T, unsigned int n>
__HOST_DEVICE__ __attribute__((always_inline)) typename HIP_vector_base<T, n>::Native_vec_&
get_native_vector(HIP_vector_base<T, n>& base_vec) {
  return reinterpret_cast<typename HIP_vector_base<T, n>::Native_vec_&>(base_vec);
}
template <typename T, unsigned int n>
__HOST_DEVICE__ __attribute__((always_inline)) const typename HIP_vector_base<T, n>::Native_vec_&
get_native_vector(const HIP_vector_base<T, n>& base_vec) {
  return reinterpret_cast<const typename HIP_vector_base<T, n>::Native_vec_&>(base_vec);
}

template <typename T, unsigned int rank>
struct HIP_vector_type;

// All elements the same.
template <typename T, unsigned int rank>
__HOST_DEVICE__ constexpr HIP_vector_type<T, rank> make_vector_type(T val);

#define __hw_fill(v) make_vector_type<T, rank>(static_cast<T>(v))
#define __hw_native(v) get_native_vector(v)

#endif

template <typename T, unsigned int rank>
struct HIP_vector_type : public HIP_vector_base<T, rank> {
#if __HW_ROCM < 700
  using HIP_vector_base<T, rank>::data;
#endif
  using typename HIP_vector_base<T, rank>::Native_vec_;

  HIP_vector_type() = default;

  // One value, and only when asked for by name: for all elements up to ROCm 6.4, for x since 7.0.
  template <typename U, typename std::enable_if<std::is_convertible<U, T>::value>::type* = nullptr>
  __HOST_DEVICE__ explicit constexpr HIP_vector_type(U v) noexcept
      : HIP_vector_base<T, rank>(static_cast<T>(v)) {}

  template <typename... Us,
            typename std::enable_if<(rank > 1) && sizeof...(Us) == rank>::type* = nullptr>
  __HOST_DEVICE__ constexpr HIP_vector_type(Us... vs) noexcept
      : HIP_vector_base<T, rank>(static_cast<T>(vs)...) {}

#if __HIP_USE_NATIVE_VECTOR__
#define __hw_for_each_element(op) __hw_native(*this) op __hw_native(o)
#else
#define __hw_for_each_element(op) \
  for (unsigned int i = 0; i != rank; ++i) __hw_native(*this)[i] op __hw_native(o)[i]
#endif
#define __hw_vec_assign(op)                                                         \
  __HOST_DEVICE__ HIP_vector_type& operator op(const HIP_vector_type& o) noexcept { \
    __hw_for_each_element(op);                                                      \
    return *this;                                                                   \
  }
#define __hw_vec_assign_scalar(op)                                                      \
  template <typename U,                                                                 \
            typename std::enable_if<std::is_convertible<U, T>::value>::type* = nullptr> \
  __HOST_DEVICE__ HIP_vector_type& operator op(U v) noexcept {                          \
    return *this op __hw_fill(v);                                                       \
  }
#define __hw_vec_assign_integral(op)                                                              \
  template <typename U = T, typename std::enable_if<std::is_integral<U>::value>::type* = nullptr> \
  __hw_vec_assign(op)

  __hw_vec_assign(+=);
  __hw_vec_assign_scalar(+=);
  __hw_vec_assign(-=);
  __hw_vec_assign_scalar(-=);
  __hw_vec_assign(*=);
  __hw_vec_assign_scalar(*=);
  __hw_vec_assign(/=);
  __hw_vec_assign_scalar(/=);
  __hw_vec_assign_integral(%=);
  __hw_vec_assign_integral(^=);
  __hw_vec_assign_integral(|=);
  __hw_vec_assign_integral(&=);
  __hw_vec_assign_integral(>>=);
  __hw_vec_assign_integral(<<=);

#undef __hw_vec_assign_integral
#undef __hw_vec_assign_scalar
#undef __hw_vec_assign
#undef __hw_for_each_element

#if __HW_ROCM >= 700
  __HOST_DEVICE__ T& operator[](__SIZE_TYPE__ i) noexcept {
    return reinterpret_cast<T*>(this)[i];
  }
  __HOST_DEVICE__ const T& operator[](__SIZE_TYPE__ i) const noexcept {
    return reinterpret_cast<const T*>(this)[i];
  }
#endif

  __HOST_DEVICE__ HIP_vector_type& operator++() noexcept {
    return *this += __hw_fill(1);
  }
  __HOST_DEVICE__ HIP_vector_type operator++(int) noexcept {
    HIP_vector_type before(*this);
    ++*this;
    return before;
  }
  __HOST_DEVICE__ HIP_vector_type& operator--() noexcept {
    return *this -= __hw_fill(1);
  }
  __HOST_DEVICE__ HIP_vector_type operator--(int) noexcept {
    HIP_vector_type before(*this);
    --*this;
    return before;
  }

  template <typename U = T, typename std::enable_if<std::is_signed<U>::value>::type* = nullptr>
  __HOST_DEVICE__ HIP_vector_type operator-() const noexcept {
    HIP_vector_type r(*this);
    for (unsigned int i = 0; i != rank; ++i) __hw_native(r)[i] = static_cast<T>(-__hw_native(r)[i]);
    return r;
  }
  template <typename U = T, typename std::enable_if<std::is_integral<U>::value>::type* = nullptr>
  __HOST_DEVICE__ HIP_vector_type operator~() const noexcept {
    HIP_vector_type r(*this);
    for (unsigned int i = 0; i != rank; ++i) __hw_native(r)[i] = static_cast<T>(~__hw_native(r)[i]);
    return r;
  }

  // * and / are plain functions and not templates, unlike + and -: a second operator*(float2,
  // float2) in user code is ambiguous, with ROCm and here.
  friend __HOST_DEVICE__ constexpr HIP_vector_type operator*(HIP_vector_type a,
                                                             const HIP_vector_type& b) noexcept {
    return HIP_vector_type(a) *= b;
  }
  friend __HOST_DEVICE__ constexpr HIP_vector_type operator/(HIP_vector_type a,
                                                             const HIP_vector_type& b) noexcept {
    return HIP_vector_type(a) /= b;
  }
};

#if __HW_ROCM >= 700
template <typename T, unsigned int rank>
__HOST_DEVICE__ constexpr HIP_vector_type<T, rank> make_vector_type(T val) {
  static_assert(rank >= 1 && rank <= 4, "a vector has one to four elements");
  if constexpr (rank == 1)
    return HIP_vector_type<T, rank>(val);
  else if constexpr (rank == 2)
    return HIP_vector_type<T, rank>(val, val);
  else if constexpr (rank == 3)
    return HIP_vector_type<T, rank>(val, val, val);
  else
    return HIP_vector_type<T, rank>(val, val, val, val);
}
#endif

// The scalar side of a mixed operation is any type, converted by HIP_vector_type's constructor. For
// float and double, % ^ | & << >> find an operator here and fail inside it, for want of the
// compound one.
#define __hw_vec_vec(op, assign)                                                       \
  template <typename T, unsigned int rank>                                             \
  __HOST_DEVICE__ inline constexpr HIP_vector_type<T, rank> operator op(               \
      const HIP_vector_type<T, rank>& a, const HIP_vector_type<T, rank>& b) noexcept { \
    return HIP_vector_type<T, rank>(a) assign b;                                       \
  }
#define __hw_vec_scalar(op, assign)                                      \
  template <typename T, unsigned int rank, typename U>                   \
  __HOST_DEVICE__ inline constexpr HIP_vector_type<T, rank> operator op( \
      const HIP_vector_type<T, rank>& a, U b) noexcept {                 \
    return HIP_vector_type<T, rank>(a) assign __hw_fill(b);              \
  }
#define __hw_scalar_vec(op, assign)                                      \
  template <typename T, unsigned int rank, typename U>                   \
  __HOST_DEVICE__ inline constexpr HIP_vector_type<T, rank> operator op( \
      U a, const HIP_vector_type<T, rank>& b) noexcept {                 \
    return __hw_fill(a) assign b;                                        \
  }
#define __hw_all(op, assign)   \
  __hw_vec_vec(op, assign);    \
  __hw_vec_scalar(op, assign); \
  __hw_scalar_vec(op, assign)

__hw_all(+, +=);
__hw_all(-, -=);
__hw_vec_scalar(*, *=);
__hw_scalar_vec(*, *=);
__hw_vec_scalar(/, /=);
__hw_scalar_vec(/, /=);
__hw_all(%, %=);
__hw_all(^, ^=);
__hw_all(|, |=);
__hw_all(&, &=);
__hw_all(>>, >>=);
// No scalar << vector: it would answer for std::cout << vector.
__hw_vec_vec(<<, <<=);
__hw_vec_scalar(<<, <<=);

#undef __hw_all
#undef __hw_scalar_vec
#undef __hw_vec_scalar
#undef __hw_vec_vec

template <typename T, unsigned int rank>
__HOST_DEVICE__ inline constexpr bool operator==(const HIP_vector_type<T, rank>& a,
                                                 const HIP_vector_type<T, rank>& b) noexcept {
  const auto& p = __hw_native(a);
  const auto& q = __hw_native(b);
  constexpr unsigned int second = rank > 1 ? 1 : 0, third = rank > 2 ? 2 : 0;
  return p[0] == q[0] && p[second] == q[second] && p[third] == q[third] &&
         p[rank - 1] == q[rank - 1];
}
template <typename T, unsigned int rank, typename U>
__HOST_DEVICE__ inline constexpr bool operator==(const HIP_vector_type<T, rank>& a, U b) noexcept {
  return a == __hw_fill(b);
}
template <typename T, unsigned int rank, typename U>
__HOST_DEVICE__ inline constexpr bool operator==(U a, const HIP_vector_type<T, rank>& b) noexcept {
  return __hw_fill(a) == b;
}
template <typename T, unsigned int rank>
__HOST_DEVICE__ inline constexpr bool operator!=(const HIP_vector_type<T, rank>& a,
                                                 const HIP_vector_type<T, rank>& b) noexcept {
  return !(a == b);
}
template <typename T, unsigned int rank, typename U>
__HOST_DEVICE__ inline constexpr bool operator!=(const HIP_vector_type<T, rank>& a, U b) noexcept {
  return !(a == b);
}
template <typename T, unsigned int rank, typename U>
__HOST_DEVICE__ inline constexpr bool operator!=(U a, const HIP_vector_type<T, rank>& b) noexcept {
  return !(a == b);
}

#undef __hw_fill  // __hw_native is used below texel.h

#define __hw_vector_types(name, T)       \
  using name##1 = HIP_vector_type<T, 1>; \
  using name##2 = HIP_vector_type<T, 2>; \
  using name##3 = HIP_vector_type<T, 3>; \
  using name##4 = HIP_vector_type<T, 4>

#else  // C

#define __hw_vector_types(name, T) \
  typedef struct {                 \
    T x;                           \
  } name##1;                       \
  typedef struct {                 \
    T x, y;                        \
  } name##2;                       \
  typedef struct {                 \
    T x, y, z;                     \
  } name##3;                       \
  typedef struct {                 \
    T x, y, z, w;                  \
  } name##4

#endif  // C

__hw_vector_types(uchar, unsigned char);
__hw_vector_types(char, char);
__hw_vector_types(ushort, unsigned short);
__hw_vector_types(short, short);
__hw_vector_types(uint, unsigned int);
__hw_vector_types(int, int);
__hw_vector_types(ulong, unsigned long);
__hw_vector_types(long, long);
__hw_vector_types(ulonglong, unsigned long long);
__hw_vector_types(longlong, long long);
__hw_vector_types(float, float);
__hw_vector_types(double, double);

#undef __hw_vector_types

#define __hw_make_vectors(name, T)                                           \
  static inline __HOST_DEVICE__ name##1 make_##name##1(T x) {                \
    name##1 v;                                                               \
    v.x = x;                                                                 \
    return v;                                                                \
  }                                                                          \
  static inline __HOST_DEVICE__ name##2 make_##name##2(T x, T y) {           \
    name##2 v;                                                               \
    v.x = x, v.y = y;                                                        \
    return v;                                                                \
  }                                                                          \
  static inline __HOST_DEVICE__ name##3 make_##name##3(T x, T y, T z) {      \
    name##3 v;                                                               \
    v.x = x, v.y = y, v.z = z;                                               \
    return v;                                                                \
  }                                                                          \
  static inline __HOST_DEVICE__ name##4 make_##name##4(T x, T y, T z, T w) { \
    name##4 v;                                                               \
    v.x = x, v.y = y, v.z = z, v.w = w;                                      \
    return v;                                                                \
  }

__hw_make_vectors(uchar, unsigned char);
__hw_make_vectors(char, signed char);
__hw_make_vectors(ushort, unsigned short);
__hw_make_vectors(short, short);
__hw_make_vectors(uint, unsigned int);
__hw_make_vectors(int, int);
__hw_make_vectors(ulong, unsigned long);
__hw_make_vectors(long, long);
__hw_make_vectors(ulonglong, unsigned long long);
__hw_make_vectors(longlong, long long);
__hw_make_vectors(float, float);
__hw_make_vectors(double, double);

#undef __hw_make_vectors
