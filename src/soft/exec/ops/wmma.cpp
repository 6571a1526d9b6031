// SPDX-License-Identifier: MIT
// WMMA of gfx11 and gfx12, SWMMAC of gfx12: D = A·B + C of 16×16 tiles in wave32 and wave64, all
// lanes, whatever EXEC says. The order in which the hardware adds is not published: the sum is
// formed in double precision and rounded once.
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "soft/exec/ops/half.h"
#include "soft/exec/ops/matrix.h"
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr unsigned kTile = 16;
constexpr unsigned kMaxK = 64;

struct Wmma {
  std::string_view name;
  u8 k;
  Element a, b, out;
  bool sparse = false;
  bool gfx11 = false;
};

constexpr Element F32 = Element::kF32, F16 = Element::kF16, BF16 = Element::kBF16,
                  FP8 = Element::kFP8, BF8 = Element::kBF8, U8 = Element::kU8, U4 = Element::kU4,
                  I32 = Element::kI32;

constexpr Wmma kInstructions[] = {
    {"v_wmma_f32_16x16x16_f16", 16, F16, F16, F32, false, true},
    {"v_wmma_f32_16x16x16_bf16", 16, BF16, BF16, F32, false, true},
    {"v_wmma_f16_16x16x16_f16", 16, F16, F16, F16, false, true},
    {"v_wmma_bf16_16x16x16_bf16", 16, BF16, BF16, BF16, false, true},
    {"v_wmma_i32_16x16x16_iu8", 16, U8, U8, I32, false, true},
    {"v_wmma_i32_16x16x16_iu4", 16, U4, U4, I32, false, true},
    {"v_wmma_i32_16x16x32_iu4", 32, U4, U4, I32},
    {"v_wmma_f32_16x16x16_fp8_fp8", 16, FP8, FP8, F32},
    {"v_wmma_f32_16x16x16_fp8_bf8", 16, FP8, BF8, F32},
    {"v_wmma_f32_16x16x16_bf8_fp8", 16, BF8, FP8, F32},
    {"v_wmma_f32_16x16x16_bf8_bf8", 16, BF8, BF8, F32},
    {"v_swmmac_f32_16x16x32_f16", 32, F16, F16, F32, true},
    {"v_swmmac_f32_16x16x32_bf16", 32, BF16, BF16, F32, true},
    {"v_swmmac_f16_16x16x32_f16", 32, F16, F16, F16, true},
    {"v_swmmac_bf16_16x16x32_bf16", 32, BF16, BF16, BF16, true},
    {"v_swmmac_i32_16x16x32_iu8", 32, U8, U8, I32, true},
    {"v_swmmac_i32_16x16x32_iu4", 32, U4, U4, I32, true},
    {"v_swmmac_i32_16x16x64_iu4", 64, U4, U4, I32, true},
    {"v_swmmac_f32_16x16x32_fp8_fp8", 32, FP8, FP8, F32, true},
    {"v_swmmac_f32_16x16x32_fp8_bf8", 32, FP8, BF8, F32, true},
    {"v_swmmac_f32_16x16x32_bf8_fp8", 32, BF8, FP8, F32, true},
    {"v_swmmac_f32_16x16x32_bf8_bf8", 32, BF8, BF8, F32, true},
};

// --- layout ---

// Where element k of the rows (of A) or columns (of B) 0…15 lies: 16 lanes from `lane` on, at
// `bit` of the operand's registers.
struct Place {
  unsigned lane, bit;
};

struct InputLayout {
  Isa isa;
  unsigned lanes;  // of the wave
  unsigned k;      // stored elements per row
  unsigned bits;

  // gfx11: every 16 lanes hold the whole matrix. gfx12: the lower and the upper 16 lanes take
  // turns in k; 64-lane waves keep the second half of a lane's registers 32 lanes further up.
  constexpr unsigned per_lane() const {
    if (isa == Isa::kGfx11) return k;
    return splits() ? k / 4 : k / 2;
  }
  constexpr bool splits() const { return lanes == 64 && k / 2 * bits >= 64; }
  constexpr Place place(unsigned at) const {
    if (isa == Isa::kGfx11) return {0, at * bits};
    const unsigned turn = bits == 16 ? k / 4 : k / 2;
    const unsigned index = at / (2 * turn) * turn + at % turn;
    const unsigned lane = at / turn % 2 * kTile;
    const bool upper = splits() && index >= k / 4;
    return {upper ? lane + 32 : lane, (upper ? index - k / 4 : index) * bits};
  }
};

// The register (in elements of D) and first lane of row i of C and D.
struct Slot {
  unsigned slot, lane;
};
constexpr Slot output_slot(Isa isa, unsigned lanes, unsigned i) {
  if (isa == Isa::kGfx11) {
    const unsigned rows = lanes / kTile;
    return {i / rows, i % rows * kTile};
  }
  if (lanes == 32) return {i % 8, i / 8 * kTile};
  return {i % 4, i / 4 % 2 * 32 + i / 8 * kTile};
}

// --- operands ---

struct Operands {
  alignas(64) double a[kTile * kMaxK], b[kTile * kMaxK], acc[kTile * kTile];
};
struct IntegerOperands {
  alignas(64) i32 a[kTile * kMaxK], b[kTile * kMaxK], acc[kTile * kTile];
};

// gfx11 documents that the copies of A and B must be equal; what happens otherwise it does not.
bool copies_agree(const Wave& wave, const Operand& operand, unsigned dwords) {
  for (unsigned row = 0; row < dwords; ++row) {
    const u32* lanes = wave.vgpr(operand.index + row);
    for (unsigned lane = kTile; lane < wave.lanes; ++lane)
      if (lanes[lane] != lanes[lane % kTile]) return false;
  }
  return true;
}

void read_floats(const Wave& wave, const Operand& operand, const InputLayout& layout,
                 Element element, double* out) {
  for (unsigned at = 0; at < layout.k; ++at, out += kTile) {
    const Place place = layout.place(at);
    float values[kTile];
    decode(element, wave.isa, wave.vgpr(operand.index + place.bit / 32) + place.lane,
           place.bit % 32, kTile, values);
    // neg_lo and neg_hi speak of the halves of a register.
    const bool negate = layout.bits == 16 && (place.bit % 32 != 0 ? operand.neg_hi : operand.neg);
    for (unsigned i = 0; i < kTile; ++i)
      out[i] = static_cast<double>(negate ? -values[i] : values[i]);
  }
}

// neg_lo says that the numbers are signed.
void read_integers(const Wave& wave, const Operand& operand, const InputLayout& layout, i32* out) {
  const Element element = layout.bits == 8 ? (operand.neg ? Element::kI8 : Element::kU8)
                                           : (operand.neg ? Element::kI4 : Element::kU4);
  for (unsigned at = 0; at < layout.k; ++at, out += kTile) {
    const Place place = layout.place(at);
    decode(element, wave.vgpr(operand.index + place.bit / 32) + place.lane, place.bit % 32, kTile,
           out);
  }
}

// Rows of B that the stored elements of A meet: two bits each, two elements for four columns.
void read_picks(const Wave& wave, const Inst& inst, const InputLayout& a, u8* pick) {
  const unsigned set = inst.index_key * a.per_lane() * 2;
  const u32* index = wave.vgpr(inst.src[2].index);
  for (unsigned i = 0; i < kTile; ++i)
    for (unsigned at = 0; at < a.k; ++at) {
      const Place place = a.place(at);
      const u32 bits = index[place.lane + i] >> (set + place.bit / a.bits * 2);
      pick[i * a.k + at] = static_cast<u8>(at / 2 * 4 + (bits & 3U));
    }
}

float constant_of(const Operand& operand, Element element) {
  const auto bits = static_cast<u32>(operand.value);
  if (element == Element::kF32) return std::bit_cast<float>(bits);
  return element == Element::kF16 ? f16_to_f32(bits & 0xffffU) : bf16_to_f32(bits & 0xffffU);
}

// In gfx11 a 16-bit element has a register of its own, in the half that op_sel names; in gfx12
// two rows share one.
struct Cell {
  unsigned row, shift;
};
Cell cell_of(const Wave& wave, const Inst& inst, Element out, unsigned slot) {
  if (bits_of(out) == 32) return {slot, 0};
  if (wave.isa == Isa::kGfx11) return {slot, inst.src[2].op_sel ? 16U : 0U};
  return {slot / 2, slot % 2 * 16};
}

void read_c(const Wave& wave, const Inst& inst, const Wmma& op, double* acc) {
  const Operand& c = op.sparse ? inst.dst[0] : inst.src[2];
  const bool absolute = !op.sparse && c.neg_hi, negate = !op.sparse && c.neg;
  for (unsigned i = 0; i < kTile; ++i, acc += kTile) {
    const Slot slot = output_slot(wave.isa, wave.lanes, i);
    const Cell cell = cell_of(wave, inst, op.out, slot.slot);
    float values[kTile];
    if (c.is_constant())
      std::fill_n(values, kTile, constant_of(c, op.out));
    else
      decode(op.out, wave.isa, wave.vgpr(c.index + cell.row) + slot.lane, cell.shift, kTile,
             values);
    for (unsigned j = 0; j < kTile; ++j) {
      const float value = absolute ? std::fabs(values[j]) : values[j];
      acc[j] = static_cast<double>(negate ? -value : value);
    }
  }
}

// To float so that rounding once more to 22 bits or fewer is rounding the double.
float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto bits = std::bit_cast<u32>(nearest);
  if (static_cast<double>(nearest) == value || value != value || (bits & 1U) != 0) return nearest;
  const bool away = std::fabs(value) > std::fabs(static_cast<double>(nearest));
  return std::bit_cast<float>(away ? bits + 1U : bits - 1U);
}

u32 encode(Element element, double value) {
  const bool nan = value != value;
  switch (element) {
    case Element::kF16:
      return nan ? kQuietF16 : f32_to_f16_nearest(round_to_odd(value));
    case Element::kBF16:
      return nan ? kMatrixNan >> 16 : f32_to_bf16_nearest(round_to_odd(value));
    default:
      return nan ? kMatrixNan : std::bit_cast<u32>(static_cast<float>(value));
  }
}

void write_d(Wave& wave, const Inst& inst, const Wmma& op, const double* acc) {
  for (unsigned i = 0; i < kTile; ++i, acc += kTile) {
    const Slot slot = output_slot(wave.isa, wave.lanes, i);
    const Cell cell = cell_of(wave, inst, op.out, slot.slot);
    u32* to = wave.vgpr(inst.dst[0].index + cell.row) + slot.lane;
    const u32 keep = bits_of(op.out) == 32 ? 0U : ~(0xffffU << cell.shift);
    for (unsigned j = 0; j < kTile; ++j)
      to[j] = (to[j] & keep) | encode(op.out, acc[j]) << cell.shift;
  }
}

// --- the instructions ---

const char* refuse(const Wave& wave, const Inst& inst, const Wmma& op, const InputLayout& a,
                   const InputLayout& b) {
  if (wave.isa < Isa::kGfx11 || (wave.isa == Isa::kGfx11 && !op.gfx11))
    return "the target does not have it";
  const auto dwords = [](const InputLayout& x) { return (x.per_lane() * x.bits + 31) / 32; };
  const bool packed = bits_of(op.out) == 16 && wave.isa != Isa::kGfx11;
  const unsigned out = kTile * kTile / wave.lanes / (packed ? 2U : 1U);
  const auto holds = [](const Operand& operand, unsigned count) {
    return operand.is_vector() && operand.dwords >= count;
  };
  const Operand& c = inst.src[2];
  const bool c_fits = op.sparse ? holds(c, 1) : c.is_constant() || holds(c, out);
  if (!holds(inst.src[0], dwords(a)) || !holds(inst.src[1], dwords(b)) ||
      !holds(inst.dst[0], out) || !c_fits)
    return "operands do not fit its matrices";
  if (op.sparse && (inst.index_key + 1U) * a.per_lane() * 2 > 32)
    return "index_key beyond the index register";
  if (wave.isa == Isa::kGfx11 &&
      (!copies_agree(wave, inst.src[0], dwords(a)) || !copies_agree(wave, inst.src[1], dwords(b))))
    return "A and B must be the same in every 16 lanes; they are not, and what the hardware does "
           "then is not documented";
  return nullptr;
}

void run(Wave& wave, const Inst& inst, const Wmma& op) {
  const unsigned stored = op.sparse ? op.k / 2U : op.k;
  const InputLayout a_layout{wave.isa, wave.lanes, stored, bits_of(op.a)};
  const InputLayout b_layout{wave.isa, wave.lanes, op.k, bits_of(op.b)};
  if (const char* why = refuse(wave, inst, op, a_layout, b_layout))
    return wave.unsupported(inst, why);
  u8 pick[kTile * kMaxK];
  if (op.sparse) read_picks(wave, inst, a_layout, pick);
  const u8* picked = op.sparse ? pick : nullptr;

  if (op.out == Element::kI32) {
    IntegerOperands x;
    read_integers(wave, inst.src[0], a_layout, x.a);
    read_integers(wave, inst.src[1], b_layout, x.b);
    const Operand& c = op.sparse ? inst.dst[0] : inst.src[2];
    const auto each_row = [&](auto visit) {
      for (unsigned i = 0; i < kTile; ++i) {
        const Slot slot = output_slot(wave.isa, wave.lanes, i);
        for (unsigned j = 0; j < kTile; ++j) visit(i * kTile + j, slot.slot, slot.lane + j);
      }
    };
    each_row([&](unsigned at, unsigned row, unsigned lane) {
      x.acc[at] = static_cast<i32>(c.is_constant() ? static_cast<u32>(c.value)
                                                   : wave.vgpr(c.index + row)[lane]);
    });
    integer_dot(Block<i32>{x.a, x.b, x.acc, kTile, kTile, stored, picked}, inst.clamp);
    each_row([&](unsigned at, unsigned row, unsigned lane) {
      wave.vgpr(inst.dst[0].index + row)[lane] = static_cast<u32>(x.acc[at]);
    });
    return;
  }
  Operands x;
  read_floats(wave, inst.src[0], a_layout, op.a, x.a);
  read_floats(wave, inst.src[1], b_layout, op.b, x.b);
  read_c(wave, inst, op, x.acc);
  double_sum(Block<double>{x.a, x.b, x.acc, kTile, kTile, stored, picked});
  write_d(wave, inst, op, x.acc);
}

template <std::size_t I>
constexpr Op op_of() {
  constexpr Wmma op = kInstructions[I];
  Op result{.name = op.name,
            .run = [](Wave& wave, const Inst& inst) { run(wave, inst, kInstructions[I]); },
            .kind = OpClass::kMatrix};
  result.flags = kIgnoresExec | (op.sparse ? u32{kReadsDst} : 0U);
  result.dst = {Type::kWide};
  result.src = {Type::kWide, Type::kWide, Type::kWide};
  if (op.sparse) result.src[3] = Type::kWide;
  // 16-bit accumulators that are constants repeat in both halves of the register.
  if (op.out == Element::kF16) result.element = Type::kPkF16;
  if (op.out == Element::kBF16) result.element = Type::kPkBF16;
  result.fp8 = fp8_use(op.a, op.b);
  if (op.out != Element::kI32) {
    result.fidelity = Fidelity::kApproximate;
    result.bound =
        "exact sum rounded once; the hardware's order and intermediate precision are not "
        "published: within 16 units in the last place of the largest partial sum";
  }
  return result;
}

constexpr auto kOps = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array{op_of<I>()...};
}
(std::make_index_sequence<std::size(kInstructions)>());

}  // namespace

std::span<const Op> wmma_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
