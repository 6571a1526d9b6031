// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
// CUDA's 8-bit formats, bit-identical on every GPU. HIP's types of this encoding are for host code
// only if the hardware uses another one (gfx942: maximum 240 instead of 448).

namespace hip_compat {

// Rounds to nearest, ties to even. Saturates, infinities included.
template <int mantissa, int bias, unsigned int largest>
__host__ __device__ inline unsigned char to_fp8(float value) {
  unsigned int bits = bits_as<unsigned int>(value);
  unsigned int sign = bits >> 24 & 0x80;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) return 0x7f;  // without the sign
  unsigned int code;
  if (bits < static_cast<unsigned int>(128 - bias) << 23) {  // below the smallest normal number
    float scale = bits_as<float>(static_cast<unsigned int>(126 + bias + mantissa) << 23);
    code = static_cast<unsigned int>(__builtin_rintf(bits_as<float>(bits) * scale));
  } else {
    constexpr int dropped = 23 - mantissa;
    bits += (1u << (dropped - 1)) - 1 + (bits >> dropped & 1);
    code = (bits >> dropped) - (static_cast<unsigned int>(127 - bias) << mantissa);
  }
  return static_cast<unsigned char>(sign | lower(code, largest));
}
// Through a float rounded to odd, so that only the second rounding counts.
template <int mantissa, int bias, unsigned int largest>
__host__ __device__ inline unsigned char to_fp8(double value) {
  const unsigned long long all = bits_as<unsigned long long>(value);
  if (value != value)  // keeps its sign and, in e5m2, a quiet one its next bit
    return static_cast<unsigned char>((all >> 56 & 0x80) | (mantissa == 3 ? 0x7f : 0x7e) |
                                      (mantissa == 2 ? all >> 50 & 3 : 0));
  return to_fp8<mantissa, bias, largest>(rounded_to_odd(value));
}
template <int mantissa, int bias, unsigned int largest>
__host__ __device__ inline float from_fp8(unsigned char code) {
  unsigned int magnitude = code & 0x7f;
  float value;
  if (magnitude > largest) {  // 0x7f, and in e5m2 infinity and more that is no number
    value = bits_as<float>(mantissa == 2 && magnitude == 0x7c ? 0x7f800000u : 0x7fc00000u);
  } else if (magnitude >> mantissa == 0) {
    value = static_cast<float>(magnitude) *
            bits_as<float>(static_cast<unsigned int>(128 - bias - mantissa) << 23);
  } else {
    value = bits_as<float>((magnitude << (23 - mantissa)) +
                           (static_cast<unsigned int>(127 - bias) << 23));
  }
  return (code & 0x80) != 0 ? -value : value;
}

// Integers take the nearest number that they have; bool, which is not 0.
template <class T, bool = __is_integral(T)>
struct fp8_as {
  __host__ __device__ static T of(float value) { return static_cast<T>(value); }
};
template <>
struct fp8_as<bool, true> {
  __host__ __device__ static bool of(float value) { return value != 0; }
};
template <class T>
struct fp8_as<T, true> {
  __host__ __device__ static T of(float value) { return saturated<T>(__builtin_truncf(value)); }
};

template <int mantissa, int bias, unsigned int largest>
struct fp8 {
  unsigned char __x;

  fp8() = default;
  template <class T>
  __host__ __device__ explicit fp8(T value)
      : __x(to_fp8<mantissa, bias, largest>(static_cast<float>(value))) {}
  __host__ __device__ explicit fp8(double value) : __x(to_fp8<mantissa, bias, largest>(value)) {}
  __host__ __device__ explicit operator float() const {
    return from_fp8<mantissa, bias, largest>(__x);
  }
  template <class T>
  __host__ __device__ explicit operator T() const {
    return fp8_as<T>::of(static_cast<float>(*this));
  }
};

// The first number is in the low byte.
template <class Fp8>
struct fp8x2 {
  unsigned short __x;

  fp8x2() = default;
  __host__ __device__ explicit fp8x2(float2 v) : __x(packed(v.x, v.y)) {}
  __host__ __device__ explicit fp8x2(double2 v) : __x(packed(v.x, v.y)) {}
  __host__ __device__ explicit fp8x2(__half2 v)
      : __x(packed(__half2float(__low2half(v)), __half2float(__high2half(v)))) {}
#if __has_include(<hip/hip_bf16.h>)
  __host__ __device__ explicit fp8x2(__hip_bfloat162 v)
      : __x(packed(__bfloat162float(v.x), __bfloat162float(v.y))) {}
#endif
  __host__ __device__ explicit operator float2() const {
    return make_float2(part(0), part(1));
  }
  __host__ __device__ explicit operator __half2() const {
    return __floats2half2_rn(part(0), part(1));
  }

 private:
  template <class T>
  __host__ __device__ static unsigned short packed(T low, T high) {
    return static_cast<unsigned short>(Fp8(low).__x | Fp8(high).__x << 8);
  }
  __host__ __device__ float part(int i) const {
    Fp8 one;
    one.__x = static_cast<unsigned char>(__x >> (8 * i));
    return static_cast<float>(one);
  }
};

template <class Fp8>
struct fp8x4 {
  unsigned int __x;

  fp8x4() = default;
  __host__ __device__ explicit fp8x4(float4 v)
      : fp8x4(make_float2(v.x, v.y), make_float2(v.z, v.w)) {}
  __host__ __device__ explicit fp8x4(double4 v)
      : fp8x4(make_double2(v.x, v.y), make_double2(v.z, v.w)) {}
  // Of two halves, each a __half2 or a bfloat162.
  template <class Pair>
  __host__ __device__ fp8x4(Pair low, Pair high)
      : __x(fp8x2<Fp8>(low).__x | static_cast<unsigned int>(fp8x2<Fp8>(high).__x) << 16) {}
  __host__ __device__ explicit operator float4() const {
    fp8x2<Fp8> low, high;
    low.__x = static_cast<unsigned short>(__x);
    high.__x = static_cast<unsigned short>(__x >> 16);
    float2 a = static_cast<float2>(low), b = static_cast<float2>(high);
    return make_float4(a.x, a.y, b.x, b.y);
  }
};

typedef fp8<3, 7, 0x7e> fp8_e4m3;
typedef fp8<2, 15, 0x7b> fp8_e5m2;
typedef fp8x2<fp8_e4m3> fp8x2_e4m3;
typedef fp8x2<fp8_e5m2> fp8x2_e5m2;
typedef fp8x4<fp8_e4m3> fp8x4_e4m3;
typedef fp8x4<fp8_e5m2> fp8x4_e5m2;

}  // namespace hip_compat
