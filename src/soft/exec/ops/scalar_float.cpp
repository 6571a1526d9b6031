// SPDX-License-Identifier: MIT
// Float instructions of the scalar unit (gfx12). They are rare: everything is computed in double,
// rounded to odd where that is not exact, and rounded once more to the result's format. That is
// correct in every rounding mode because double has more than two bits to spare.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/scalar.h"
#include "soft/exec/wave.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kB32 = Type::kB32;
constexpr Type kF32 = Type::kF32;
constexpr Type kF16 = Type::kF16;

enum Rounding : unsigned { kNearest = 0, kUp = 1, kDown = 2, kZero = 3 };

// A binary format by its number of stored fraction bits and its exponent bits.
template <unsigned kFraction, unsigned kExponent>
struct Format {
  static constexpr unsigned fraction = kFraction;
  static constexpr u32 sign = 1U << (kFraction + kExponent);
  static constexpr u32 infinity = ((1U << kExponent) - 1U) << kFraction;
  static constexpr u32 quiet = 1U << (kFraction - 1U);
  static constexpr u32 all = sign | (sign - 1U);
  static constexpr int bias = (1 << (kExponent - 1U)) - 1;
  static constexpr bool is_f16 = kExponent == 5;

  static bool is_nan(u32 bits) { return (bits & (sign - 1U)) > infinity; }
  static bool is_signalling(u32 bits) { return is_nan(bits) && !(bits & quiet); }
  static bool is_denormal(u32 bits) { return (bits & infinity) == 0 && (bits & (sign - 1U)) != 0; }
  static unsigned rounding(const FloatMode& mode) {
    return is_f16 ? mode.round_f64_f16 : mode.round_f32;
  }
  static unsigned denormals(const FloatMode& mode) {
    return is_f16 ? mode.denormal_f64_f16 : mode.denormal_f32;
  }
  // A source as the operation sees it: denormals may count as zero.
  static u32 in(const FloatMode& mode, u32 bits) {
    bits &= all;
    return is_denormal(bits) && !(denormals(mode) & 1U) ? bits & sign : bits;
  }
  static u32 out(const FloatMode& mode, u32 bits) {
    return is_denormal(bits) && !(denormals(mode) & 2U) ? bits & sign : bits;
  }

  static double widen(u32 bits) {
    const double magnitude =
        (bits & infinity) == infinity ? (is_nan(bits) ? std::numeric_limits<double>::quiet_NaN()
                                                      : std::numeric_limits<double>::infinity())
        : (bits & infinity) == 0
            ? std::ldexp(static_cast<double>(bits & ((1U << kFraction) - 1U)),
                         1 - bias - static_cast<int>(kFraction))
            : std::ldexp(static_cast<double>((bits & ((1U << kFraction) - 1U)) | (1U << kFraction)),
                         static_cast<int>((bits & infinity) >> kFraction) - bias -
                             static_cast<int>(kFraction));
    return (bits & sign) ? -magnitude : magnitude;
  }

  static u32 narrow(double value, unsigned rounding, bool clamp_overflow = false) {
    const u64 bits = std::bit_cast<u64>(value);
    const u32 negative = (bits >> 63) ? sign : 0U;
    if (std::isinf(value)) return negative | infinity;
    if (value == 0) return negative;
    int exponent = static_cast<int>((bits >> 52) & 0x7ffU) - 1023;
    const u64 significand = (bits & ((u64{1} << 52) - 1)) | (u64{1} << 52);
    // Doubles that are denormal lie far below every format here: their exponent is what matters.
    const bool tiny = exponent < 1 - bias;
    unsigned drop = 52 - kFraction;
    if (tiny) drop += static_cast<unsigned>(1 - bias - exponent);
    u64 kept = drop > 63 ? 0 : significand >> drop;
    const u64 rest = drop > 63 ? 1 : significand & ((u64{1} << drop) - 1);
    const u64 half = drop > 63 ? 2 : u64{1} << (drop - 1);
    bool up = false;
    switch (rounding) {
      case kNearest:
        up = rest > half || (rest == half && (kept & 1U));
        break;
      case kUp:
        up = rest != 0 && !negative;
        break;
      case kDown:
        up = rest != 0 && negative != 0;
        break;
      default:
        break;
    }
    kept += up;
    if (tiny) exponent = -bias;  // the biased exponent is 0; a carry makes it 1 by itself
    const u64 biased = static_cast<u64>(exponent + bias);
    const u64 result = tiny ? kept : (biased << kFraction) + (kept - (u64{1} << kFraction));
    if (result >= infinity) {
      const bool to_infinity =
          rounding == kNearest || (rounding == kUp && !negative) || (rounding == kDown && negative);
      return negative | (to_infinity && !clamp_overflow ? infinity : infinity - 1U);
    }
    return negative | static_cast<u32>(result);
  }
};
using F32 = Format<23, 8>;
using F16 = Format<10, 5>;

template <Type T>
using FormatOf = std::conditional_t<T == kF16, F16, F32>;

// a + b rounded to odd: an inexact result has its last bit set, so that rounding it again to a
// shorter format cannot go wrong.
double add_odd(double a, double b, unsigned rounding) {
  const double sum = a + b;
  if (std::isinf(sum) || std::isnan(sum)) return sum;
  if (sum == 0) {
    const bool differ = std::signbit(a) != std::signbit(b);
    return differ ? (rounding == kDown ? -0.0 : 0.0) : sum;
  }
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  u64 bits = std::bit_cast<u64>(sum);
  if (error != 0 && !(bits & 1U)) bits += (error > 0) == (sum > 0) ? 1U : ~u64{0};
  return std::bit_cast<double>(bits);
}

// The first NaN among the sources, quieted; 0 when there is none (no NaN is 0).
template <class F, class... B>
u32 nan_of(B... bits) {
  u32 found = 0;
  const auto look = [&](u32 each) {
    if (found == 0 && F::is_nan(each)) found = each | F::quiet;
  };
  (look(bits), ...);
  return found;
}

template <class F>
u32 finish(const FloatMode& mode, double exact) {
  if (std::isnan(exact)) return F::sign | F::infinity | F::quiet;
  return F::out(mode, F::narrow(exact, F::rounding(mode), F::is_f16 && mode.fp16_overflow));
}

template <class F>
u32 add(const FloatMode& mode, u32 a, u32 b) {
  a = F::in(mode, a);
  b = F::in(mode, b);
  if (const u32 nan = nan_of<F>(a, b)) return nan;
  return finish<F>(mode, add_odd(F::widen(a), F::widen(b), F::rounding(mode)));
}

template <class F>
u32 multiply(const FloatMode& mode, u32 a, u32 b) {
  a = F::in(mode, a);
  b = F::in(mode, b);
  if (const u32 nan = nan_of<F>(a, b)) return nan;
  return finish<F>(mode, F::widen(a) * F::widen(b));
}

template <class F>
u32 fused(const FloatMode& mode, u32 a, u32 b, u32 c) {
  a = F::in(mode, a);
  b = F::in(mode, b);
  c = F::in(mode, c);
  if (const u32 nan = nan_of<F>(a, b, c)) return nan;
  const double product = F::widen(a) * F::widen(b);
  if (std::isnan(product)) return F::sign | F::infinity | F::quiet;
  return finish<F>(mode, add_odd(product, F::widen(c), F::rounding(mode)));
}

// kNumber: IEEE's minimumNumber (a NaN gives way to a number), else minimum (a NaN wins).
template <class F, bool kMax, bool kNumber>
u32 extreme(const FloatMode& mode, u32 a, u32 b) {
  a = F::in(mode, a);
  b = F::in(mode, b);
  const bool nan_a = F::is_nan(a), nan_b = F::is_nan(b);
  if (nan_a || nan_b) {
    if (kNumber && !nan_a) return F::out(mode, a);
    if (kNumber && !nan_b) return F::out(mode, b);
    // A signalling NaN takes precedence.
    if (F::is_signalling(b) && !F::is_signalling(a)) return b | F::quiet;
    return (nan_a ? a : b) | F::quiet;
  }
  const double x = F::widen(a), y = F::widen(b);
  const bool a_below = x < y || (x == y && std::signbit(x) && !std::signbit(y));
  return F::out(mode, a_below != kMax ? a : b);
}

// gfx11.5, as its vector instructions: a signalling NaN is the result in the IEEE mode; else
// numbers win, and of two NaNs the first.
template <class F, bool kMax>
u32 legacy_extreme(const FloatMode& mode, u32 a, u32 b) {
  a = F::in(mode, a);
  b = F::in(mode, b);
  if (mode.ieee && F::is_signalling(a)) return a | F::quiet;
  if (mode.ieee && F::is_signalling(b)) return b | F::quiet;
  if (F::is_nan(b)) return F::out(mode, a);
  if (F::is_nan(a)) return F::out(mode, b);
  return extreme<F, kMax, true>(mode, a, b);
}

template <class F, class R>
u32 integral(const FloatMode& mode, u32 a, R round) {
  a = F::in(mode, a);
  if (const u32 nan = nan_of<F>(a)) return nan;
  const double value = F::widen(a);
  return F::narrow(std::copysign(round(value), value), kNearest);
}

template <class F, class C>
bool ordered(const FloatMode& mode, u32 a, u32 b, C compare) {
  return compare(F::widen(F::in(mode, a)), F::widen(F::in(mode, b)));
}

u32 f32_to_f16(const FloatMode& mode, u32 bits, unsigned rounding) {
  bits = F32::in(mode, bits);
  if (F32::is_nan(bits))
    return ((bits >> 16) & F16::sign) | F16::infinity | F16::quiet | ((bits >> 13) & 0x3ffU);
  const bool clamp = mode.fp16_overflow && (bits & ~F32::sign) != F32::infinity;
  return F16::out(mode, F16::narrow(F32::widen(bits), rounding, clamp));
}

u32 f16_to_f32(const FloatMode& mode, u32 bits) {
  bits = F16::in(mode, bits);
  if (F16::is_nan(bits))
    return ((bits & F16::sign) << 16) | F32::infinity | F32::quiet | ((bits & 0x3ffU) << 13);
  return F32::narrow(F16::widen(bits), kNearest);
}

template <class I>
u32 to_integer(const FloatMode& mode, u32 bits) {
  bits = F32::in(mode, bits);
  if (F32::is_nan(bits)) return 0;
  const double value = std::trunc(F32::widen(bits));
  constexpr double low = static_cast<double>(std::numeric_limits<I>::min());
  constexpr double high = static_cast<double>(std::numeric_limits<I>::max());
  if (value <= low) return static_cast<u32>(std::numeric_limits<I>::min());
  if (value >= high) return static_cast<u32>(std::numeric_limits<I>::max());
  return static_cast<u32>(static_cast<I>(value));
}

double round_even(double value) {
  const double below = std::floor(value);
  const double rest = value - below;
  if (rest != 0.5) return rest < 0.5 ? below : below + 1;
  return std::fmod(below, 2.0) == 0 ? below : below + 1;
}

constexpr auto kEq = [](double a, double b) { return a == b; };
constexpr auto kLg = [](double a, double b) { return a < b || a > b; };
constexpr auto kLt = [](double a, double b) { return a < b; };
constexpr auto kLe = [](double a, double b) { return a <= b; };
constexpr auto kGt = [](double a, double b) { return a > b; };
constexpr auto kGe = [](double a, double b) { return a >= b; };
constexpr auto kOrdered = [](double a, double b) { return !std::isnan(a) && !std::isnan(b); };
constexpr auto kUnordered = [](double a, double b) { return std::isnan(a) || std::isnan(b); };
constexpr auto kNeq = [](double a, double b) { return !(a == b); };
constexpr auto kNlg = [](double a, double b) { return !(a < b || a > b); };
constexpr auto kNlt = [](double a, double b) { return !(a < b); };
constexpr auto kNle = [](double a, double b) { return !(a <= b); };
constexpr auto kNgt = [](double a, double b) { return !(a > b); };
constexpr auto kNge = [](double a, double b) { return !(a >= b); };

template <Type T, class C>
constexpr Op float_compare(std::string_view name, C) {
  return compare_op<T, T>(name, [](const FloatMode& mode, u32 a, u32 b) {
    return ordered<FormatOf<T>>(mode, a, b, C{});
  });
}
template <Type T, class R>
constexpr Op float_integral(std::string_view name, R) {
  return scalar_op<T, T>(
      name, [](const FloatMode& mode, u32 a) { return integral<FormatOf<T>>(mode, a, R{}); });
}
template <Type T, bool kMax, bool kNumber>
constexpr Op float_extreme(std::string_view name) {
  return scalar_op<T, T, T>(name, [](const FloatMode& mode, u32 a, u32 b) {
    return extreme<FormatOf<T>, kMax, kNumber>(mode, a, b);
  });
}

template <Type T>
constexpr std::string_view pick(std::string_view f32, std::string_view f16) {
  return T == kF16 ? f16 : f32;
}

template <Type T, class F = FormatOf<T>>
constexpr Op kFamily[] = {
    scalar_op<T, T, T>(pick<T>("s_add_f32", "s_add_f16"),
                       [](const FloatMode& mode, u32 a, u32 b) { return add<F>(mode, a, b); }),
    scalar_op<T, T, T>(pick<T>("s_sub_f32", "s_sub_f16"),
                       [](const FloatMode& mode, u32 a, u32 b) {
                         // The NaN that comes out keeps its own sign.
                         return add<F>(mode, a, F::is_nan(b & F::all) ? b : b ^ F::sign);
                       }),
    scalar_op<T, T, T>(pick<T>("s_mul_f32", "s_mul_f16"),
                       [](const FloatMode& mode, u32 a, u32 b) { return multiply<F>(mode, a, b); }),
    scalar_op<T, T, T, T>(
        pick<T>("s_fmac_f32", "s_fmac_f16"),
        [](const FloatMode& mode, u32 a, u32 b, u32 c) { return fused<F>(mode, a, b, c); },
        kReadsDst),
    scalar_op<T, T, T>(
        pick<T>("s_min_f32", "s_min_f16"),
        [](const FloatMode& mode, u32 a, u32 b) { return legacy_extreme<F, false>(mode, a, b); }),
    scalar_op<T, T, T>(
        pick<T>("s_max_f32", "s_max_f16"),
        [](const FloatMode& mode, u32 a, u32 b) { return legacy_extreme<F, true>(mode, a, b); }),
    float_extreme<T, false, true>(pick<T>("s_min_num_f32", "s_min_num_f16")),
    float_extreme<T, true, true>(pick<T>("s_max_num_f32", "s_max_num_f16")),
    float_extreme<T, false, false>(pick<T>("s_minimum_f32", "s_minimum_f16")),
    float_extreme<T, true, false>(pick<T>("s_maximum_f32", "s_maximum_f16")),
    float_integral<T>(pick<T>("s_ceil_f32", "s_ceil_f16"), [](double a) { return std::ceil(a); }),
    float_integral<T>(pick<T>("s_floor_f32", "s_floor_f16"),
                      [](double a) { return std::floor(a); }),
    float_integral<T>(pick<T>("s_trunc_f32", "s_trunc_f16"),
                      [](double a) { return std::trunc(a); }),
    float_integral<T>(pick<T>("s_rndne_f32", "s_rndne_f16"),
                      [](double a) { return round_even(a); }),
    float_compare<T>(pick<T>("s_cmp_eq_f32", "s_cmp_eq_f16"), kEq),
    float_compare<T>(pick<T>("s_cmp_lg_f32", "s_cmp_lg_f16"), kLg),
    float_compare<T>(pick<T>("s_cmp_lt_f32", "s_cmp_lt_f16"), kLt),
    float_compare<T>(pick<T>("s_cmp_le_f32", "s_cmp_le_f16"), kLe),
    float_compare<T>(pick<T>("s_cmp_gt_f32", "s_cmp_gt_f16"), kGt),
    float_compare<T>(pick<T>("s_cmp_ge_f32", "s_cmp_ge_f16"), kGe),
    float_compare<T>(pick<T>("s_cmp_o_f32", "s_cmp_o_f16"), kOrdered),
    float_compare<T>(pick<T>("s_cmp_u_f32", "s_cmp_u_f16"), kUnordered),
    float_compare<T>(pick<T>("s_cmp_neq_f32", "s_cmp_neq_f16"), kNeq),
    float_compare<T>(pick<T>("s_cmp_nlg_f32", "s_cmp_nlg_f16"), kNlg),
    float_compare<T>(pick<T>("s_cmp_nlt_f32", "s_cmp_nlt_f16"), kNlt),
    float_compare<T>(pick<T>("s_cmp_nle_f32", "s_cmp_nle_f16"), kNle),
    float_compare<T>(pick<T>("s_cmp_ngt_f32", "s_cmp_ngt_f16"), kNgt),
    float_compare<T>(pick<T>("s_cmp_nge_f32", "s_cmp_nge_f16"), kNge),
};

constexpr Op kOthers[] = {
    // The literal of fmamk and fmaak is a source at its place in the text.
    scalar_op<kF32, kF32, kF32, kF32>(
        "s_fmaak_f32",
        [](const FloatMode& mode, u32 a, u32 b, u32 k) { return fused<F32>(mode, a, b, k); }),
    scalar_op<kF32, kF32, kF32, kF32>(
        "s_fmamk_f32",
        [](const FloatMode& mode, u32 a, u32 k, u32 b) { return fused<F32>(mode, a, k, b); }),
    scalar_op<kF32, kB32>("s_cvt_f32_i32",
                          [](const FloatMode& mode, u32 a) {
                            return F32::narrow(static_cast<std::int32_t>(a), mode.round_f32);
                          }),
    scalar_op<kF32, kB32>("s_cvt_f32_u32", [](const FloatMode& mode,
                                              u32 a) { return F32::narrow(a, mode.round_f32); }),
    scalar_op<kB32, kF32>("s_cvt_i32_f32", [](const FloatMode& mode,
                                              u32 a) { return to_integer<std::int32_t>(mode, a); }),
    scalar_op<kB32, kF32>("s_cvt_u32_f32",
                          [](const FloatMode& mode, u32 a) { return to_integer<u32>(mode, a); }),
    scalar_op<kF16, kF32>(
        "s_cvt_f16_f32",
        [](const FloatMode& mode, u32 a) { return f32_to_f16(mode, a, mode.round_f64_f16); }),
    scalar_op<kF32, kF16>("s_cvt_f32_f16",
                          [](const FloatMode& mode, u32 a) { return f16_to_f32(mode, a); }),
    scalar_op<kF32, kB32>("s_cvt_hi_f32_f16",
                          [](const FloatMode& mode, u32 a) { return f16_to_f32(mode, a >> 16); }),
    scalar_op<kB32, kF32, kF32>("s_cvt_pk_rtz_f16_f32",
                                [](const FloatMode& mode, u32 a, u32 b) {
                                  return f32_to_f16(mode, a, kZero) |
                                         (f32_to_f16(mode, b, kZero) << 16);
                                }),
};

constexpr auto kOps = join(kFamily<kF32>, kFamily<kF16>, kOthers);

}  // namespace

std::span<const Op> scalar_float_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
