// SPDX-License-Identifier: MIT
// fp8 in software. Part of amd_hip_fp8.h. Namespace and names are ROCm's, because code in the wild
// calls them.
//
//                    largest   infinity   NaN            zero
//   E4M3   (OCP)        448    none       x1111111       +0 -0
//   E5M2   (OCP)      57344    x1111100   x11111[01..11] +0 -0
//   E4M3   (FNUZ)       240    none       10000000       +0
//   E5M2   (FNUZ)     57344    none       10000000       +0
//
// FNUZ has an exponent bias one larger than OCP's.
#pragma once

namespace __hip_detail {

template <int bytes>
struct float_layout;
template <>
struct float_layout<2> {
  using bits = unsigned short;
  static constexpr int fraction = 10, exponent = 5;
};
template <>
struct float_layout<4> {
  using bits = unsigned int;
  static constexpr int fraction = 23, exponent = 8;
};
template <>
struct float_layout<8> {
  using bits = unsigned long long;
  static constexpr int fraction = 52, exponent = 11;
};

template <typename T>
constexpr bool is_fp8_partner = __is_same(T, _Float16) || __is_same(T, float) ||
                                __is_same(T, double);

__FP8_HOST_DEVICE__ constexpr int fp8_bias(int exponent_bits, bool fnuz) {
  return (1 << (exponent_bits - 1)) - (fnuz ? 0 : 1);
}
// The code, without sign, of the largest finite number.
__FP8_HOST_DEVICE__ constexpr unsigned int fp8_largest(int exponent_bits, bool fnuz) {
  return fnuz ? 0x7f : exponent_bits == 4 ? 0x7e : 0x7b;
}

}  // namespace __hip_detail

namespace internal {

// `wm` and `we` are the widths of mantissa and exponent. `clip` makes what is out of range the
// largest finite number. `stoch` adds the random bits of `rng` below the last kept one instead of
// rounding to nearest even.
template <typename T, bool is_fnuz>
__FP8_HOST_DEVICE_STATIC__ __hip_fp8_storage_t cast_to_f8(T value, int wm, int we,
                                                          bool clip = false, bool stoch = false,
                                                          unsigned int rng = 0) {
  static_assert(__hip_detail::is_fp8_partner<T>, "fp8 is made from _Float16, float or double");
  using layout = __hip_detail::float_layout<sizeof(T)>;
  using bits_t = unsigned long long;

  const bits_t bits = __builtin_bit_cast(typename layout::bits, value);
  const unsigned int sign = static_cast<unsigned int>(bits >> (8 * sizeof(T) - 1)) << 7;
  const bits_t one = bits_t{1} << layout::fraction;
  constexpr int top_exponent = (1 << layout::exponent) - 1;
  const int field = static_cast<int>(bits >> layout::fraction) & top_exponent;
  bits_t significand = bits & (one - 1);

  const unsigned int largest = __hip_detail::fp8_largest(we, is_fnuz);
  const unsigned int out_of_range = clip ? sign | largest : is_fnuz ? 0x80 : sign | (largest + 1);
  if (field == top_exponent) {
    const unsigned int nan = is_fnuz ? 0x80 : sign | 0x7f;
    return static_cast<__hip_fp8_storage_t>(significand != 0 ? nan : out_of_range);
  }
  if (field == 0 && significand == 0) {
    return static_cast<__hip_fp8_storage_t>(is_fnuz ? 0 : sign);
  }

  // value = significand * 2^(exponent - layout::fraction), with one <= significand < 2 * one
  int exponent = (field == 0 ? 1 : field) - (top_exponent >> 1);
  if (field != 0) {
    significand |= one;
  } else {
    const int missing = __builtin_clzll(significand) - (63 - layout::fraction);
    significand <<= missing;
    exponent -= missing;
  }

  const int smallest_exponent = 1 - __hip_detail::fp8_bias(we, is_fnuz);
  const int below = exponent < smallest_exponent ? smallest_exponent - exponent : 0;
  const int dropped = layout::fraction - wm + below;
  bits_t kept = 0;
  if (stoch) {
    const int normal_dropped = layout::fraction - wm;
    const bits_t aligned = below > layout::fraction ? 0 : significand >> below;
    kept = (aligned + (rng & ((bits_t{1} << normal_dropped) - 1))) >> normal_dropped;
  } else if (dropped <= layout::fraction + 1) {
    const bits_t rest = significand & ((bits_t{1} << dropped) - 1);
    const bits_t half_step = bits_t{1} << (dropped - 1);
    kept = significand >> dropped;
    kept += rest > half_step || (rest == half_step && (kept & 1));
  }

  // The leading one of `kept` counts as an exponent of 1, and a carry out of the mantissa runs on
  // into the exponent.
  const int exponent_steps = exponent + below - smallest_exponent;
  const unsigned int code =
      (static_cast<unsigned int>(exponent_steps) << wm) + static_cast<unsigned int>(kept);
  if (code > largest) return static_cast<__hip_fp8_storage_t>(out_of_range);
  if (code == 0 && is_fnuz) return 0;
  return static_cast<__hip_fp8_storage_t>(sign | code);
}

// `clip` reads an infinity as the largest finite number.
template <typename T, bool is_fnuz>
__FP8_HOST_DEVICE_STATIC__ T cast_from_f8(__hip_fp8_storage_t x, int wm, int we,
                                          bool clip = false) {
  static_assert(__hip_detail::is_fp8_partner<T>, "fp8 becomes _Float16, float or double");
  using layout = __hip_detail::float_layout<sizeof(T)>;
  using bits_t = typename layout::bits;

  const bool negative = (x & 0x80) != 0;
  unsigned int code = x & 0x7fu;
  const unsigned int largest = __hip_detail::fp8_largest(we, is_fnuz);
  if (clip && !is_fnuz && we == 5 && code == largest + 1) code = largest;
  if (is_fnuz ? x == 0x80 : code > largest) {
    constexpr bits_t infinity =
        static_cast<bits_t>(((1ull << layout::exponent) - 1) << layout::fraction);
    constexpr bits_t minus = static_cast<bits_t>(1ull << (8 * sizeof(T) - 1));
    const bool is_infinity = !is_fnuz && we == 5 && code == largest + 1;
    if (!is_infinity) return __builtin_bit_cast(T, static_cast<bits_t>(infinity | 1));
    return __builtin_bit_cast(T, static_cast<bits_t>(negative ? infinity | minus : infinity));
  }

  // Exact in all three types, so it does not matter in which one the product is formed.
  unsigned int significand = code & ((1u << wm) - 1);
  int exponent = static_cast<int>(code >> wm);
  if (exponent == 0) {
    exponent = 1;
  } else {
    significand |= 1u << wm;
  }
  const int scale = exponent - __hip_detail::fp8_bias(we, is_fnuz) - wm;
  const float step = __builtin_bit_cast(float, static_cast<unsigned int>(scale + 127) << 23);
  const float magnitude = static_cast<float>(significand) * step;
  return static_cast<T>(negative ? -magnitude : magnitude);
}

__FP8_HOST_DEVICE_STATIC__ bool hip_fp8_fnuz_is_nan(__hip_fp8_storage_t a) {
  return a == 0x80;
}
__FP8_HOST_DEVICE_STATIC__ bool hip_fp8_ocp_is_nan(__hip_fp8_storage_t a,
                                                   const __hip_fp8_interpretation_t type) {
  return (type == __HIP_E4M3 && (a & 0x7f) == 0x7f) || (type == __HIP_E5M2 && (a & 0x7f) > 0x7c);
}
__FP8_HOST_DEVICE_STATIC__ bool hip_fp8_ocp_is_inf(__hip_fp8_storage_t a,
                                                   const __hip_fp8_interpretation_t type) {
  return type == __HIP_E5M2 && (a & 0x7f) == 0x7c;
}

}  // namespace internal

namespace __hip_detail {

__FP8_HOST_DEVICE__ constexpr bool fp8_is_fnuz(__hip_fp8_interpretation_t interp) {
  return interp == __HIP_E4M3_FNUZ || interp == __HIP_E5M2_FNUZ;
}
__FP8_HOST_DEVICE__ constexpr bool fp8_is_e4m3(__hip_fp8_interpretation_t interp) {
  return interp == __HIP_E4M3 || interp == __HIP_E4M3_FNUZ;
}

template <typename T>
__FP8_HOST_DEVICE__ inline __hip_fp8_storage_t fp8_encode(T value, __hip_saturation_t sat,
                                                          __hip_fp8_interpretation_t interp) {
  const int we = fp8_is_e4m3(interp) ? 4 : 5, wm = 7 - we;
  const bool clip = sat == __HIP_SATFINITE;
  return fp8_is_fnuz(interp) ? internal::cast_to_f8<T, true>(value, wm, we, clip)
                             : internal::cast_to_f8<T, false>(value, wm, we, clip);
}
template <typename T>
__FP8_HOST_DEVICE__ inline T fp8_decode(__hip_fp8_storage_t code, __hip_fp8_interpretation_t interp,
                                        bool clip = false) {
  const int we = fp8_is_e4m3(interp) ? 4 : 5, wm = 7 - we;
  return fp8_is_fnuz(interp) ? internal::cast_from_f8<T, true>(code, wm, we, clip)
                             : internal::cast_from_f8<T, false>(code, wm, we, clip);
}

}  // namespace __hip_detail
