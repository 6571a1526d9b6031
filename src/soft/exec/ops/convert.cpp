// SPDX-License-Identifier: MIT
// Conversions between number formats. Float to integer truncates and saturates, and NaN becomes 0.
#include <array>

#include "soft/exec/ops/arith.h"
#include "soft/exec/ops/fp8.h"
#include "soft/exec/ops/half.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kF = Type::kF32, kD = Type::kF64, kH = Type::kF16, kB = Type::kB32,
               kB16 = Type::kB16;

// --- float to integer ---

template <class T>
inline u32 to_i32(T value) {
  const T limit = static_cast<T>(0x1p31);
  const bool high = value >= limit, inside = value >= -limit && value < limit;
  const i32 number = static_cast<i32>(inside ? value : T{0});
  const u32 outside = high ? 0x7fffffffU : (value < -limit ? 0x80000000U : 0U);
  return inside ? static_cast<u32>(number) : outside;
}
template <class T>
inline u32 to_u32(T value) {
  const T half = static_cast<T>(0x1p31), limit = static_cast<T>(0x1p32);
  const bool inside = value > T{-1} && value < limit;
  const bool upper = inside && value >= half;
  const T low = upper ? value - half : value;
  const u32 number = static_cast<u32>(static_cast<i32>(inside ? low : T{0}));
  return inside ? number ^ (upper ? 0x80000000U : 0U) : (value >= limit ? ~0U : 0U);
}
inline u32 to_i16(float value) {
  const float bounded = value < -32768.0F ? -32768.0F : (value > 32767.0F ? 32767.0F : value);
  return static_cast<u32>(static_cast<i32>(value == value ? bounded : 0.0F)) & 0xffffU;
}
inline u32 to_u16(float value) {
  const float bounded = value < 0.0F ? 0.0F : (value > 65535.0F ? 65535.0F : value);
  return static_cast<u32>(static_cast<i32>(value == value ? bounded : 0.0F));
}

// [-1, 1] to ±32767 and [0, 1] to 65535, to nearest.
inline u32 to_snorm16(float value) {
  const float bounded = value < -1.0F ? -1.0F : (value > 1.0F ? 1.0F : value);
  const double scaled = static_cast<double>(value == value ? bounded : 0.0F) * 32767.0;
  return static_cast<u32>(static_cast<i32>(__builtin_roundeven(scaled))) & 0xffffU;
}
inline u32 to_unorm16(float value) {
  const float bounded = value < 0.0F ? 0.0F : (value > 1.0F ? 1.0F : value);
  const double scaled = static_cast<double>(value == value ? bounded : 0.0F) * 65535.0;
  return static_cast<u32>(static_cast<i32>(__builtin_roundeven(scaled)));
}
inline u32 to_u8(float value) {
  const float bounded = value < 0.0F ? 0.0F : (value > 255.0F ? 255.0F : value);
  return static_cast<u32>(static_cast<i32>(__builtin_roundevenf(value == value ? bounded : 0.0F)));
}

// Exact, and +0 for 0 in every rounding mode: what clang makes of the cast gives -0 when rounding
// down.
inline double from_u32(u32 value) {
  return __builtin_fabs(std::bit_cast<double>(0x4330000000000000ULL | value) - 0x1p52);
}

inline u32 pack(u32 low, u32 high) {
  return (low & 0xffffU) | (high << 16);
}

// Signed sixteenths.
inline float from_i4(u32 bits) {
  return static_cast<float>(static_cast<i32>(bits << 28) >> 28) * 0.0625F;
}

template <unsigned Byte>
struct FromByte {
  float operator()(u32 bits) const {
    return static_cast<float>(static_cast<i32>((bits >> (8 * Byte)) & 0xffU));
  }
};

inline u32 put_byte(u32 byte, u32 where, u32 into) {
  const u32 shift = (where & 3U) * 8U;
  return (into & ~(0xffU << shift)) | (byte << shift);
}

// --- f16 and bf16 ---

// An f16 result that MODE flushes or saturates outside the common path.
struct HalfOutput {
  bool flush = false, saturate = false;
  u32 operator()(u32 half, float from) const {
    const u32 magnitude = half & 0x7fffU;
    const bool overflowed =
        saturate && magnitude == kInfF16 && (std::bit_cast<u32>(from) << 1) != (kInfF32 << 1);
    const u32 result = overflowed ? (half & 0x8000U) | 0x7bffU : half;
    return flush && (result & kInfF16) == 0 ? result & 0x8000U : result;
  }
};
HalfOutput half_output(const Wave& wave) {
  return {(wave.mode.denormal_f64_f16 & 2U) == 0, wave.mode.fp16_overflow};
}

void cvt_f16_f32(Wave& wave, const Inst& inst) {
  if (!wave.mode.fp16_overflow) [[likely]]
    return map<kH, kF>(wave, inst, [](float a) { return f32_to_f16(a); });
  const HalfOutput output{false, true};
  map<kH, kF>(wave, inst, [output](float a) { return output(f32_to_f16(a), a); });
}
template <u32 (*Convert)(float)>
void cvt_pk_f16_f32(Wave& wave, const Inst& inst) {
  const HalfOutput output = half_output(wave);
  if (!output.flush && !output.saturate) [[likely]]
    return map<kB, kF, kF>(wave, inst,
                           [](float a, float b) { return pack(Convert(a), Convert(b)); });
  map<kB, kF, kF>(wave, inst, [output](float a, float b) {
    return pack(output(Convert(a), a), output(Convert(b), b));
  });
}

inline float quiet(float value) {
  return nan_result<F32>(value, value);
}

// Random bits below the last place, then truncation.
inline u32 f32_to_f16_stochastic(float value, u32 random) {
  const u32 bits = std::bit_cast<u32>(value);
  const u32 magnitude = bits & 0x7fffffffU;
  const u32 field = magnitude >> 23;
  const u32 below = field < 113U ? 113U - field : 0U;
  const u32 shift = 13U + (below > 18U ? 18U : below);
  const u32 significand = (magnitude & 0x7fffffU) | (field != 0 ? 0x800000U : 0U);
  const u32 sum = significand + (random >> (32U - shift));
  const u32 base = below != 0 ? 0U : (field - 113U) << 10;
  const u32 code = base + (sum >> shift);
  const u32 finite = field >= 143U || code > kInfF16 ? kInfF16 : code;
  return (magnitude >= kInfF32 ? f32_to_f16_nearest(value) & 0x7fffU : finite) |
         ((bits >> 16) & 0x8000U);
}
inline u32 f32_to_bf16_stochastic(float value, u32 random) {
  const u32 bits = std::bit_cast<u32>(value);
  const u32 sum = (bits + (random >> 16)) >> 16;
  return (bits & 0x7fffffffU) >= kInfF32 ? f32_to_bf16_nearest(value) : sum;
}

// --- 8-bit floats ---

bool has_fp8(Wave& wave, const Inst& inst) {
  if (soft::has_fp8(wave.isa)) return true;
  wave.unsupported(inst, "this target has no 8-bit floats");
  return false;
}
// Calls f with the format as a constant, so that loops over it vectorise.
template <bool Bf8, class F>
void with_format(Wave& wave, const Inst& inst, F f) {
  if (!has_fp8(wave, inst)) return;
  constexpr Fp8 ocp = Bf8 ? Fp8::kE5M2 : Fp8::kE4M3;
  constexpr Fp8 fnuz = Bf8 ? Fp8::kE5M2Fnuz : Fp8::kE4M3Fnuz;
  if ((Bf8 ? bf8_format(wave.isa) : fp8_format(wave.isa)) == ocp)
    f(std::integral_constant<Fp8, ocp>{});
  else
    f(std::integral_constant<Fp8, fnuz>{});
}

// SDWA (gfx9) has selected the byte already; gfx12 says byte_sel.
template <bool Bf8>
void cvt_f32_fp8(Wave& wave, const Inst& inst) {
  const unsigned shift = inst.byte_sel_set ? 8U * (inst.byte_sel & 3U) : 0U;
  with_format<Bf8>(wave, inst, [&]([[maybe_unused]] auto format) {
    map<kF, kB>(wave, inst, [shift](u32 bits) {
      return fp8_to_f32((bits >> shift) & 0xffU, layout_of(decltype(format)::value));
    });
  });
}
template <bool Bf8>
void cvt_pk_f32_fp8(Wave& wave, const Inst& inst) {
  with_format<Bf8>(wave, inst, [&]([[maybe_unused]] auto format) {
    map<Type::kB64, kB16>(wave, inst, [](u32 bits) {
      const auto low =
          std::bit_cast<u32>(fp8_to_f32(bits & 0xffU, layout_of(decltype(format)::value)));
      const auto high =
          std::bit_cast<u32>(fp8_to_f32((bits >> 8) & 0xffU, layout_of(decltype(format)::value)));
      return low | (u64{high} << 32);
    });
  });
}
template <bool Bf8>
void cvt_pk_fp8_f32(Wave& wave, const Inst& inst) {
  with_format<Bf8>(wave, inst, [&]([[maybe_unused]] auto format) {
    const auto run = [&]([[maybe_unused]] auto saturate) {
      map<kB16, kF, kF>(wave, inst, [](float a, float b) {
        constexpr Fp8Layout layout = layout_of(decltype(format)::value);
        constexpr bool bounded = decltype(saturate)::value;
        return f32_to_fp8(a, layout, bounded) | (f32_to_fp8(b, layout, bounded) << 8);
      });
    };
    if (wave.mode.fp16_overflow || inst.clamp)
      run(std::true_type{});
    else
      run(std::false_type{});
  });
}

// One byte of the destination, the others stay.
void store_byte(Wave& wave, const Inst& inst, unsigned byte, const Row& result) {
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  const u32* old = wave.vgpr(inst.dst[0].index);
  Row merged;
  for (std::size_t i = 0; i < wave.lanes; ++i)
    merged.lane[i] = put_byte(result.lane[i], byte, old[i]);
  store_row(wave, inst.dst[0].index, merged, lanes.row, lanes.all);
}
template <bool Bf8>
void cvt_sr_fp8_f32(Wave& wave, const Inst& inst) {
  const bool saturate = wave.mode.fp16_overflow || inst.clamp;
  with_format<Bf8>(wave, inst, [&]([[maybe_unused]] auto format) {
    Row scratch[2][2], result;
    const Rows values = modified_rows(wave, inst, 0, kF, scratch[0]);
    const Rows random = modified_rows(wave, inst, 1, kB, scratch[1]);
    for (std::size_t i = 0; i < wave.lanes; ++i)
      result.lane[i] =
          f32_to_fp8(std::bit_cast<float>(values.low[i]), layout_of(decltype(format)::value),
                     saturate, true, random.low[i]);
    const unsigned selected = (inst.src[2].op_sel ? 1U : 0U) | (inst.op_sel_dst ? 2U : 0U);
    store_byte(wave, inst, inst.byte_sel_set ? inst.byte_sel : selected, result);
  });
}

// --- the table ---

constexpr Op approximate(Op op, std::string_view bound) {
  op.fidelity = Fidelity::kApproximate;
  op.bound = bound;
  return op;
}
constexpr std::string_view kHalves = "1 unit where the fraction is one half: rounding undocumented";
constexpr std::string_view kChance =
    "1 ulp: which random bits decide between the two neighbours is not fully documented";

constexpr std::array<Type, 5> kF1 = {kF}, kF2 = {kF, kF}, kFB = {kF, kB};

constexpr Op kOps[] = {
    vector_op<kB, kF>("v_cvt_i32_f32", [](float a) { return to_i32(a); }),
    vector_op<kB, kF>("v_cvt_u32_f32", [](float a) { return to_u32(a); }),
    vector_op<kB, kD>("v_cvt_i32_f64", [](double a) { return to_i32(a); }),
    vector_op<kB, kD>("v_cvt_u32_f64", [](double a) { return to_u32(a); }),
    vector_op<kB, kF>("v_cvt_rpi_i32_f32",
                      [](float a) { return to_i32(__builtin_floorf(a + 0.5F)); }),
    vector_op<kB, kF>("v_cvt_flr_i32_f32", [](float a) { return to_i32(__builtin_floorf(a)); }),
    vector_op<kB16, kH>("v_cvt_i16_f16", [](u32 a) { return to_i16(f16_to_f32(a)); }),
    vector_op<kB16, kH>("v_cvt_u16_f16", [](u32 a) { return to_u16(f16_to_f32(a)); }),
    vector_op<kB, kF, kF>("v_cvt_pk_i16_f32",
                          [](float a, float b) { return pack(to_i16(a), to_i16(b)); }),
    vector_op<kB, kF, kF>("v_cvt_pk_u16_f32",
                          [](float a, float b) { return pack(to_u16(a), to_u16(b)); }),

    vector_op<kF, kB>("v_cvt_f32_i32",
                      [](u32 a) { return static_cast<float>(static_cast<i32>(a)); }),
    vector_op<kF, kB>("v_cvt_f32_u32", [](u32 a) { return static_cast<float>(from_u32(a)); }),
    vector_op<kD, kB>("v_cvt_f64_i32",
                      [](u32 a) { return static_cast<double>(static_cast<i32>(a)); }),
    vector_op<kD, kB>("v_cvt_f64_u32", [](u32 a) { return from_u32(a); }),
    vector_op<kH, kB16>(
        "v_cvt_f16_i16",
        [](u32 a) { return f32_to_f16(static_cast<float>(static_cast<i32>(a << 16) >> 16)); }),
    vector_op<kH, kB16>("v_cvt_f16_u16",
                        [](u32 a) { return f32_to_f16(static_cast<float>(static_cast<i32>(a))); }),
    vector_op<kF, kB>("v_cvt_off_f32_i4", [](u32 a) { return from_i4(a); }),
    vector_op<kF, kB>("v_cvt_f32_ubyte0", FromByte<0>{}) | VectorRule::kByte0,
    vector_op<kF, kB>("v_cvt_f32_ubyte1", FromByte<1>{}) | VectorRule::kByte1,
    vector_op<kF, kB>("v_cvt_f32_ubyte2", FromByte<2>{}) | VectorRule::kByte2,
    vector_op<kF, kB>("v_cvt_f32_ubyte3", FromByte<3>{}) | VectorRule::kByte3,
    vector_op<kB, kB16>("v_cvt_i32_i16",
                        [](u32 a) { return static_cast<u32>(static_cast<i32>(a << 16) >> 16); }),
    vector_op<kB, kB16>("v_cvt_u32_u16", [](u32 a) { return a; }),

    vector_op<kF, kD>("v_cvt_f32_f64", [](double a) { return static_cast<float>(a); }),
    vector_op<kD, kF>("v_cvt_f64_f32", [](float a) { return static_cast<double>(a); }),
    float_op("v_cvt_f16_f32", cvt_f16_f32, kH, kF1),
    vector_op<kF, kH>("v_cvt_f32_f16", [](u32 a) { return quiet(f16_to_f32(a)); }),
    vector_op<kF, Type::kBF16>("v_cvt_f32_bf16", [](u32 a) { return quiet(bf16_to_f32(a)); }),
    float_op("v_cvt_pkrtz_f16_f32", cvt_pk_f16_f32<f32_to_f16_toward_zero>, kB, kF2),
    float_op("v_cvt_pk_f16_f32", cvt_pk_f16_f32<f32_to_f16_nearest>, kB, kF2),
    vector_op<kB, kF, kF>(
        "v_cvt_pk_bf16_f32",
        [](float a, float b) { return pack(f32_to_bf16_nearest(a), f32_to_bf16_nearest(b)); }),
    approximate(vector_op<kB16, kF, kB>(
                    "v_cvt_sr_f16_f32", [](float a, u32 b) { return f32_to_f16_stochastic(a, b); },
                    kKeepsHigh),
                kChance),
    approximate(vector_op<kB16, kF, kB>(
                    "v_cvt_sr_bf16_f32",
                    [](float a, u32 b) { return f32_to_bf16_stochastic(a, b); }, kKeepsHigh),
                kChance),

    approximate(
        vector_op<kB16, kH>("v_cvt_norm_i16_f16", [](u32 a) { return to_snorm16(f16_to_f32(a)); }),
        kHalves),
    approximate(
        vector_op<kB16, kH>("v_cvt_norm_u16_f16", [](u32 a) { return to_unorm16(f16_to_f32(a)); }),
        kHalves),
    approximate(
        vector_op<kB, kF, kF>("v_cvt_pknorm_i16_f32",
                              [](float a, float b) { return pack(to_snorm16(a), to_snorm16(b)); }),
        kHalves),
    approximate(
        vector_op<kB, kF, kF>("v_cvt_pknorm_u16_f32",
                              [](float a, float b) { return pack(to_unorm16(a), to_unorm16(b)); }),
        kHalves),
    approximate(vector_op<kB, kH, kH>("v_cvt_pknorm_i16_f16",
                                      [](u32 a, u32 b) {
                                        return pack(to_snorm16(f16_to_f32(a)),
                                                    to_snorm16(f16_to_f32(b)));
                                      }),
                kHalves),
    approximate(vector_op<kB, kH, kH>("v_cvt_pknorm_u16_f16",
                                      [](u32 a, u32 b) {
                                        return pack(to_unorm16(f16_to_f32(a)),
                                                    to_unorm16(f16_to_f32(b)));
                                      }),
                kHalves),
    approximate(vector_op<kB, kF, kB, kB>(
                    "v_cvt_pk_u8_f32",
                    [](float a, u32 where, u32 into) { return put_byte(to_u8(a), where, into); }),
                kHalves),
    approximate(vector_op<kB, kF, kB, kB>(
                    "v_cvt_pkaccum_u8_f32",
                    [](float a, u32 where, u32 into) { return put_byte(to_u8(a), where, into); },
                    kReadsDst),
                kHalves),

    float_op("v_cvt_f32_fp8", cvt_f32_fp8<false>, kF, {kB}) | Fp8Use::decode(false),
    float_op("v_cvt_f32_bf8", cvt_f32_fp8<true>, kF, {kB}) | Fp8Use::decode(true),
    float_op("v_cvt_pk_f32_fp8", cvt_pk_f32_fp8<false>, Type::kB64, {kB16}) |
        Fp8Use::decode_pair(false),
    float_op("v_cvt_pk_f32_bf8", cvt_pk_f32_fp8<true>, Type::kB64, {kB16}) |
        Fp8Use::decode_pair(true),
    float_op("v_cvt_pk_fp8_f32", cvt_pk_fp8_f32<false>, kB16, kF2, kKeepsHigh) |
        Fp8Use::encode(false),
    float_op("v_cvt_pk_bf8_f32", cvt_pk_fp8_f32<true>, kB16, kF2, kKeepsHigh) |
        Fp8Use::encode(true),
    approximate(float_op("v_cvt_sr_fp8_f32", cvt_sr_fp8_f32<false>, kB, kFB), kChance) |
        Fp8Use::encode(false, true),
    approximate(float_op("v_cvt_sr_bf8_f32", cvt_sr_fp8_f32<true>, kB, kFB), kChance) |
        Fp8Use::encode(true, true),
};

}  // namespace

std::span<const Op> convert_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
