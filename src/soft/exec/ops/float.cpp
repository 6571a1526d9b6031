// SPDX-License-Identifier: MIT
// Arithmetic on f32 and f64. The semantics are IEEE's in the wave's rounding mode; what differs
// from the host (NaNs, minimum and maximum, legacy multiplications) is spelled out in arith.h.
#include <array>

#include "soft/exec/ops/arith.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr auto kAdd = [](auto a, auto b) { return a + b; };
constexpr auto kMul = [](auto a, auto b) { return a * b; };
struct Fma {
  float operator()(float a, float b, float c) const { return __builtin_fmaf(a, b, c); }
  double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
};

// The operation of F on a type, with its NaN rules.
template <Type T, Type... S, class F>
constexpr Op arithmetic(std::string_view name, F, u32 flags = 0) {
  using L = std::conditional_t<T == Type::kF64, F64, F32>;
  return vector_op<T, S...>(name, Arithmetic<L, F>{}, flags);
}

constexpr Type kF = Type::kF32, kD = Type::kF64, kPk = Type::kPkF32;

// A subtraction is an addition of the negated operand: a NaN there comes out with its sign changed.
template <bool Reversed>
struct Sub {
  static float quick(float a, float b) { return Reversed ? b - a : a - b; }
  float operator()(float a, float b) const {
    const float x = Reversed ? b : a, y = Reversed ? -a : -b;
    return nan_result<F32>(x + y, x, y);
  }
};

// DX9 rules: zero times anything, infinities and NaNs included, is +0.
struct MulLegacy {
  float operator()(float a, float b) const {
    const float product = nan_result<F32>(a * b, a, b);
    return a == 0 || b == 0 ? 0.0F : product;
  }
};
struct FmaLegacy {
  float operator()(float a, float b, float c) const {
    const float sum = nan_result<F32>(__builtin_fmaf(a, b, c), a, b, c);
    return a == 0 || b == 0 ? nan_result<F32>(c, c) : sum;
  }
};

// v_mad_f32 and v_mac_f32 round the product and flush denormals whatever MODE says.
inline float flushed(float value) {
  const u32 bits = std::bit_cast<u32>(value);
  return std::bit_cast<float>((bits & F32::infinity) == 0 ? bits & F32::sign : bits);
}
struct Mad {
  float operator()(float a, float b, float c) const {
    const float product = flushed(flushed(a) * flushed(b));
    return flushed(product + flushed(c));
  }
};
struct MadLegacy {
  float operator()(float a, float b, float c) const {
    const float x = flushed(a), y = flushed(b), z = flushed(c);
    const float product = x == 0 || y == 0 ? 0.0F : flushed(x * y);
    const float sum = flushed(product + z);
    // A NaN that a zero factor hides does not come back.
    return nan_result<F32>(sum, x == 0 || y == 0 ? 0.0F : a, x == 0 || y == 0 ? 0.0F : b, c);
  }
};

// D3D9's LIT: the smallest number unless both guards are usable.
struct Mullit {
  float operator()(float a, float b, float c) const {
    const float lowest = std::bit_cast<float>(0xff7fffffU);
    const bool usable = b > lowest && c > 0;
    return usable ? nan_result<F32>(a * b, a, b) : lowest;
  }
};

// Zeros take the operand's sign: without rounding instructions, hosts lose it in some modes.
struct Trunc {
  float operator()(float a) const { return __builtin_copysignf(__builtin_truncf(a), a); }
  double operator()(double a) const { return __builtin_copysign(__builtin_trunc(a), a); }
};
struct Ceil {
  float operator()(float a) const { return __builtin_copysignf(__builtin_ceilf(a), a); }
  double operator()(double a) const { return __builtin_copysign(__builtin_ceil(a), a); }
};
struct Floor {
  float operator()(float a) const { return __builtin_copysignf(__builtin_floorf(a), a); }
  double operator()(double a) const { return __builtin_copysign(__builtin_floor(a), a); }
};
// To nearest even whatever the mode says; `quick` runs only while the mode is just that.
template <class L>
struct Rndne {
  static float quick(float a) { return __builtin_rintf(a); }
  static double quick(double a) { return __builtin_rint(a); }
  float operator()(float a) const { return nan_result<L>(__builtin_roundevenf(a), a); }
  double operator()(double a) const { return nan_result<L>(__builtin_roundeven(a), a); }
};
// Always below one: a tiny negative number gives the largest float under it.
struct Fract {
  float operator()(float a) const {
    const float fraction = a - __builtin_floorf(a);
    return fraction >= 1.0F ? 0x1.fffffep-1F : fraction;
  }
  double operator()(double a) const {
    const double fraction = a - __builtin_floor(a);
    return fraction >= 1.0 ? 0x1.fffffffffffffp-1 : fraction;
  }
};

template <class L>
struct FrexpExponent {
  u32 operator()(typename L::Value value) const {
    using Bits = typename L::Bits;
    constexpr int mantissa = std::is_same_v<L, F32> ? 23 : 52;
    constexpr int bias = std::is_same_v<L, F32> ? 127 : 1023;
    const Bits magnitude = bits_of_value<L>(value) & (L::sign - 1U);
    const auto field = static_cast<i32>(magnitude >> mantissa);
    const auto scaled = value * (std::is_same_v<L, F32> ? 0x1p24F : 0x1p53F);
    const auto scaled_field =
        static_cast<i32>((bits_of_value<L>(scaled) & (L::sign - 1U)) >> mantissa) - mantissa - 1;
    const i32 exponent = (field == 0 ? scaled_field : field) - bias + 1;
    return magnitude == 0 || magnitude >= L::infinity ? 0U : static_cast<u32>(exponent);
  }
};
template <class L>
struct FrexpMantissa {
  typename L::Value operator()(typename L::Value value) const {
    using Bits = typename L::Bits;
    constexpr int mantissa = std::is_same_v<L, F32> ? 23 : 52;
    constexpr Bits half =
        std::is_same_v<L, F32> ? Bits{126} << 23 : static_cast<Bits>(1022ULL << 52);
    const Bits bits = bits_of_value<L>(value);
    const Bits magnitude = bits & (L::sign - 1U);
    const auto scaled = value * (std::is_same_v<L, F32> ? 0x1p24F : 0x1p53F);
    const Bits normal = magnitude < (Bits{1} << mantissa) ? bits_of_value<L>(scaled) : bits;
    const Bits result = (normal & (L::sign | ((Bits{1} << mantissa) - 1U))) | half;
    const Bits special = is_nan<L>(bits) ? bits | L::quiet : bits;
    return std::bit_cast<typename L::Value>(magnitude == 0 || magnitude >= L::infinity ? special
                                                                                       : result);
  }
};

template <class L>
struct Ldexp {
  typename L::Value operator()(typename L::Value value, u32 step) const {
    const auto scaled = scale_by<L>(value, static_cast<i32>(step));
    return nan_result<L>(scaled, scaled);
  }
};

constexpr std::array<Type, 5> kF2 = {kF, kF}, kF3 = {kF, kF, kF}, kD2 = {kD, kD};

constexpr Op kOps[] = {
    arithmetic<kF, kF, kF>("v_add_f32", kAdd),
    vector_op<kF, kF, kF>("v_sub_f32", Sub<false>{}),
    vector_op<kF, kF, kF>("v_subrev_f32", Sub<true>{}),
    arithmetic<kF, kF, kF>("v_mul_f32", kMul),
    arithmetic<kF, kF, kF, kF>("v_fma_f32", Fma{}),
    arithmetic<kF, kF, kF, kF>("v_fmac_f32", Fma{}, kReadsDst),
    arithmetic<kF, kF, kF, kF>("v_fmamk_f32", Fma{}),
    arithmetic<kF, kF, kF, kF>("v_fmaak_f32", Fma{}),
    arithmetic<kD, kD, kD>("v_add_f64", kAdd),
    arithmetic<kD, kD, kD>("v_mul_f64", kMul),
    arithmetic<kD, kD, kD, kD>("v_fma_f64", Fma{}),
    arithmetic<kD, kD, kD, kD>("v_fmac_f64", Fma{}, kReadsDst),
    arithmetic<kPk, kPk, kPk>("v_pk_add_f32", kAdd),
    arithmetic<kPk, kPk, kPk>("v_pk_mul_f32", kMul),
    arithmetic<kPk, kPk, kPk, kPk>("v_pk_fma_f32", Fma{}),

    vector_op<kF, kF, kF>("v_mul_legacy_f32", MulLegacy{}),
    vector_op<kF, kF, kF, kF>("v_fma_dx9_zero_f32", FmaLegacy{}),
    vector_op<kF, kF, kF, kF>("v_fmac_dx9_zero_f32", FmaLegacy{}, kReadsDst),
    vector_op<kF, kF, kF, kF>("v_mullit_f32", Mullit{}),
    arithmetic<kF, kF, kF, kF>("v_mad_f32", Mad{}),
    arithmetic<kF, kF, kF, kF>("v_mac_f32", Mad{}, kReadsDst),
    arithmetic<kF, kF, kF, kF>("v_madmk_f32", Mad{}),
    arithmetic<kF, kF, kF, kF>("v_madak_f32", Mad{}),
    vector_op<kF, kF, kF, kF>("v_mad_legacy_f32", MadLegacy{}),

    float_op("v_max_f32", extremum<F32, true>, kF, kF2),
    float_op("v_min_f32", extremum<F32, false>, kF, kF2),
    float_op("v_max_f64", extremum<F64, true>, kD, kD2),
    float_op("v_min_f64", extremum<F64, false>, kD, kD2),
    float_op("v_max3_f32", extremum3<F32, true, true>, kF, kF3),
    float_op("v_min3_f32", extremum3<F32, false, false>, kF, kF3),
    float_op("v_maxmin_f32", extremum3<F32, true, false>, kF, kF3),
    float_op("v_minmax_f32", extremum3<F32, false, true>, kF, kF3),
    float_op("v_med3_f32", median3<F32>, kF, kF3),
    float_op("v_maximum_f32", extremum_2019<F32, true>, kF, kF2),
    float_op("v_minimum_f32", extremum_2019<F32, false>, kF, kF2),
    float_op("v_maximum_f64", extremum_2019<F64, true>, kD, kD2),
    float_op("v_minimum_f64", extremum_2019<F64, false>, kD, kD2),
    float_op("v_maximum3_f32", extremum3_2019<F32, true, true>, kF, kF3),
    float_op("v_minimum3_f32", extremum3_2019<F32, false, false>, kF, kF3),
    float_op("v_maximumminimum_f32", extremum3_2019<F32, true, false>, kF, kF3),
    float_op("v_minimummaximum_f32", extremum3_2019<F32, false, true>, kF, kF3),

    arithmetic<kF, kF>("v_trunc_f32", Trunc{}),
    arithmetic<kF, kF>("v_ceil_f32", Ceil{}),
    arithmetic<kF, kF>("v_floor_f32", Floor{}),
    vector_op<kF, kF>("v_rndne_f32", Rndne<F32>{}),
    arithmetic<kF, kF>("v_fract_f32", Fract{}),
    arithmetic<kD, kD>("v_trunc_f64", Trunc{}),
    arithmetic<kD, kD>("v_ceil_f64", Ceil{}),
    arithmetic<kD, kD>("v_floor_f64", Floor{}),
    vector_op<kD, kD>("v_rndne_f64", Rndne<F64>{}),
    arithmetic<kD, kD>("v_fract_f64", Fract{}),

    vector_op<kF, kF, Type::kB32>("v_ldexp_f32", Ldexp<F32>{}),
    vector_op<kD, kD, Type::kB32>("v_ldexp_f64", Ldexp<F64>{}),
    vector_op<Type::kB32, kF>("v_frexp_exp_i32_f32", FrexpExponent<F32>{}, kKeepsDenormals),
    vector_op<kF, kF>("v_frexp_mant_f32", FrexpMantissa<F32>{}, kKeepsDenormals),
    vector_op<Type::kB32, kD>("v_frexp_exp_i32_f64", FrexpExponent<F64>{}, kKeepsDenormals),
    vector_op<kD, kD>("v_frexp_mant_f64", FrexpMantissa<F64>{}, kKeepsDenormals),
};

}  // namespace

std::span<const Op> float_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
