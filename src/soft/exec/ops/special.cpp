// SPDX-License-Identifier: MIT
// Reciprocals, roots, powers, logarithms and sines. The hardware's are not correctly rounded, so
// their bits are not known: these here are within an ulp of the true value, and labelled
// approximate with the bound that the manuals state. f32 ones flush denormals whatever MODE says,
// as documented.
#include <array>

#include "soft/exec/ops/arith.h"
#include "soft/exec/ops/division.h"
#include "soft/exec/ops/half.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kF = Type::kF32, kD = Type::kF64, kH = Type::kF16;

inline float flushed(float value) {
  const u32 bits = std::bit_cast<u32>(value);
  return std::bit_cast<float>((bits & F32::infinity) == 0 ? bits & F32::sign : bits);
}

// --- functions on f32, computed in f64 where that is easier ---

inline float rcp_of(float x) {
  return 1.0F / x;
}
inline float sqrt_of(float x) {
  return __builtin_sqrtf(x);
}
inline float rsq_of(float x) {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
}

// Either way is exact enough: the result is rounded to 24 bits.
inline double fused(double a, double b, double c) {
#ifdef __FMA__
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

// Adding this to a double leaves the integer nearest to it in the low bits of the mantissa.
constexpr double kRounder = 0x1.8p52;

inline float exp_of(float x) {
  // Beyond these bounds f32 overflows or underflows anyway.
  const float bounded = x < -200.0F ? -200.0F : (x > 200.0F ? 200.0F : x);
  const double value = static_cast<double>(bounded);
  const double shifted = value + kRounder;
  const double t = (value - (shifted - kRounder)) * 0x1.62e42fefa39efp-1;
  double sum = 1.0 / 3628800;
  sum = fused(sum, t, 1.0 / 362880);
  sum = fused(sum, t, 1.0 / 40320);
  sum = fused(sum, t, 1.0 / 5040);
  sum = fused(sum, t, 1.0 / 720);
  sum = fused(sum, t, 1.0 / 120);
  sum = fused(sum, t, 1.0 / 24);
  sum = fused(sum, t, 1.0 / 6);
  sum = fused(sum, t, 0.5);
  sum = fused(sum, t, 1.0);
  sum = fused(sum, t, 1.0);
  const u64 power = (std::bit_cast<u64>(shifted) << 52) + (1023ULL << 52);
  const auto result = static_cast<float>(sum * std::bit_cast<double>(power));
  return x == x ? result : x;
}

inline float log_of(float x) {
  const u32 bits = std::bit_cast<u32>(x);
  const i32 exponent = static_cast<i32>(bits - 0x3f3504f3U) >> 23;  // mantissas around one
  const auto mantissa =
      static_cast<double>(std::bit_cast<float>(bits - (static_cast<u32>(exponent) << 23)));
  const double s = (mantissa - 1.0) / (mantissa + 1.0);
  const double q = s * s;
  double sum = 1.0 / 17;
  sum = fused(sum, q, 1.0 / 15);
  sum = fused(sum, q, 1.0 / 13);
  sum = fused(sum, q, 1.0 / 11);
  sum = fused(sum, q, 1.0 / 9);
  sum = fused(sum, q, 1.0 / 7);
  sum = fused(sum, q, 1.0 / 5);
  sum = fused(sum, q, 1.0 / 3);
  sum = fused(sum, q, 1.0);
  const auto result = static_cast<float>(static_cast<double>(exponent) +
                                         sum * s * 0x1.71547652b82fep+1);  // 2 / ln 2
  const u32 magnitude = bits & 0x7fffffffU;
  const u32 special = magnitude == 0        ? 0xff800000U
                      : bits == kInfF32     ? kInfF32
                      : magnitude > kInfF32 ? bits
                                            : F32::default_nan;  // of a negative number
  const bool ordinary = bits - 1U < kInfF32 - 1U;
  return ordinary ? result : std::bit_cast<float>(special);
}

// Sine of x revolutions; a quarter more is the cosine.
template <bool Cosine>
inline float sine_of(float x) {
  const double value = static_cast<double>(x);
  const double turn = value - __builtin_rint(value);
  const double quarter = turn * 4.0 + kRounder;
  const double a = (turn - (quarter - kRounder) * 0.25) * 0x1.921fb54442d18p+2;  // 2 pi
  const u64 quadrant = std::bit_cast<u64>(quarter) + (Cosine ? 1U : 0U);
  const double q = a * a;
  double sine = -1.0 / 1307674368000;
  sine = fused(sine, q, 1.0 / 6227020800);
  sine = fused(sine, q, -1.0 / 39916800);
  sine = fused(sine, q, 1.0 / 362880);
  sine = fused(sine, q, -1.0 / 5040);
  sine = fused(sine, q, 1.0 / 120);
  sine = fused(sine, q, -1.0 / 6);
  sine = sine * q * a + a;
  double cosine = 1.0 / 20922789888000;
  cosine = fused(cosine, q, -1.0 / 87178291200);
  cosine = fused(cosine, q, 1.0 / 479001600);
  cosine = fused(cosine, q, -1.0 / 3628800);
  cosine = fused(cosine, q, 1.0 / 40320);
  cosine = fused(cosine, q, -1.0 / 720);
  cosine = fused(cosine, q, 1.0 / 24);
  cosine = fused(cosine, q, -0.5);
  cosine = fused(cosine, q, 1.0);
  const double magnitude = (quadrant & 1U) != 0 ? cosine : sine;
  // Zeros are positive, but for the sine of -0.
  const double result = ((quadrant & 2U) != 0 ? -magnitude : magnitude) + 0.0;
  return !Cosine && x == 0.0F ? x : static_cast<float>(result);
}

// --- as instructions ---

template <float (*Function)(float)>
struct FlushingF32 {
  static float quick(float a) { return flushed(Function(flushed(a))); }
  float operator()(float a) const { return nan_result<F32>(quick(a), a); }
};
template <float (*Function)(float)>
struct OfF16 {
  u32 operator()(u32 a) const { return nan_result<F16>(f32_to_f16(Function(f16_to_f32(a))), a); }
};

// gfx9 has no range reduction: arguments beyond 256 revolutions give sin 0 or cos 1.
template <bool Cosine>
struct Sine {
  bool limited = false;
  float number(float a) const {
    const bool outside = limited && __builtin_fabsf(a) > 256.0F;
    const float result = sine_of<Cosine>(outside ? 0.0F : a);
    return outside ? (Cosine ? 1.0F : 0.0F) : result;
  }
  float operator()(float a) const { return nan_result<F32>(number(a), a); }
};
template <bool Cosine>
struct Sine16 {
  bool limited = false;
  u32 operator()(u32 a) const {
    return nan_result<F16>(f32_to_f16(Sine<Cosine>{limited}.number(f16_to_f32(a))), a);
  }
};
template <bool Cosine>
void sine_f32(Wave& wave, const Inst& inst) {
  map<kF, kF>(wave, inst, Sine<Cosine>{is_gfx9(wave.isa)});
}
template <bool Cosine>
void sine_f16(Wave& wave, const Inst& inst) {
  map<kH, kH>(wave, inst, Sine16<Cosine>{is_gfx9(wave.isa)});
}

constexpr auto kRcp64 = [](double a) { return 1.0 / a; };
constexpr auto kSqrt64 = [](double a) { return __builtin_sqrt(a); };
constexpr auto kRsq64 = [](double a) { return 1.0 / __builtin_sqrt(a); };

// One value for the wave: scalar source, scalar destination, whatever EXEC says.
template <Type T, class F>
void scalar_twin(Wave& wave, const Inst& inst) {
  const Operand& operand = inst.src[0];
  constexpr u32 sign = T == kH ? 0x8000U : F32::sign;
  u32 bits = wave.read32(operand);
  if constexpr (T == kH) bits &= 0xffffU;
  if (operand.abs) bits &= ~sign;
  if (operand.neg) bits ^= sign;
  Row result{};
  if constexpr (T == kH)
    result.lane[0] = F{}(bits);
  else
    result.lane[0] = std::bit_cast<u32>(F{}(std::bit_cast<float>(bits)));
  modify_results(wave, inst, T, &result, nullptr);
  wave.write32(inst.dst[0], result.lane[0]);
}

constexpr Op transcendental(Op op, std::string_view bound) {
  op.kind = OpClass::kTranscendental;
  op.fidelity = Fidelity::kApproximate;
  op.bound = bound;
  return op;
}
constexpr std::string_view k1Ulp = "1 ulp", kHalfUlp = "0.51 ulp",
                           kSeed = "2^29 ulp: a seed for Newton-Raphson",
                           kUnstated = "not published: within 1 ulp of the true value here";

template <float (*Function)(float)>
constexpr Op single(std::string_view name) {
  return transcendental(vector_op<kF, kF>(name, FlushingF32<Function>{}), k1Ulp);
}
template <float (*Function)(float)>
constexpr Op half(std::string_view name) {
  return transcendental(vector_op<kH, kH>(name, OfF16<Function>{}), kHalfUlp);
}
template <class F>
constexpr Op wide(std::string_view name, F) {
  return transcendental(vector_op<kD, kD>(name, Arithmetic<F64, F>{}), kSeed);
}
template <float (*Function)(float)>
constexpr Op twin32(std::string_view name) {
  return transcendental(
      float_op(name, scalar_twin<kF, FlushingF32<Function>>, kF, {kF}, kIgnoresExec), k1Ulp);
}
template <float (*Function)(float)>
constexpr Op twin16(std::string_view name) {
  return transcendental(float_op(name, scalar_twin<kH, OfF16<Function>>, kH, {kH}, kIgnoresExec),
                        kHalfUlp);
}

constexpr std::array<Type, 5> kF3 = {kF, kF, kF}, kD3 = {kD, kD, kD}, kH3 = {kH, kH, kH};

constexpr Op with_mask(Op op) {
  op.dst[1] = Type::kMask;
  return op;
}

constexpr Op kOps[] = {
    single<rcp_of>("v_rcp_f32"),
    single<rcp_of>("v_rcp_iflag_f32"),
    single<rsq_of>("v_rsq_f32"),
    single<sqrt_of>("v_sqrt_f32"),
    single<exp_of>("v_exp_f32"),
    single<log_of>("v_log_f32"),
    single<exp_of>("v_exp_legacy_f32"),
    single<log_of>("v_log_legacy_f32"),
    half<rcp_of>("v_rcp_f16"),
    half<rsq_of>("v_rsq_f16"),
    half<sqrt_of>("v_sqrt_f16"),
    half<exp_of>("v_exp_f16"),
    half<log_of>("v_log_f16"),
    transcendental(float_op("v_sin_f32", sine_f32<false>, kF, {kF}), kUnstated),
    transcendental(float_op("v_cos_f32", sine_f32<true>, kF, {kF}), kUnstated),
    transcendental(float_op("v_sin_f16", sine_f16<false>, kH, {kH}), kUnstated),
    transcendental(float_op("v_cos_f16", sine_f16<true>, kH, {kH}), kUnstated),
    wide("v_rcp_f64", kRcp64),
    wide("v_rsq_f64", kRsq64),
    wide("v_sqrt_f64", kSqrt64),

    twin32<rcp_of>("v_s_rcp_f32"),
    twin32<rsq_of>("v_s_rsq_f32"),
    twin32<sqrt_of>("v_s_sqrt_f32"),
    twin32<exp_of>("v_s_exp_f32"),
    twin32<log_of>("v_s_log_f32"),
    twin16<rcp_of>("v_s_rcp_f16"),
    twin16<rsq_of>("v_s_rsq_f16"),
    twin16<sqrt_of>("v_s_sqrt_f16"),
    twin16<exp_of>("v_s_exp_f16"),
    twin16<log_of>("v_s_log_f16"),

    with_mask(float_op("v_div_scale_f32", div_scale_f32, kF, kF3)),
    with_mask(float_op("v_div_scale_f64", div_scale_f64, kD, kD3)),
    float_op("v_div_fmas_f32", div_fmas_f32, kF, kF3, kReadsVcc),
    float_op("v_div_fmas_f64", div_fmas_f64, kD, kD3, kReadsVcc),
    float_op("v_div_fixup_f32", div_fixup_f32, kF, kF3),
    float_op("v_div_fixup_f64", div_fixup_f64, kD, kD3),
    float_op("v_div_fixup_f16", div_fixup_f16, kH, kH3, kKeepsHigh),
    float_op("v_div_fixup_legacy_f16", div_fixup_f16, kH, kH3),
    float_op("v_trig_preop_f64", trig_preop_f64, kD, {kD, Type::kB32}),
};

}  // namespace

std::span<const Op> special_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
