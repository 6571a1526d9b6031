// SPDX-License-Identifier: MIT
// gfx950's conversions from and to the formats of the OCP microscaling standard. The scale is the
// exponent of an f32 operand, 2^(field - 127), and 255 makes everything NaN. Places are the
// manual's; roundings, NaNs and random bits are those of AMD's host routines for the same HIP
// functions, because the manual leaves them open.
#include <bit>
#include <type_traits>

#include "soft/exec/ops/fp8.h"
#include "soft/exec/ops/half.h"
#include "soft/exec/ops/matrix.h"
#include "soft/exec/ops/op_list.h"
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Element F32 = Element::kF32, F16 = Element::kF16, BF16 = Element::kBF16,
                  FP8 = Element::kFP8, BF8 = Element::kBF8, FP6 = Element::kFP6,
                  BF6 = Element::kBF6, FP4 = Element::kFP4;

// Codes without their sign.
struct Codes {
  u32 largest, overflow, nan;
};
constexpr Codes codes_of(Element element) {
  if (element == FP8 || element == BF8) {
    const Fp8Layout f = layout_of(element == FP8 ? Fp8::kE4M3 : Fp8::kE5M2);
    return {f.largest, f.overflow, f.nan};
  }
  // Below 8 bits every code is a number, and the largest stands for NaN and infinity.
  const u32 largest = (1U << (bits_of(element) - 1)) - 1U;
  return {largest, largest, largest};
}

// The significand's bits below the point; the rest of a float that came from W is zero.
template <Element W>
constexpr u32 kFraction = static_cast<u32>(significand_of(W, Isa::kGfx950).fraction);

template <Element W>
inline float widen(u32 bits) {
  if constexpr (W == F16) return f16_to_f32(bits & 0xffffU);
  if constexpr (W == BF16) return bf16_to_f32(bits & 0xffffU);
  return std::bit_cast<float>(bits);
}
template <Element W>
inline u32 narrow(float value) {
  if constexpr (W == F16) return f32_to_f16_nearest(value);
  if constexpr (W == BF16) return f32_to_bf16_nearest(value);
  return std::bit_cast<u32>(value);
}

// value / 2^(scale - 127) as a code of S. Stochastic: as many random bits as W has below the last
// place of S are added there, after bits that lie lower still have been dropped.
template <Element S, Element W, bool stochastic>
inline u32 encode(float value, u32 scale, bool saturate, u32 random) {
  constexpr auto format = significand_of(S, Isa::kGfx950);
  constexpr u32 mantissa = static_cast<u32>(format.fraction), places = kFraction<W> - mantissa;
  constexpr Codes codes = codes_of(S);
  const u32 bits = std::bit_cast<u32>(value), magnitude = bits & 0x7fffffffU;
  const bool denormal = magnitude < 0x800000U;
  const u32 normal = denormal ? std::bit_cast<u32>(static_cast<float>(static_cast<i32>(magnitude)))
                              : magnitude;  // denormals count 2^-149
  const i32 exponent =
      static_cast<i32>(normal >> 23) - (denormal ? 149 : 0) - static_cast<i32>(scale);
  const u32 whole =
      magnitude == 0 ? 0U : ((normal & 0x7fffffU) | 0x800000U) >> (23U - kFraction<W>);
  const i32 under = format.lowest - exponent, over = exponent - format.lowest;
  const u32 below = static_cast<u32>(under < 0 ? 0 : (under > 8 ? 8 : under));
  const u32 base = static_cast<u32>(over < 0 ? 0 : (over > 64 ? 64 : over)) << mantissa;
  u32 sum;
  if constexpr (stochastic) {
    const u32 kept = under > 24 ? 0U : whole >> static_cast<u32>(under < 0 ? 0 : under);
    sum = (kept + (random >> (32U - places))) >> places;
  } else {
    const u32 shift = places + below;
    // Half a unit, less a bit when the unit before it is even.
    const u32 half = (1U << (shift - 1U)) - 1U + ((whole >> shift) & 1U);
    sum = (whole + half) >> shift;
  }
  const u32 code = whole == 0 ? 0U : base + sum;
  const u32 beyond = (saturate & (magnitude < 0x7f800000U)) ? codes.largest : codes.overflow;
  const u32 number = ((code > codes.largest) | (magnitude == 0x7f800000U)) ? beyond : code;
  const bool nan = (magnitude > 0x7f800000U) | (scale == 255U);
  return (nan ? codes.nan : number) | ((bits >> 31) << (bits_of(S) - 1U));
}

inline float scaled(float value, u32 scale) {
  const auto power = std::bit_cast<double>(u64{scale + 1023U - 127U} << 52);
  const auto product = static_cast<float>(static_cast<double>(value) * power);
  const u32 nan = (std::bit_cast<u32>(value) & 0x80000000U) | kQuietF32;
  return scale == 255U ? std::bit_cast<float>(nan) : product;
}

// Whether an operand is a range of at least `dwords` vector registers.
bool holds(const Operand& operand, unsigned dwords) {
  return operand.is_vector() && operand.dwords >= dwords;
}
bool modified(const Operand& operand) {
  return operand.neg || operand.abs;
}

// Results of all lanes, as bits of consecutive registers.
template <unsigned kDwords>
struct Packed {
  Row row[kDwords];

  Packed() { std::memset(row, 0, sizeof(row)); }
  void put(unsigned bit, unsigned width, const Row& values) {
    const unsigned shift = bit % 32;
    for (std::size_t i = 0; i < 64; ++i) row[bit / 32].lane[i] |= values.lane[i] << shift;
    if (shift + width <= 32) return;
    for (std::size_t i = 0; i < 64; ++i)
      row[bit / 32 + 1].lane[i] |= values.lane[i] >> (32 - shift);
  }
  // Into the destination, or into `width` bits of it from `bit` on.
  void store(Wave& wave, const Inst& inst, unsigned bit = 0, unsigned width = 32) {
    Lanes lanes;
    active_lanes(wave, inst, lanes);
    if (width < 32) {
      const u32 mask = ((1U << width) - 1U) << bit;
      const u32* old = wave.vgpr(inst.dst[0].index);
      for (std::size_t i = 0; i < wave.lanes; ++i)
        row[0].lane[i] = (row[0].lane[i] << bit & mask) | (old[i] & ~mask);
    }
    for (unsigned i = 0; i < kDwords; ++i)
      store_row(wave, inst.dst[0].index + i, row[i], lanes.row, lanes.all);
  }
};

void scales(const Wave& wave, const Operand& operand, Row& out) {
  Row scratch[2];
  const u32* bits = plain_rows(wave, operand, scratch).low;
  for (std::size_t i = 0; i < wave.lanes; ++i) out.lane[i] = bits[i] >> 23 & 0xffU;
}

// Where the elements of a conversion to S come from.
enum class From { kOne, kPair, kRange, kTwoRanges };

template <Element S, Element W, unsigned count, From from, bool stochastic>
void down(Wave& wave, const Inst& inst) {
  constexpr unsigned width = bits_of(W), per_row = 32 / width;
  constexpr unsigned sources = from == From::kTwoRanges ? 2 : 1, range = count / sources / per_row;
  constexpr bool in_pair = from == From::kPair;
  constexpr bool in_range = from == From::kRange || from == From::kTwoRanges;
  if (wave.isa != Isa::kGfx950) return wave.unsupported(inst, "only gfx950 has it");
  if constexpr (in_range)
    for (unsigned i = 0; i < sources; ++i)
      if (!holds(inst.src[i], range)) return wave.unsupported(inst, "operands of the wrong size");
  if constexpr (from != From::kOne && !(in_pair && W == F32))
    if (modified(inst.src[0]) || inst.src[0].op_sel)
      return wave.unsupported(inst, "modifiers of packed sources have no documented meaning here");
  constexpr unsigned given = in_pair && W == F32 ? 2 : sources;
  Row scale, random, scratch[2][2];
  scales(wave, inst.src[given + (stochastic ? 1 : 0)], scale);
  if constexpr (stochastic) {
    const u32* seed = plain_rows(wave, inst.src[given], scratch[0]).low;
    for (std::size_t i = 0; i < wave.lanes; ++i) random.lane[i] = seed[i];
  }
  // The rows and the shift of element e.
  const auto element = [&](unsigned e) -> std::pair<const u32*, unsigned> {
    if constexpr (in_range) {
      const Operand& operand = inst.src[e % sources];
      return {wave.vgpr(operand.index + e / sources / per_row), e / sources % per_row * width};
    } else if constexpr (in_pair && W == F32) {
      return {modified_rows(wave, inst, e, Type::kF32, scratch[e]).low, 0};
    } else if constexpr (from == From::kOne) {
      constexpr Type type = W == F32 ? Type::kF32 : W == F16 ? Type::kF16 : Type::kBF16;
      return {modified_rows(wave, inst, 0, type, scratch[1]).low, 0};
    } else {
      return {plain_rows(wave, inst.src[0], scratch[1]).low, e * width};
    }
  };
  const bool saturate = wave.mode.fp16_overflow;
  constexpr unsigned bits = bits_of(S);
  Packed<(count * bits + 31) / 32> result;
  for (unsigned e = 0; e < count; ++e) {
    const auto [rows, shift] = element(e);
    Row code{};
    for (std::size_t i = 0; i < wave.lanes; ++i) {
      code.lane[i] = encode<S, W, stochastic>(widen<W>(rows[i] >> shift), scale.lane[i], saturate,
                                              stochastic ? random.lane[i] : 0U);
      if constexpr (stochastic)
        random.lane[i] = random.lane[i] << 1 ^ (random.lane[i] >> 31 ? 197U : 0U);
    }
    result.put(e * bits, bits, code);
  }
  const unsigned high = inst.op_sel_dst ? 1U : 0U;
  if constexpr (count * bits == 8)
    result.store(wave, inst, 8 * (2 * high + (inst.src[2].op_sel ? 1U : 0U)), 8);
  else if constexpr (count * bits == 16)
    result.store(wave, inst, 16 * high, 16);
  else
    result.store(wave, inst);
}

template <Element W, Element S, unsigned count>
void up(Wave& wave, const Inst& inst) {
  constexpr unsigned bits = bits_of(S), width = bits_of(W);
  if (wave.isa != Isa::kGfx950) return wave.unsupported(inst, "only gfx950 has it");
  if (count > 2 && !holds(inst.src[0], count * bits / 32))
    return wave.unsupported(inst, "operands of the wrong size");
  if (modified(inst.src[0]))
    return wave.unsupported(inst, "modifiers of packed sources have no documented meaning here");
  Row scale, scratch[2];
  scales(wave, inst.src[1], scale);
  const u32* first = plain_rows(wave, inst.src[0], scratch).low;
  // Which word, or which byte, of the register the elements are in.
  const unsigned low = inst.src[0].op_sel ? 1U : 0U, high = inst.src[1].op_sel ? 2U : 0U;
  const unsigned start = count > 2 ? 0 : count * bits == 16 ? 16 * low : 8 * (high + low);
  Packed<(count * width + 31) / 32> result;
  for (unsigned e = 0; e < count; ++e) {
    const unsigned at = start + e * bits, shift = at % 32;
    const u32* rows = count > 2 ? wave.vgpr(inst.src[0].index + at / 32) : first;
    Row words;
    for (std::size_t i = 0; i < wave.lanes; ++i) words.lane[i] = rows[i] >> shift;
    if (shift + bits > 32) {
      const u32* next = wave.vgpr(inst.src[0].index + at / 32 + 1U);
      for (std::size_t i = 0; i < wave.lanes; ++i) words.lane[i] |= next[i] << (32 - shift);
    }
    float values[64];
    decode(S, wave.isa, words.lane, 0, wave.lanes, values);
    for (std::size_t i = 0; i < wave.lanes; ++i)
      words.lane[i] = narrow<W>(scaled(values[i], scale.lane[i]));
    result.put(e * width, width, words);
  }
  if constexpr (count * width == 16)
    result.store(wave, inst, inst.op_sel_dst ? 16 : 0, 16);
  else
    result.store(wave, inst);
}

// --- the table ---

constexpr std::string_view kDownBound =
    "exact within the format's range; codes of NaN, infinity and what lies beyond are undocumented";
constexpr std::string_view kChance =
    "1 ulp: which random bits decide between the two neighbours is not fully documented";
constexpr std::string_view kUpBound =
    "exact where the result is a normal number; denormals: 1 ulp; sign of NaN undocumented";

constexpr Op op(std::string_view name, Handler run, std::string_view bound, Type dst,
                std::array<Type, 5> src) {
  Op result{.name = name, .run = run, .kind = OpClass::kVector};
  result.fidelity = Fidelity::kApproximate;
  result.bound = bound;
  result.dst = {dst};
  result.src = src;
  return result;
}

constexpr Type kB = Type::kB32, kF = Type::kF32, kWide = Type::kWide;

template <Text name, Element S, Element W, unsigned count, From from, bool stochastic = false>
constexpr Op to_small() {
  constexpr Type one = W == F32 ? kF : W == F16 ? Type::kF16 : Type::kBF16;
  constexpr Type two = W == F32   ? (stochastic ? kWide : kF)
                       : W == F16 ? Type::kPkF16
                                  : Type::kPkBF16;
  constexpr Type type = from == From::kOne ? one : from == From::kPair ? two : kWide;
  constexpr bool second = from == From::kTwoRanges || (from == From::kPair && type == kF);
  // A pair of f32 values with a random number beside it is a register range.
  constexpr From source = from == From::kPair && type == kWide ? From::kRange : from;
  constexpr std::array<Type, 5> types =
      second ? std::array<Type, 5>{type, type, kF}
             : (stochastic ? std::array<Type, 5>{type, kB, kF} : std::array<Type, 5>{type, kF});
  return op(joined<"v_cvt_scalef32_", name>, down<S, W, count, source, stochastic>,
            stochastic ? kChance : kDownBound, count > 2 ? kWide : kB, types);
}
template <Text name, Element W, Element S, unsigned count>
constexpr Op to_wide() {
  constexpr unsigned dwords = (count * bits_of(W) + 31) / 32;
  return op(joined<"v_cvt_scalef32_", name>, up<W, S, count>, kUpBound, data_type(dwords),
            {count > 2 ? kWide : kB, kF});
}

constexpr From kOne = From::kOne, kPair = From::kPair, kRange = From::kRange;

constexpr Op kOps[] = {
    to_small<"pk_fp8_f32", FP8, F32, 2, kPair>(),
    to_small<"pk_bf8_f32", BF8, F32, 2, kPair>(),
    to_small<"pk_fp4_f32", FP4, F32, 2, kPair>(),
    to_small<"pk_fp8_f16", FP8, F16, 2, kPair>(),
    to_small<"pk_bf8_f16", BF8, F16, 2, kPair>(),
    to_small<"pk_fp4_f16", FP4, F16, 2, kPair>(),
    to_small<"pk_fp8_bf16", FP8, BF16, 2, kPair>(),
    to_small<"pk_bf8_bf16", BF8, BF16, 2, kPair>(),
    to_small<"pk_fp4_bf16", FP4, BF16, 2, kPair>(),
    to_small<"sr_fp8_f32", FP8, F32, 1, kOne, true>(),
    to_small<"sr_bf8_f32", BF8, F32, 1, kOne, true>(),
    to_small<"sr_fp8_f16", FP8, F16, 1, kOne, true>(),
    to_small<"sr_bf8_f16", BF8, F16, 1, kOne, true>(),
    to_small<"sr_fp8_bf16", FP8, BF16, 1, kOne, true>(),
    to_small<"sr_bf8_bf16", BF8, BF16, 1, kOne, true>(),
    to_small<"sr_pk_fp4_f32", FP4, F32, 2, kPair, true>(),
    to_small<"sr_pk_fp4_f16", FP4, F16, 2, kPair, true>(),
    to_small<"sr_pk_fp4_bf16", FP4, BF16, 2, kPair, true>(),
    to_small<"2xpk16_fp6_f32", FP6, F32, 32, From::kTwoRanges>(),
    to_small<"2xpk16_bf6_f32", BF6, F32, 32, From::kTwoRanges>(),
    to_small<"pk32_fp6_f16", FP6, F16, 32, kRange>(),
    to_small<"pk32_bf6_f16", BF6, F16, 32, kRange>(),
    to_small<"pk32_fp6_bf16", FP6, BF16, 32, kRange>(),
    to_small<"pk32_bf6_bf16", BF6, BF16, 32, kRange>(),
    to_small<"sr_pk32_fp6_f32", FP6, F32, 32, kRange, true>(),
    to_small<"sr_pk32_bf6_f32", BF6, F32, 32, kRange, true>(),
    to_small<"sr_pk32_fp6_f16", FP6, F16, 32, kRange, true>(),
    to_small<"sr_pk32_bf6_f16", BF6, F16, 32, kRange, true>(),
    to_small<"sr_pk32_fp6_bf16", FP6, BF16, 32, kRange, true>(),
    to_small<"sr_pk32_bf6_bf16", BF6, BF16, 32, kRange, true>(),

    to_wide<"f32_fp8", F32, FP8, 1>(),
    to_wide<"f32_bf8", F32, BF8, 1>(),
    to_wide<"f16_fp8", F16, FP8, 1>(),
    to_wide<"f16_bf8", F16, BF8, 1>(),
    to_wide<"pk_f32_fp8", F32, FP8, 2>(),
    to_wide<"pk_f32_bf8", F32, BF8, 2>(),
    to_wide<"pk_f32_fp4", F32, FP4, 2>(),
    to_wide<"pk_f16_fp8", F16, FP8, 2>(),
    to_wide<"pk_f16_bf8", F16, BF8, 2>(),
    to_wide<"pk_f16_fp4", F16, FP4, 2>(),
    to_wide<"pk_bf16_fp8", BF16, FP8, 2>(),
    to_wide<"pk_bf16_bf8", BF16, BF8, 2>(),
    to_wide<"pk_bf16_fp4", BF16, FP4, 2>(),
    to_wide<"pk32_f32_fp6", F32, FP6, 32>(),
    to_wide<"pk32_f32_bf6", F32, BF6, 32>(),
    to_wide<"pk32_f16_fp6", F16, FP6, 32>(),
    to_wide<"pk32_f16_bf6", F16, BF6, 32>(),
    to_wide<"pk32_bf16_fp6", BF16, FP6, 32>(),
    to_wide<"pk32_bf16_bf6", BF16, BF6, 32>(),
};

}  // namespace

std::span<const Op> scaled_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
