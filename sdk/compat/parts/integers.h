// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
#define HIP_COMPAT_MIN_MAX(prefix, T)                   \
  HIP_COMPAT_BOTH T prefix##min(const T a, const T b) { \
    return hip_compat::lower(a, b);                     \
  }                                                     \
  HIP_COMPAT_BOTH T prefix##max(const T a, const T b) { \
    return hip_compat::higher(a, b);                    \
  }
HIP_COMPAT_MIN_MAX(u, unsigned int)
HIP_COMPAT_MIN_MAX(ll, long long)
HIP_COMPAT_MIN_MAX(ull, unsigned long long)
#undef HIP_COMPAT_MIN_MAX

// HIP has __ffsll for long long with and without sign: another integer is ambiguous.
HIP_COMPAT_DEVICE int __ffsll(int x) {
  return __builtin_ffsll(x);
}
HIP_COMPAT_DEVICE int __ffsll(unsigned int x) {
  return __builtin_ffsll(static_cast<long long>(x));
}
HIP_COMPAT_DEVICE int __ffsll(long x) {
  return __builtin_ffsll(x);
}
HIP_COMPAT_DEVICE int __ffsll(unsigned long x) {
  return __builtin_ffsll(static_cast<long long>(x));
}

// CUDA overloads min and max for every type, even in host code. HIP's host code has only the int
// overloads, which silently truncate a float or a size_t; its device code compares a signed and an
// unsigned number as doubles.
#define HIP_COMPAT_MIN_MAX(A, B, R)                                  \
  HIP_COMPAT_BOTH R min(const A a, const B b) {                      \
    return hip_compat::lower(static_cast<R>(a), static_cast<R>(b));  \
  }                                                                  \
  HIP_COMPAT_BOTH R max(const A a, const B b) {                      \
    return hip_compat::higher(static_cast<R>(a), static_cast<R>(b)); \
  }
#define HIP_COMPAT_INTEGERS(S, U) \
  HIP_COMPAT_MIN_MAX(S, S, S)     \
  HIP_COMPAT_MIN_MAX(U, U, U)     \
  HIP_COMPAT_MIN_MAX(S, U, U)     \
  HIP_COMPAT_MIN_MAX(U, S, U)
HIP_COMPAT_INTEGERS(int, unsigned int)
HIP_COMPAT_INTEGERS(long, unsigned long)
HIP_COMPAT_INTEGERS(long long, unsigned long long)
#undef HIP_COMPAT_INTEGERS
#undef HIP_COMPAT_MIN_MAX

// With a NaN the result is the other number.
#define HIP_COMPAT_MIN_MAX(A, B, R, f)          \
  HIP_COMPAT_BOTH R min(const A a, const B b) { \
    return __builtin_fmin##f(a, b);             \
  }                                             \
  HIP_COMPAT_BOTH R max(const A a, const B b) { \
    return __builtin_fmax##f(a, b);             \
  }
HIP_COMPAT_MIN_MAX(float, float, float, f)
HIP_COMPAT_MIN_MAX(double, double, double, )
HIP_COMPAT_MIN_MAX(float, double, double, )
HIP_COMPAT_MIN_MAX(double, float, double, )
#undef HIP_COMPAT_MIN_MAX
