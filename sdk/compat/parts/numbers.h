// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
// Functions that HIP declares but that give other numbers than CUDA's.

namespace hip_compat {

// CUDA's __fmul_rn and siblings are rounded on their own. HIP's are plain operators, which the
// compiler fuses with a neighbour into one fma; the empty instruction keeps it from that, whatever
// -ffp-contract says.
#if defined(__HIP_DEVICE_COMPILE__)
#define HIP_COMPAT_ROUND(value) asm("" : "+v"(value))
#else
#define HIP_COMPAT_ROUND(value) (void)(value)
#endif
#define HIP_COMPAT_ROUNDED(name, T, sign) \
  __device__ inline T name(T a, T b) {    \
    T result = a sign b;                  \
    HIP_COMPAT_ROUND(result);             \
    return result;                        \
  }
HIP_COMPAT_ROUNDED(fadd_rn, float, +)
HIP_COMPAT_ROUNDED(fsub_rn, float, -)
HIP_COMPAT_ROUNDED(fmul_rn, float, *)
HIP_COMPAT_ROUNDED(dadd_rn, double, +)
HIP_COMPAT_ROUNDED(dsub_rn, double, -)
HIP_COMPAT_ROUNDED(dmul_rn, double, *)
#undef HIP_COMPAT_ROUNDED
#undef HIP_COMPAT_ROUND

// CUDA's are correctly rounded in every build. HIP's __fsqrt_rn and __frsqrt_rn approximate, and
// its division does so where the build asks for it. A double has more than twice the digits of a
// float, so that its rounded result is the rounded exact one.
__device__ inline float fdiv_rn(float a, float b) {
  return static_cast<float>(static_cast<double>(a) / static_cast<double>(b));
}
__device__ inline float frcp_rn(float x) {
  return static_cast<float>(1.0 / static_cast<double>(x));
}
__device__ inline float fsqrt_rn(float x) {
  return static_cast<float>(__builtin_sqrt(static_cast<double>(x)));
}
// Here two roundings come before the last: that the result is the rounded exact one was compared,
// with integers, for all 2^24 numbers from 1 to 4, and other exponents only scale it.
__device__ inline float frsqrt_rn(float x) {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
}

// Rounded down, up or towards zero: the number next to the nearest one, if that is on the wrong
// side of the exact result. `surplus` has the sign of what the nearest number exceeds the exact one
// by.
#define HIP_COMPAT_DIRECTED(T, Bits, largest)                                            \
  __device__ inline T next_below(T x) {                                                  \
    Bits bits = bits_as<Bits>(x);                                                        \
    const Bits sign = static_cast<Bits>(1) << (sizeof(T) * 8 - 1);                       \
    if ((bits & ~sign) == 0) return bits_as<T>(static_cast<Bits>(sign | 1));             \
    return bits_as<T>(static_cast<Bits>((bits & sign) != 0 ? bits + 1 : bits - 1));      \
  }                                                                                      \
  __device__ inline T rounded_down(T nearest, double surplus) {                          \
    if (__builtin_isinf(nearest)) return nearest > 0 && surplus > 0 ? largest : nearest; \
    return surplus > 0 ? next_below(nearest) : nearest;                                  \
  }                                                                                      \
  __device__ inline T rounded_up(T nearest, double surplus) {                            \
    return -rounded_down(-nearest, -surplus);                                            \
  }                                                                                      \
  __device__ inline T rounded_to_zero(T nearest, double surplus) {                       \
    return __builtin_signbit(nearest) ? rounded_up(nearest, surplus)                     \
                                      : rounded_down(nearest, surplus);                  \
  }
HIP_COMPAT_DIRECTED(float, unsigned int, __FLT_MAX__)
HIP_COMPAT_DIRECTED(double, unsigned long long, __DBL_MAX__)
#undef HIP_COMPAT_DIRECTED

// a + b - sum, exactly.
__device__ inline double lost_by_sum(double a, double b, double sum) {
  const double of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b);
}
// The product of two floats is exact in a double; its sum with a float has at most one more part.
__device__ inline double surplus_of_sum(float nearest, double a, double b) {
  const double sum = a + b;
  return (static_cast<double>(nearest) - sum) - lost_by_sum(a, b, sum);
}
__device__ inline double surplus_of(float nearest, double exact) {
  return static_cast<double>(nearest) - exact;
}
// What a * b + c exceeds its nearest number by, as a sum of two.
__device__ inline double surplus_of_fma(double nearest, double a, double b, double c) {
  const double product = dmul_rn(a, b), of_product = __builtin_fma(a, b, -product);
  const double low = c + of_product, lower = lost_by_sum(c, of_product, low);
  const double high = product + low, middle = lost_by_sum(product, low, high);
  return -(((high - nearest) + middle) + lower);
}
// An infinity that stands for a large number exceeds it; of operands it is exact.
__device__ inline double surplus_at(double nearest, double surplus, bool has_infinity) {
  if (!__builtin_isinf(nearest)) return surplus;
  return has_infinity ? 0.0 : nearest;
}

#define HIP_COMPAT_UP(name, T, parameters, nearest, surplus) \
  __device__ inline T name##_ru parameters {                 \
    const T result = nearest;                                \
    return rounded_up(result, surplus);                      \
  }                                                          \
  __device__ inline T name##_rz parameters {                 \
    const T result = nearest;                                \
    return rounded_to_zero(result, surplus);                 \
  }
#define HIP_COMPAT_DIRECTIONS(name, T, parameters, nearest, surplus) \
  HIP_COMPAT_UP(name, T, parameters, nearest, surplus)               \
  __device__ inline T name##_rd parameters {                         \
    const T result = nearest;                                        \
    return rounded_down(result, surplus);                            \
  }
#define HIP_COMPAT_ANY_INFINITE(a, b) (__builtin_isinf(a) || __builtin_isinf(b))
HIP_COMPAT_UP(fmaf, float, (float a, float b, float c), __builtin_fmaf(a, b, c),
              surplus_at(result, surplus_of_sum(result, double{a} * double{b}, c),
                         HIP_COMPAT_ANY_INFINITE(a, b) || __builtin_isinf(c)))
HIP_COMPAT_UP(fadd, float, (float a, float b), fadd_rn(a, b),
              surplus_at(result, surplus_of_sum(result, a, b), HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_UP(fma, double, (double a, double b, double c), __builtin_fma(a, b, c),
              surplus_at(result, surplus_of_fma(result, a, b, c),
                         HIP_COMPAT_ANY_INFINITE(a, b) || __builtin_isinf(c)))
HIP_COMPAT_UP(dadd, double, (double a, double b), dadd_rn(a, b),
              surplus_at(result, -lost_by_sum(a, b, result), HIP_COMPAT_ANY_INFINITE(a, b)))
// Rounded down a sum of 1 and -1 is -0.
__device__ inline float fmaf_rd(float a, float b, float c) {
  return -fmaf_ru(-a, b, -c);
}
__device__ inline double fma_rd(double a, double b, double c) {
  return -fma_ru(-a, b, -c);
}
#define HIP_COMPAT_SUMS(f, T)               \
  __device__ inline T f##add_rd(T a, T b) { \
    return -f##add_ru(-a, -b);              \
  }                                         \
  __device__ inline T f##sub_rd(T a, T b) { \
    return f##add_rd(a, -b);                \
  }                                         \
  __device__ inline T f##sub_ru(T a, T b) { \
    return f##add_ru(a, -b);                \
  }                                         \
  __device__ inline T f##sub_rz(T a, T b) { \
    return f##add_rz(a, -b);                \
  }
HIP_COMPAT_SUMS(f, float)
HIP_COMPAT_SUMS(d, double)
#undef HIP_COMPAT_SUMS
HIP_COMPAT_DIRECTIONS(fmul, float, (float a, float b), fmul_rn(a, b),
                      surplus_at(result, surplus_of(result, double{a} * double{b}),
                                 HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_DIRECTIONS(fdiv, float, (float a, float b), fdiv_rn(a, b),
                      surplus_at(result,
                                 (double{result} * double{b} - double{a}) * (b < 0 ? -1.0 : 1.0),
                                 b == 0 || HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_DIRECTIONS(frcp, float, (float x), frcp_rn(x),
                      surplus_at(result, (double{result} * double{x} - 1) * (x < 0 ? -1.0 : 1.0),
                                 x == 0 || __builtin_isinf(x)))
HIP_COMPAT_DIRECTIONS(fsqrt, float, (float x), fsqrt_rn(x),
                      surplus_at(result, double{result} * double{result} - double{x},
                                 __builtin_isinf(x)))
// These of doubles are not for results below 1e-290: what is lost there is not a double.
HIP_COMPAT_DIRECTIONS(dmul, double, (double a, double b), dmul_rn(a, b),
                      surplus_at(result, -__builtin_fma(a, b, -result),
                                 HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_DIRECTIONS(ddiv, double, (double a, double b), __ddiv_rn(a, b),
                      surplus_at(result, __builtin_fma(result, b, -a) * (b < 0 ? -1.0 : 1.0),
                                 b == 0 || HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_DIRECTIONS(drcp, double, (double x), __drcp_rn(x),
                      surplus_at(result, __builtin_fma(result, x, -1.0) * (x < 0 ? -1.0 : 1.0),
                                 x == 0 || __builtin_isinf(x)))
HIP_COMPAT_DIRECTIONS(dsqrt, double, (double x), __dsqrt_rn(x),
                      surplus_at(result, __builtin_fma(result, result, -x), __builtin_isinf(x)))
#undef HIP_COMPAT_UP
#undef HIP_COMPAT_DIRECTIONS
#undef HIP_COMPAT_ANY_INFINITE

// Limited to 0 … 1. A NaN becomes 0, which in HIP it does not.
__device__ inline float saturatef(float x) {
  return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}

// Half and bfloat16 alike.
__host__ __device__ inline float to_float(__half x) {
  return __half2float(x);
}
__host__ __device__ inline __half from_float(float x, __half) {
  return __float2half(x);
}
__host__ __device__ inline __half low(__half2 v) {
  return __low2half(v);
}
__host__ __device__ inline __half high(__half2 v) {
  return __high2half(v);
}
__host__ __device__ inline __half2 pair(__half a, __half b) {
  return __halves2half2(a, b);
}
#if __has_include(<hip/hip_bf16.h>)
__host__ __device__ inline float to_float(__hip_bfloat16 x) {
  return __bfloat162float(x);
}
__host__ __device__ inline __hip_bfloat16 from_float(float x, __hip_bfloat16) {
  return __float2bfloat16(x);
}
__host__ __device__ inline __hip_bfloat16 low(__hip_bfloat162 v) {
  return v.x;
}
__host__ __device__ inline __hip_bfloat16 high(__hip_bfloat162 v) {
  return v.y;
}
__host__ __device__ inline __hip_bfloat162 pair(__hip_bfloat16 a, __hip_bfloat16 b) {
  __hip_bfloat162 v;
  v.x = a;
  v.y = b;
  return v;
}
#endif

// A float has more than twice their digits: rounding twice gives what rounding once does.
#define HIP_COMPAT_ROUNDED(name, function)                               \
  template <class T>                                                     \
  __device__ inline T name##_rn(T a, T b) {                              \
    return from_float(function(to_float(a), to_float(b)), a);            \
  }                                                                      \
  template <class V>                                                     \
  __device__ inline V name##2_rn(V a, V b) {                             \
    return pair(name##_rn(low(a), low(b)), name##_rn(high(a), high(b))); \
  }
HIP_COMPAT_ROUNDED(hadd, fadd_rn)
HIP_COMPAT_ROUNDED(hsub, fsub_rn)
HIP_COMPAT_ROUNDED(hmul, fmul_rn)
#undef HIP_COMPAT_ROUNDED

#define HIP_COMPAT_SATURATED(name)                                               \
  template <class T>                                                             \
  __device__ inline T h##name##_sat(T a, T b) {                                  \
    return from_float(saturatef(to_float(__h##name(a, b))), a);                  \
  }                                                                              \
  template <class V>                                                             \
  __device__ inline V h##name##2_sat(V a, V b) {                                 \
    return pair(h##name##_sat(low(a), low(b)), h##name##_sat(high(a), high(b))); \
  }
HIP_COMPAT_SATURATED(add)
HIP_COMPAT_SATURATED(sub)
HIP_COMPAT_SATURATED(mul)
#undef HIP_COMPAT_SATURATED
template <class T>
__device__ inline T hfma_sat(T a, T b, T c) {
  return from_float(saturatef(to_float(__hfma(a, b, c))), a);
}
template <class V>
__device__ inline V hfma2_sat(V a, V b, V c) {
  return pair(hfma_sat(low(a), low(b), low(c)), hfma_sat(high(a), high(b), high(c)));
}

// __hne is false for a NaN, which HIP's is not.
template <class T>
__host__ __device__ inline bool hne(T a, T b) {
  return __hlt(a, b) || __hgt(a, b);
}
template <class V>
__host__ __device__ inline bool hbne2(V a, V b) {
  return hne(low(a), low(b)) && hne(high(a), high(b));
}
#define HIP_COMPAT_LANES(name, relation)                                       \
  template <class V>                                                           \
  __host__ __device__ inline V name(V a, V b) {                                \
    return pair(from_float(relation(low(a), low(b)) ? 1.0f : 0.0f, low(a)),    \
                from_float(relation(high(a), high(b)) ? 1.0f : 0.0f, low(a))); \
  }
HIP_COMPAT_LANES(hne2, hne)
HIP_COMPAT_LANES(hgt2, __hgt)  // HIP's of bfloat16 ignores the upper numbers
#undef HIP_COMPAT_LANES

// True in both halves, where a NaN makes it true; in HIP's of half a NaN makes it false.
#define HIP_COMPAT_UNORDERED(name, opposite)                         \
  template <class V>                                                 \
  __host__ __device__ inline bool name(V a, V b) {                   \
    return !opposite(low(a), low(b)) && !opposite(high(a), high(b)); \
  }
HIP_COMPAT_UNORDERED(hbequ2, hne)
HIP_COMPAT_UNORDERED(hbneu2, __heq)
HIP_COMPAT_UNORDERED(hbleu2, __hgt)
HIP_COMPAT_UNORDERED(hbgeu2, __hlt)
HIP_COMPAT_UNORDERED(hbltu2, __hge)
HIP_COMPAT_UNORDERED(hbgtu2, __hle)
#undef HIP_COMPAT_UNORDERED

// The operand of a conversion to half or bfloat16: HIP's types convert neither to each other nor,
// for bfloat16, from integers of 64 bits. As a float both are exact or are rounded to odd, so that
// only the conversion rounds.
template <class T>
__host__ __device__ inline T number(T x) {
  return x;
}
__host__ __device__ inline float number(__half x) {
  return __half2float(x);
}
#if __has_include(<hip/hip_bf16.h>)
__host__ __device__ inline float number(__hip_bfloat16 x) {
  return __bfloat162float(x);
}
#endif
__host__ __device__ inline float rounded_to_odd(unsigned long long size) {
  if (size >= 1ull << 24) {
    const int surplus = 40 - __builtin_clzll(size);
    const bool is_inexact = (size & ((1ull << surplus) - 1)) != 0;
    size = ((size >> surplus) | (is_inexact ? 1ull : 0ull)) << surplus;
  }
  return static_cast<float>(size);
}
__host__ __device__ inline float number(unsigned long long x) {
  return rounded_to_odd(x);
}
__host__ __device__ inline float number(unsigned long x) {
  return rounded_to_odd(x);
}
__host__ __device__ inline float number(long long x) {
  return x < 0 ? -rounded_to_odd(0 - static_cast<unsigned long long>(x))
               : rounded_to_odd(static_cast<unsigned long long>(x));
}
__host__ __device__ inline float number(long x) {
  return number(static_cast<long long>(x));
}

__host__ __device__ inline bool is_nan_bits(float x) {  // whatever the build says of NaNs
  return (bits_as<unsigned int>(x) & 0x7fffffff) > 0x7f800000;
}
__host__ __device__ inline bool is_nan_bits(double x) {
  return (bits_as<unsigned long long>(x) & ~(1ull << 63)) > 0x7ffull << 52;
}

// A whole number in T. What T lacks becomes its nearest number; a NaN becomes 0, and from or to 64
// bits the highest bit.
template <class T, class F>
__host__ __device__ inline T saturated(F whole) {
  constexpr bool has_sign = static_cast<T>(-1) < static_cast<T>(0);
  constexpr int bits = static_cast<int>(sizeof(T)) * 8 - (has_sign ? 1 : 0);
  constexpr unsigned long long largest = ~0ull >> (64 - bits);
  if (is_nan_bits(whole))
    return sizeof(T) == 8 || sizeof(F) == 8 ? static_cast<T>(1ull << (sizeof(T) * 8 - 1))
                                            : static_cast<T>(0);
  const F limit = static_cast<F>(1ull << (bits - 1)) * 2;
  if (whole >= limit) return static_cast<T>(largest);
  if (has_sign && whole < -limit) return static_cast<T>(~largest);
  if (!has_sign && whole < 0) return 0;
  return static_cast<T>(whole);
}

// HIP's leave open what happens to numbers that the integer lacks.
#define HIP_COMPAT_TO_INTEGER(F, f, name, T)    \
  __device__ inline T F##2##name##_rn(F x) {    \
    return saturated<T>(__builtin_rint##f(x));  \
  }                                             \
  __device__ inline T F##2##name##_rz(F x) {    \
    return saturated<T>(__builtin_trunc##f(x)); \
  }                                             \
  __device__ inline T F##2##name##_rd(F x) {    \
    return saturated<T>(__builtin_floor##f(x)); \
  }                                             \
  __device__ inline T F##2##name##_ru(F x) {    \
    return saturated<T>(__builtin_ceil##f(x));  \
  }
HIP_COMPAT_TO_INTEGER(float, f, ll, long long)
HIP_COMPAT_TO_INTEGER(float, f, ull, unsigned long long)
HIP_COMPAT_TO_INTEGER(double, , int, int)
HIP_COMPAT_TO_INTEGER(double, , uint, unsigned int)
HIP_COMPAT_TO_INTEGER(double, , ll, long long)
HIP_COMPAT_TO_INTEGER(double, , ull, unsigned long long)
#undef HIP_COMPAT_TO_INTEGER

// HIP's is negative where the highest bit is set.
__device__ inline unsigned int umul24(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>(__umul24(a, b));
}

// -1 for the negative infinity; HIP's is 1 for both.
template <class T>
__host__ __device__ inline int hisinf(T x) {
  return !__hisinf(x) ? 0 : to_float(x) < 0 ? -1 : 1;
}

// HIP truncates, whatever the name says.
#define HIP_COMPAT_TO_INTEGER(name, T, mode, round)             \
  __host__ __device__ inline T half2##name##_##mode(__half x) { \
    return saturated<T>(round(__half2float(x)));                \
  }
// HIP rounds to nearest, whatever the name says. Integers that a float does not hold are beyond a
// half's range. `is_off` compares the nearest half with the number; `step` moves its bits.
#define HIP_COMPAT_FROM_INTEGER(name, T, mode, is_off, step)       \
  __host__ __device__ inline __half name##2half_##mode(T x) {      \
    const float number = static_cast<float>(x);                    \
    const __half half = __float2half(number);                      \
    const float nearest = __half2float(half);                      \
    unsigned short bits = bits_as<unsigned short>(half);           \
    if (is_off) bits = static_cast<unsigned short>(bits + (step)); \
    return bits_as<__half>(bits);                                  \
  }
#define HIP_COMPAT_INTEGER(name, T)                                                            \
  HIP_COMPAT_TO_INTEGER(name, T, rn, __builtin_rintf)                                          \
  HIP_COMPAT_TO_INTEGER(name, T, rz, __builtin_truncf)                                         \
  HIP_COMPAT_TO_INTEGER(name, T, rd, __builtin_floorf)                                         \
  HIP_COMPAT_TO_INTEGER(name, T, ru, __builtin_ceilf)                                          \
  HIP_COMPAT_FROM_INTEGER(name, T, rz, __builtin_fabsf(nearest) > __builtin_fabsf(number), -1) \
  HIP_COMPAT_FROM_INTEGER(name, T, rd, nearest > number, number > 0 ? -1 : 1)                  \
  HIP_COMPAT_FROM_INTEGER(name, T, ru, nearest<number, number> 0 ? 1 : -1)
HIP_COMPAT_INTEGER(int, int)
HIP_COMPAT_INTEGER(uint, unsigned int)
HIP_COMPAT_INTEGER(short, short)
HIP_COMPAT_INTEGER(ushort, unsigned short)
HIP_COMPAT_INTEGER(ll, long long)
HIP_COMPAT_INTEGER(ull, unsigned long long)
HIP_COMPAT_TO_INTEGER(char, signed char, rz, __builtin_truncf)
HIP_COMPAT_TO_INTEGER(uchar, unsigned char, rz, __builtin_truncf)
#undef HIP_COMPAT_INTEGER
#undef HIP_COMPAT_FROM_INTEGER
#undef HIP_COMPAT_TO_INTEGER

// To the nearest float, but to the odd one of two: so that only the next rounding counts.
__host__ __device__ inline float rounded_to_odd(double value) {
  const float near = static_cast<float>(value);
  const double back = static_cast<double>(near);
  if (back == value || value != value || __builtin_isinf(near)) return near;
  unsigned int bits = bits_as<unsigned int>(near);
  if (__builtin_fabs(back) > __builtin_fabs(value)) --bits;
  return bits_as<float>(bits | 1);
}
__host__ __device__ inline __half double2half(double x) {
  return __float2half(rounded_to_odd(x));
}

#if __has_include(<hip/hip_bf16.h>)
__host__ __device__ inline __hip_bfloat16 double2bfloat16(double x) {
  return __float2bfloat16(rounded_to_odd(x));
}
// A bfloat16 is the upper half of a float; `step` is 1 where the number is further from zero.
#define HIP_COMPAT_FROM_FLOAT(mode, step)                                                    \
  __host__ __device__ inline __hip_bfloat16 float2bfloat16_##mode(float x) {                 \
    const unsigned int bits = bits_as<unsigned int>(x);                                      \
    const bool is_exact = (bits & 0xffff) == 0 || (bits & 0x7fffffff) == 0x7f800000;         \
    if (is_nan_bits(x)) return bits_as<__hip_bfloat16>(static_cast<unsigned short>(0x7fff)); \
    return bits_as<__hip_bfloat16>(                                                          \
        static_cast<unsigned short>((bits >> 16) + (is_exact ? 0u : (step))));               \
  }
HIP_COMPAT_FROM_FLOAT(rz, 0u)
HIP_COMPAT_FROM_FLOAT(rd, bits >> 31)
HIP_COMPAT_FROM_FLOAT(ru, bits >> 31 ^ 1u)
#undef HIP_COMPAT_FROM_FLOAT
#define HIP_COMPAT_INTEGER_MODE(name, T, Wide, mode, round)                 \
  __host__ __device__ inline T bfloat162##name##_##mode(__hip_bfloat16 x) { \
    return saturated<T>(round(__bfloat162float(x)));                        \
  }                                                                         \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_##mode(T x) {   \
    return float2bfloat16_##mode(number(static_cast<Wide>(x)));             \
  }
#define HIP_COMPAT_INTEGER(name, T, Wide)                      \
  HIP_COMPAT_INTEGER_MODE(name, T, Wide, rn, __builtin_rintf)  \
  HIP_COMPAT_INTEGER_MODE(name, T, Wide, rz, __builtin_truncf) \
  HIP_COMPAT_INTEGER_MODE(name, T, Wide, rd, __builtin_floorf) \
  HIP_COMPAT_INTEGER_MODE(name, T, Wide, ru, __builtin_ceilf)
__host__ __device__ inline __hip_bfloat16 float2bfloat16_rn(float x) {
  return __float2bfloat16(x);
}
HIP_COMPAT_INTEGER(int, int, long long)
HIP_COMPAT_INTEGER(uint, unsigned int, unsigned long long)
HIP_COMPAT_INTEGER(short, short, long long)
HIP_COMPAT_INTEGER(ushort, unsigned short, unsigned long long)
HIP_COMPAT_INTEGER(ll, long long, long long)
HIP_COMPAT_INTEGER(ull, unsigned long long, unsigned long long)
#undef HIP_COMPAT_INTEGER
#undef HIP_COMPAT_INTEGER_MODE
__host__ __device__ inline signed char bfloat162char_rz(__hip_bfloat16 x) {
  return saturated<signed char>(__builtin_truncf(__bfloat162float(x)));
}
__host__ __device__ inline unsigned char bfloat162uchar_rz(__hip_bfloat16 x) {
  return saturated<unsigned char>(__builtin_truncf(__bfloat162float(x)));
}
#endif

}  // namespace hip_compat

// HIP has these for bfloat16.
HIP_COMPAT_BOTH __half2 __hmax2(__half2 a, __half2 b) {
  return hip_compat::pair(__hmax(hip_compat::low(a), hip_compat::low(b)),
                          __hmax(hip_compat::high(a), hip_compat::high(b)));
}
HIP_COMPAT_BOTH __half2 __hmin2(__half2 a, __half2 b) {
  return hip_compat::pair(__hmin(hip_compat::low(a), hip_compat::low(b)),
                          __hmin(hip_compat::high(a), hip_compat::high(b)));
}
