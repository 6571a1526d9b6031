// SPDX-License-Identifier: MIT
// Arithmetic on f16: single, packed, mixed with f32, and dot products (bf16 and fp8 ones too).
// Functions see bit patterns; they compute in f32, where sums and products of f16 are exact or
// where rounding twice is harmless (24 >= 2 * 11 + 2), and round to f16 once.
#include <array>

#include "soft/exec/ops/arith.h"
#include "soft/exec/ops/fp8.h"
#include "soft/exec/ops/half.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kH = Type::kF16, kPkH = Type::kPkF16;

// `single` is the operation on operands as f32; its result is then rounded to f16.
struct Add {
  static float single(float a, float b) { return a + b; }
  u32 operator()(u32 a, u32 b) const { return f32_to_f16(f16_to_f32(a) + f16_to_f32(b)); }
};
struct Mul {
  static float single(float a, float b) { return a * b; }
  u32 operator()(u32 a, u32 b) const { return f32_to_f16(f16_to_f32(a) * f16_to_f32(b)); }
};
// An addition of the negated operand, also for NaNs.
template <class L, bool Reversed>
struct Sub {
  static float single(float a, float b) { return Reversed ? b - a : a - b; }
  static u32 quick(u32 a, u32 b) {
    return Reversed ? Add{}(b, a ^ 0x8000U) : Add{}(a, b ^ 0x8000U);
  }
  u32 operator()(u32 a, u32 b) const {
    const u32 x = Reversed ? b : a, y = (Reversed ? a : b) ^ 0x8000U;
    return nan_result<L>(Add{}(x, y), x, y);
  }
};
// The product is exact; the sum is not, and keeps a sticky bit for the rounding to f16.
struct Fma {
  static float single(float a, float b, float c) { return add_sticky(a * b, c); }
  u32 operator()(u32 a, u32 b, u32 c) const {
    return f32_to_f16(add_sticky(f16_to_f32(a) * f16_to_f32(b), f16_to_f32(c)));
  }
};
// Rounds the product, and knows no denormals.
struct Mad {
  static u32 flushed(u32 bits) { return (bits & kInfF16) == 0 ? bits & 0x8000U : bits; }
  u32 operator()(u32 a, u32 b, u32 c) const {
    const u32 product = flushed(Mul{}(flushed(a), flushed(b)));
    return flushed(Add{}(product, flushed(c)));
  }
};
template <float (*Function)(float)>
struct Unary {
  u32 operator()(u32 a) const { return f32_to_f16(Function(f16_to_f32(a))); }
};
inline float trunc_of(float a) {
  return __builtin_copysignf(__builtin_truncf(a), a);
}
inline float ceil_of(float a) {
  return __builtin_copysignf(__builtin_ceilf(a), a);
}
inline float floor_of(float a) {
  return __builtin_copysignf(__builtin_floorf(a), a);
}
// To nearest even whatever the host's mode: halves are decided by hand.
inline float rndne_of(float a) {
  const float down = __builtin_floorf(a);
  const float rest = a - down;
  const float half_down = down * 0.5F;
  const bool odd = __builtin_floorf(half_down) != half_down;
  const bool up = (rest > 0.5F) | ((rest == 0.5F) & odd);
  return __builtin_copysignf(up ? down + 1.0F : down, a);
}
inline float fract_of(float a) {
  const float fraction = a - __builtin_floorf(a);
  // The largest f16 below one, also for what would round to one.
  return fraction > 0x1.ffcp-1F ? 0x1.ffcp-1F : fraction;
}
struct Ldexp {
  u32 operator()(u32 value, u32 step) const {
    const i32 given = static_cast<i32>(step << 16) >> 16;
    const i32 bounded = given < -80 ? -80 : (given > 80 ? 80 : given);
    const auto power = std::bit_cast<float>(static_cast<u32>(bounded + 127) << 23);
    return nan_result<F16>(f32_to_f16(f16_to_f32(value) * power), value);
  }
};
struct FrexpExponent {
  u32 operator()(u32 value) const {
    const u32 field = (std::bit_cast<u32>(f16_to_f32(value)) >> 23) & 0xffU;
    const u32 magnitude = value & 0x7fffU;
    return magnitude == 0 || magnitude >= kInfF16 ? 0U : (field - 126U) & 0xffffU;
  }
};
struct FrexpMantissa {
  u32 operator()(u32 value) const {
    const u32 bits = std::bit_cast<u32>(f16_to_f32(value));
    const u32 mantissa = ((bits >> 13) & 0x3ffU) | 0x3800U | (value & 0x8000U);
    const u32 magnitude = value & 0x7fffU;
    const u32 special = magnitude > kInfF16 ? value | 0x200U : value;
    return magnitude == 0 || magnitude >= kInfF16 ? special : mantissa;
  }
};

// MODE.FP16_OVFL: a number that overflowed is the largest one; true infinities stay.
template <class F>
struct Saturating {
  template <class... A>
  u32 operator()(A... operands) const {
    const u32 result = F{}(operands...);
    const bool overflow =
        (result & 0x7fffU) == kInfF16 && (((operands & 0x7fffU) != kInfF16) && ...);
    return overflow ? (result & 0x8000U) | 0x7bffU : result;
  }
};

template <class F, class... A>
concept HasSingle = requires(A... operands) {
  F::single(operands...);
};
template <Type>
using Single = float;

inline bool any_nan(const float* values) {
  u32 found = 0;
  for (std::size_t i = 0; i < kChunk; ++i) found |= values[i] != values[i] ? ~0U : 0U;
  return found != 0;
}

// One half of a chunk of dwords through the operation; false: there are NaNs among the results.
template <class F, unsigned Shift, std::size_t... I>
bool half_chunk(const Rows* rows, std::size_t base, u32* to, std::index_sequence<I...>) {
  alignas(64) float operands[sizeof...(I)][kChunk], results[kChunk];
  (decode_halves<Shift>(rows[I].low + base, operands[I]), ...);
  for (std::size_t i = 0; i < kChunk; ++i) results[i] = F::single(operands[I][i]...);
  if (any_nan(results)) return false;
  encode_halves(results, to);
  return true;
}

// A packed operand with each half in its place and with its sign: op_sel_hi:[1,0,0] is what
// compilers write for a factor that both halves share.
const u32* straightened(const Wave& wave, const Inst& inst, const Operand& operand, Row* scratch) {
  const u32* from = plain_rows(wave, operand, scratch).low;
  if (detail::straight(operand)) return from;
  const bool signs = !(inst.flags & kNoSrcModifiers);
  const u32 keep = signs && operand.abs ? 0x7fff'7fffU : ~0U;
  const u32 flip = signs ? (operand.neg ? 0x8000U : 0U) | (operand.neg_hi ? 0x8000'0000U : 0U) : 0U;
  const unsigned low = operand.op_sel ? 16 : 0, high = operand.op_sel_hi ? 16 : 0;
  u32* to = scratch[0].lane;
  for (std::size_t base = 0; base < wave.lanes; base += kChunk)
    for (std::size_t i = base; i < base + kChunk; ++i) {
      const u32 both = ((from[i] >> low) & 0xffffU) | ((from[i] >> high) << 16);
      to[i] = (both & keep) ^ flip;
    }
  return to;
}

// The fast way for instructions in the default mode whose modifiers are those above, if any;
// false: not taken. Nothing has been written then.
template <Type D, Type... S, class F>
bool map_halves(Wave& wave, const Inst& inst, F) {
  constexpr std::size_t count = sizeof...(S);
  constexpr auto indices = std::make_index_sequence<count>();
  bool plain = !(inst.flags & (kHasDpp | kHasSdwa)) && !inst.clamp && inst.omod == 0 &&
               default_mode(wave, Type::kF16);
  if (!is_packed16(D)) plain = plain && (inst.flags & kPlain);
  if (!plain) return false;
  Row scratch[count][2], result;
  Rows rows[count];
  for (std::size_t i = 0; i < count; ++i)
    rows[i] = is_packed16(D) ? Rows{straightened(wave, inst, inst.src[i], scratch[i])}
                             : plain_rows(wave, inst.src[i], scratch[i]);
  const u32* old = wave.vgpr(inst.dst[0].index);
  const u32 keep = keeps_high_half(wave, inst) ? 0xffff0000U : 0;
  for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
    u32* to = result.lane + base;
    if (!half_chunk<F, 0>(rows, base, to, indices)) return false;
    if constexpr (is_packed16(D)) {
      alignas(64) u32 high[kChunk];
      if (!half_chunk<F, 16>(rows, base, high, indices)) return false;
      for (std::size_t i = 0; i < kChunk; ++i) to[i] |= high[i] << 16;
    } else {
      for (std::size_t i = 0; i < kChunk; ++i) to[i] |= old[base + i] & keep;
    }
  }
  store_row(wave, inst.dst[0].index, result, wave.exec_row.data(), wave.exec == wave.full_exec);
  return true;
}

template <Type D, Type... S, class F>
constexpr Op half_op(std::string_view name, F, u32 flags = 0) {
  Op op{.name = name,
        .run =
            [](Wave& wave, const Inst& inst) {
              using Function = std::conditional_t<HasQuick<F, Value<S>...>, F, Arithmetic<F16, F>>;
              if (wave.mode.fp16_overflow) [[unlikely]]
                return map<D, S...>(wave, inst, Saturating<Function>{});
              if constexpr (HasSingle<F, Single<S>...>)
                if (map_halves<D, S...>(wave, inst, F{})) return;
              map<D, S...>(wave, inst, Function{});
            },
        .kind = OpClass::kVector,
        .flags = flags};
  op.dst = {D};
  op.src = {S...};
  return op;
}

// --- fma_mix ---

// An inline constant as the 16-bit operand that op_sel_hi makes of it: the decoder expanded it for
// 32 bits.
u32 constant16(u64 value) {
  const auto bits = static_cast<u32>(value);
  const u32 field = (bits >> 23) & 0xffU;
  const bool is_number = field >= 120 && field <= 130;  // 1/(2 pi) to 4.0, either sign
  return is_number ? f32_to_f16_nearest(std::bit_cast<float>(bits)) : bits & 0xffffU;
}

// One source as f32: whole, or a half of it, with sign modifiers and the denormal modes.
void mix_source(const Wave& wave, const Inst& inst, unsigned number, Row& to) {
  const Operand& operand = inst.src[number];
  Row scratch[2];
  const u32* from = plain_rows(wave, operand, scratch).low;
  const bool half = operand.op_sel_hi;
  Row moved;
  if (half && operand.is_constant()) {
    for (u32& lane : moved.lane) lane = constant16(operand.value) * 0x10001U;
    from = moved.lane;
  } else if ((inst.flags & kHasDpp) && number == 0 && operand.is_vector()) {
    u32 lane[64];
    const u64 valid = dpp_sources(wave, inst.dpp, lane);
    for (unsigned i = 0; i < wave.lanes; ++i)
      moved.lane[i] = (valid >> i) & 1U ? from[lane[i]] : 0U;
    from = moved.lane;
  }
  const bool keep16 = wave.mode.denormal_f64_f16 & 1U, keep32 = wave.mode.denormal_f32 & 1U;
  const unsigned shift = operand.op_sel ? 16 : 0;
  for (std::size_t i = 0; i < wave.lanes; ++i) {
    u32 bits = from[i];
    if (half) {
      bits = (bits >> shift) & 0xffffU;
      bits = !keep16 && (bits & kInfF16) == 0 ? bits & 0x8000U : bits;
      bits = std::bit_cast<u32>(f16_to_f32(bits));
    } else {
      bits = !keep32 && (bits & kInfF32) == 0 ? bits & F32::sign : bits;
    }
    bits = operand.abs ? bits & ~F32::sign : bits;
    to.lane[i] = operand.neg ? bits ^ F32::sign : bits;
  }
}

void mix(const Wave& wave, const Inst& inst, Row& result) {
  Row source[3];
  for (unsigned i = 0; i < 3; ++i) mix_source(wave, inst, i, source[i]);
  const RoundingScope rounding(wave, Type::kF32);
  for (std::size_t base = 0; base < wave.lanes; base += kChunk)
    for (std::size_t i = base; i < base + kChunk; ++i) {
      const auto a = std::bit_cast<float>(source[0].lane[i]);
      const auto b = std::bit_cast<float>(source[1].lane[i]);
      const auto c = std::bit_cast<float>(source[2].lane[i]);
      result.lane[i] = std::bit_cast<u32>(nan_result<F32>(__builtin_fmaf(a, b, c), a, b, c));
    }
}

void fma_mix_f32(Wave& wave, const Inst& inst) {
  Row result;
  mix(wave, inst, result);
  modify_results(wave, inst, Type::kF32, &result, nullptr);
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  store_row(wave, inst.dst[0].index, result, lanes.row, lanes.all);
}

// The f32 result rounded to f16, into one half of the register; the other half stays.
template <bool High>
void fma_mix_f16(Wave& wave, const Inst& inst) {
  Row result;
  mix(wave, inst, result);
  {
    const RoundingScope rounding(wave, Type::kF16);
    for (std::size_t base = 0; base < wave.lanes; base += kChunk)
      for (std::size_t i = base; i < base + kChunk; ++i)
        result.lane[i] = f32_to_f16(std::bit_cast<float>(result.lane[i]));
  }
  modify_results(wave, inst, Type::kF16, &result, nullptr);
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  const u32* old = wave.vgpr(inst.dst[0].index);
  for (std::size_t i = 0; i < wave.lanes; ++i)
    result.lane[i] = High ? (old[i] & 0xffffU) | (result.lane[i] << 16)
                          : (old[i] & 0xffff0000U) | result.lane[i];
  store_row(wave, inst.dst[0].index, result, lanes.row, lanes.all);
}

// --- dot products ---

// Pairs of 16-bit numbers and an addend. The manuals give the terms, not the rounding between
// them: two fused steps here.
template <Type Pair, Type Result, float (*Decode)(u32)>
void dot2(Wave& wave, const Inst& inst) {
  Row low[2], high[2], scratch[2];
  packed_rows(wave, inst, 0, Pair, &low[0], &high[0]);
  packed_rows(wave, inst, 1, Pair, &low[1], &high[1]);
  const Rows addend = modified_rows(wave, inst, 2, Result, scratch);
  Row result;
  {
    const RoundingScope rounding(wave, Result);
    for (std::size_t i = 0; i < wave.lanes; ++i) {
      const float a = Decode(low[0].lane[i]), b = Decode(low[1].lane[i]);
      const float c = Decode(high[0].lane[i]), d = Decode(high[1].lane[i]);
      const float start = Result == Type::kF32 ? std::bit_cast<float>(addend.low[i])
                                               : Decode(addend.low[i] & 0xffffU);
      const float sum = __builtin_fmaf(c, d, __builtin_fmaf(a, b, start));
      const float number = nan_result<F32>(sum, a, b, c, d, start);
      result.lane[i] = Result == Type::kF32    ? std::bit_cast<u32>(number)
                       : Result == Type::kBF16 ? f32_to_bf16_nearest(number)
                                               : f32_to_f16(number);
    }
  }
  modify_results(wave, inst, Result, &result, nullptr);
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  store_part(wave, inst, Result, result, lanes.row);
}

template <bool FirstBf8, bool SecondBf8>
void dot4_fp8(Wave& wave, const Inst& inst) {
  Row scratch[3][2];
  const Rows a = modified_rows(wave, inst, 0, Type::kB32, scratch[0]);
  const Rows b = modified_rows(wave, inst, 1, Type::kB32, scratch[1]);
  const Rows addend = modified_rows(wave, inst, 2, Type::kF32, scratch[2]);
  const Fp8Layout first = layout_of(FirstBf8 ? bf8_format(wave.isa) : fp8_format(wave.isa));
  const Fp8Layout second = layout_of(SecondBf8 ? bf8_format(wave.isa) : fp8_format(wave.isa));
  Row result;
  {
    const RoundingScope rounding(wave, Type::kF32);
    for (std::size_t i = 0; i < wave.lanes; ++i) {
      float sum = std::bit_cast<float>(addend.low[i]);
      for (unsigned shift = 0; shift < 32; shift += 8) {
        const float x = fp8_to_f32((a.low[i] >> shift) & 0xffU, first);
        const float y = fp8_to_f32((b.low[i] >> shift) & 0xffU, second);
        sum = nan_result<F32>(__builtin_fmaf(x, y, sum), x, y, sum);
      }
      result.lane[i] = std::bit_cast<u32>(sum);
    }
  }
  modify_results(wave, inst, Type::kF32, &result, nullptr);
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  store_row(wave, inst.dst[0].index, result, lanes.row, lanes.all);
}

constexpr Op dot_op(std::string_view name, Handler run, Type dst, std::array<Type, 5> src,
                    u32 flags = 0) {
  Op op = float_op(name, run, dst, src, flags);
  op.fidelity = Fidelity::kApproximate;
  op.bound = "the rounding between the terms is not documented: 1 ulp of the largest partial sum";
  return op;
}

constexpr std::array<Type, 5> kH2 = {kH, kH}, kH3 = {kH, kH, kH}, kPk2 = {kPkH, kPkH},
                              kPk3 = {kPkH, kPkH, kPkH};
constexpr std::array<Type, 5> kMix = {Type::kF32, Type::kF32, Type::kF32};
constexpr Type kF = Type::kF32, kPkB = Type::kPkBF16, kB32 = Type::kB32;

constexpr Op kOps[] = {
    half_op<kH, kH, kH>("v_add_f16", Add{}),
    half_op<kH, kH, kH>("v_sub_f16", Sub<F16, false>{}),
    half_op<kH, kH, kH>("v_subrev_f16", Sub<F16, true>{}),
    half_op<kH, kH, kH>("v_mul_f16", Mul{}),
    half_op<kH, kH, kH, kH>("v_fma_f16", Fma{}, kKeepsHigh),
    half_op<kH, kH, kH, kH>("v_fma_legacy_f16", Fma{}),
    half_op<kH, kH, kH, kH>("v_fmac_f16", Fma{}, kReadsDst),
    half_op<kH, kH, kH, kH>("v_fmamk_f16", Fma{}),
    half_op<kH, kH, kH, kH>("v_fmaak_f16", Fma{}),
    half_op<kH, kH, kH, kH>("v_mad_f16", Mad{}, kKeepsHigh),
    half_op<kH, kH, kH, kH>("v_mad_legacy_f16", Mad{}),
    half_op<kH, kH, kH, kH>("v_mac_f16", Mad{}, kReadsDst),
    half_op<kH, kH, kH, kH>("v_madmk_f16", Mad{}),
    half_op<kH, kH, kH, kH>("v_madak_f16", Mad{}),
    half_op<kPkH, kPkH, kPkH>("v_pk_add_f16", Add{}),
    half_op<kPkH, kPkH, kPkH>("v_pk_mul_f16", Mul{}),
    half_op<kPkH, kPkH, kPkH, kPkH>("v_pk_fma_f16", Fma{}),
    half_op<kPkH, kPkH, kPkH, kPkH>("v_pk_fmac_f16", Fma{}, kReadsDst),

    float_op("v_max_f16", extremum<F16, true>, kH, kH2),
    float_op("v_min_f16", extremum<F16, false>, kH, kH2),
    float_op("v_max3_f16", extremum3<F16, true, true>, kH, kH3, kKeepsHigh),
    float_op("v_min3_f16", extremum3<F16, false, false>, kH, kH3, kKeepsHigh),
    float_op("v_med3_f16", median3<F16>, kH, kH3, kKeepsHigh),
    float_op("v_maxmin_f16", extremum3<F16, true, false>, kH, kH3),
    float_op("v_minmax_f16", extremum3<F16, false, true>, kH, kH3),
    float_op("v_maximum_f16", extremum_2019<F16, true>, kH, kH2),
    float_op("v_minimum_f16", extremum_2019<F16, false>, kH, kH2),
    float_op("v_maximum3_f16", extremum3_2019<F16, true, true>, kH, kH3),
    float_op("v_minimum3_f16", extremum3_2019<F16, false, false>, kH, kH3),
    float_op("v_maximumminimum_f16", extremum3_2019<F16, true, false>, kH, kH3),
    float_op("v_minimummaximum_f16", extremum3_2019<F16, false, true>, kH, kH3),
    float_op("v_pk_max_f16", extremum<F16, true, kPkH>, kPkH, kPk2),
    float_op("v_pk_min_f16", extremum<F16, false, kPkH>, kPkH, kPk2),
    float_op("v_pk_maximum_f16", extremum_2019<F16, true, kPkH>, kPkH, kPk2),
    float_op("v_pk_minimum_f16", extremum_2019<F16, false, kPkH>, kPkH, kPk2),
    float_op("v_pk_maximum3_f16", extremum3_2019<F16, true, true, kPkH>, kPkH, kPk3),
    float_op("v_pk_minimum3_f16", extremum3_2019<F16, false, false, kPkH>, kPkH, kPk3),

    vector_op<kH, kH>("v_trunc_f16", Arithmetic<F16, Unary<trunc_of>>{}),
    vector_op<kH, kH>("v_ceil_f16", Arithmetic<F16, Unary<ceil_of>>{}),
    vector_op<kH, kH>("v_floor_f16", Arithmetic<F16, Unary<floor_of>>{}),
    vector_op<kH, kH>("v_rndne_f16", Arithmetic<F16, Unary<rndne_of>>{}),
    vector_op<kH, kH>("v_fract_f16", Arithmetic<F16, Unary<fract_of>>{}),
    vector_op<kH, kH, Type::kB16>("v_ldexp_f16", Ldexp{}),
    vector_op<Type::kB16, kH>("v_frexp_exp_i16_f16", FrexpExponent{}, kKeepsDenormals),
    vector_op<kH, kH>("v_frexp_mant_f16", FrexpMantissa{}, kKeepsDenormals),

    float_op("v_fma_mix_f32", fma_mix_f32, Type::kF32, kMix, kMixesHalves),
    float_op("v_fma_mixlo_f16", fma_mix_f16<false>, kH, kMix, kKeepsHigh | kMixesHalves),
    float_op("v_fma_mixhi_f16", fma_mix_f16<true>, kH, kMix, kKeepsHigh | kMixesHalves),

    dot_op("v_dot2_f32_f16", dot2<kPkH, kF, f16_to_f32>, kF, {kPkH, kPkH, kF}),
    dot_op("v_dot2c_f32_f16", dot2<kPkH, kF, f16_to_f32>, kF, {kPkH, kPkH, kF}, kReadsDst),
    dot_op("v_dot2_f32_bf16", dot2<kPkB, kF, bf16_to_f32>, kF, {kPkB, kPkB, kF}),
    dot_op("v_dot2c_f32_bf16", dot2<kPkB, kF, bf16_to_f32>, kF, {kPkB, kPkB, kF}, kReadsDst),
    dot_op("v_dot2_f16_f16", dot2<kPkH, kH, f16_to_f32>, kH, {kPkH, kPkH, kH}),
    dot_op("v_dot2_bf16_bf16", dot2<kPkB, Type::kBF16, bf16_to_f32>, Type::kBF16,
           {kPkB, kPkB, Type::kBF16}),
    dot_op("v_dot4_f32_fp8_fp8", dot4_fp8<false, false>, kF, {kB32, kB32, kF}) |
        Fp8Use::multiply(false, false),
    dot_op("v_dot4_f32_fp8_bf8", dot4_fp8<false, true>, kF, {kB32, kB32, kF}) |
        Fp8Use::multiply(false, true),
    dot_op("v_dot4_f32_bf8_fp8", dot4_fp8<true, false>, kF, {kB32, kB32, kF}) |
        Fp8Use::multiply(true, false),
    dot_op("v_dot4_f32_bf8_bf8", dot4_fp8<true, true>, kF, {kB32, kB32, kF}) |
        Fp8Use::multiply(true, true),
};

}  // namespace

std::span<const Op> float16_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
