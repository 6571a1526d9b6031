// SPDX-License-Identifier: MIT
// MFMA and SMFMAC of gfx9: matrices spread over all 64 lanes, whatever EXEC says. The shapes are a
// table; unpacking follows mfma_layout.h, arithmetic is matrix.h's.
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "soft/exec/ops/matrix.h"
#include "soft/exec/ops/mfma_layout.h"
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr unsigned kMaxElements = 2048;  // of one operand, all blocks together

struct Mfma {
  std::string_view gfx90a_name;  // and gfx908's; empty: neither has it
  std::string_view gfx942_name;  // and gfx950's
  u8 m, k, blocks;               // M = N
  Element a, b, out = Element::kF32;
  u8 tree = 4;          // gfx90a: products that are added as a tree
  bool gfx950 = false;  // not on gfx942
  bool sparse = false;
  bool any_format = false;  // cbsz and blgp name the formats of A and B
  bool scaled = false;
};

constexpr Element F64 = Element::kF64, F32 = Element::kF32, XF32 = Element::kXF32,
                  F16 = Element::kF16, BF16 = Element::kBF16, FP8 = Element::kFP8,
                  BF8 = Element::kBF8, I8 = Element::kI8, I32 = Element::kI32;

// clang-format off
constexpr Mfma kInstructions[] = {
    {"v_mfma_f32_32x32x1f32", "v_mfma_f32_32x32x1_2b_f32", 32, 1, 2, F32, F32},
    {"v_mfma_f32_16x16x1f32", "v_mfma_f32_16x16x1_4b_f32", 16, 1, 4, F32, F32},
    {"v_mfma_f32_4x4x1f32", "v_mfma_f32_4x4x1_16b_f32", 4, 1, 16, F32, F32},
    {"v_mfma_f32_32x32x2f32", "v_mfma_f32_32x32x2_f32", 32, 2, 1, F32, F32},
    {"v_mfma_f32_16x16x4f32", "v_mfma_f32_16x16x4_f32", 16, 4, 1, F32, F32},
    {"v_mfma_f32_32x32x4f16", "v_mfma_f32_32x32x4_2b_f16", 32, 4, 2, F16, F16},
    {"v_mfma_f32_16x16x4f16", "v_mfma_f32_16x16x4_4b_f16", 16, 4, 4, F16, F16},
    {"v_mfma_f32_4x4x4f16", "v_mfma_f32_4x4x4_16b_f16", 4, 4, 16, F16, F16},
    {"v_mfma_f32_32x32x8f16", "v_mfma_f32_32x32x8_f16", 32, 8, 1, F16, F16},
    {"v_mfma_f32_16x16x16f16", "v_mfma_f32_16x16x16_f16", 16, 16, 1, F16, F16},
    {"v_mfma_f32_32x32x4bf16_1k", "v_mfma_f32_32x32x4_2b_bf16", 32, 4, 2, BF16, BF16},
    {"v_mfma_f32_16x16x4bf16_1k", "v_mfma_f32_16x16x4_4b_bf16", 16, 4, 4, BF16, BF16},
    {"v_mfma_f32_4x4x4bf16_1k", "v_mfma_f32_4x4x4_16b_bf16", 4, 4, 16, BF16, BF16},
    {"v_mfma_f32_32x32x8bf16_1k", "v_mfma_f32_32x32x8_bf16", 32, 8, 1, BF16, BF16},
    {"v_mfma_f32_16x16x16bf16_1k", "v_mfma_f32_16x16x16_bf16", 16, 16, 1, BF16, BF16},
    {"v_mfma_f32_32x32x2bf16", "", 32, 2, 2, BF16, BF16, F32, 2},
    {"v_mfma_f32_16x16x2bf16", "", 16, 2, 4, BF16, BF16, F32, 2},
    {"v_mfma_f32_4x4x2bf16", "", 4, 2, 16, BF16, BF16, F32, 2},
    {"v_mfma_f32_32x32x4bf16", "", 32, 4, 1, BF16, BF16, F32, 2},
    {"v_mfma_f32_16x16x8bf16", "", 16, 8, 1, BF16, BF16, F32, 2},
    {"v_mfma_i32_32x32x4i8", "v_mfma_i32_32x32x4_2b_i8", 32, 4, 2, I8, I8, I32},
    {"v_mfma_i32_16x16x4i8", "v_mfma_i32_16x16x4_4b_i8", 16, 4, 4, I8, I8, I32},
    {"v_mfma_i32_4x4x4i8", "v_mfma_i32_4x4x4_16b_i8", 4, 4, 16, I8, I8, I32},
    {"v_mfma_i32_32x32x8i8", "", 32, 8, 1, I8, I8, I32},
    {"v_mfma_i32_16x16x16i8", "", 16, 16, 1, I8, I8, I32},
    {"v_mfma_f64_16x16x4f64", "v_mfma_f64_16x16x4_f64", 16, 4, 1, F64, F64, F64},
    {"v_mfma_f64_4x4x4f64", "v_mfma_f64_4x4x4_4b_f64", 4, 4, 4, F64, F64, F64},
    {"", "v_mfma_i32_32x32x16_i8", 32, 16, 1, I8, I8, I32},
    {"", "v_mfma_i32_16x16x32_i8", 16, 32, 1, I8, I8, I32},
    {"", "v_mfma_f32_16x16x8_xf32", 16, 8, 1, XF32, XF32},
    {"", "v_mfma_f32_32x32x4_xf32", 32, 4, 1, XF32, XF32},
    {"", "v_mfma_f32_16x16x32_bf8_bf8", 16, 32, 1, BF8, BF8},
    {"", "v_mfma_f32_16x16x32_bf8_fp8", 16, 32, 1, BF8, FP8},
    {"", "v_mfma_f32_16x16x32_fp8_bf8", 16, 32, 1, FP8, BF8},
    {"", "v_mfma_f32_16x16x32_fp8_fp8", 16, 32, 1, FP8, FP8},
    {"", "v_mfma_f32_32x32x16_bf8_bf8", 32, 16, 1, BF8, BF8},
    {"", "v_mfma_f32_32x32x16_bf8_fp8", 32, 16, 1, BF8, FP8},
    {"", "v_mfma_f32_32x32x16_fp8_bf8", 32, 16, 1, FP8, BF8},
    {"", "v_mfma_f32_32x32x16_fp8_fp8", 32, 16, 1, FP8, FP8},
    // gfx950: twice the K.
    {"", "v_mfma_f32_16x16x32_f16", 16, 32, 1, F16, F16, F32, 4, true},
    {"", "v_mfma_f32_32x32x16_f16", 32, 16, 1, F16, F16, F32, 4, true},
    {"", "v_mfma_f32_16x16x32_bf16", 16, 32, 1, BF16, BF16, F32, 4, true},
    {"", "v_mfma_f32_32x32x16_bf16", 32, 16, 1, BF16, BF16, F32, 4, true},
    {"", "v_mfma_i32_16x16x64_i8", 16, 64, 1, I8, I8, I32, 4, true},
    {"", "v_mfma_i32_32x32x32_i8", 32, 32, 1, I8, I8, I32, 4, true},
    {"", "v_mfma_f32_16x16x128_f8f6f4", 16, 128, 1, FP8, FP8, F32, 4, true, false, true},
    {"", "v_mfma_f32_32x32x64_f8f6f4", 32, 64, 1, FP8, FP8, F32, 4, true, false, true},
    {"", "v_mfma_scale_f32_16x16x128_f8f6f4", 16, 128, 1, FP8, FP8, F32, 4, true, false, true, true},
    {"", "v_mfma_scale_f32_32x32x64_f8f6f4", 32, 64, 1, FP8, FP8, F32, 4, true, false, true, true},
    // Sparse: two of every four elements of A are stored.
    {"", "v_smfmac_f32_16x16x32_f16", 16, 32, 1, F16, F16, F32, 4, false, true},
    {"", "v_smfmac_f32_32x32x16_f16", 32, 16, 1, F16, F16, F32, 4, false, true},
    {"", "v_smfmac_f32_16x16x32_bf16", 16, 32, 1, BF16, BF16, F32, 4, false, true},
    {"", "v_smfmac_f32_32x32x16_bf16", 32, 16, 1, BF16, BF16, F32, 4, false, true},
    {"", "v_smfmac_i32_16x16x64_i8", 16, 64, 1, I8, I8, I32, 4, false, true},
    {"", "v_smfmac_i32_32x32x32_i8", 32, 32, 1, I8, I8, I32, 4, false, true},
    {"", "v_smfmac_f32_16x16x64_bf8_bf8", 16, 64, 1, BF8, BF8, F32, 4, false, true},
    {"", "v_smfmac_f32_16x16x64_bf8_fp8", 16, 64, 1, BF8, FP8, F32, 4, false, true},
    {"", "v_smfmac_f32_16x16x64_fp8_bf8", 16, 64, 1, FP8, BF8, F32, 4, false, true},
    {"", "v_smfmac_f32_16x16x64_fp8_fp8", 16, 64, 1, FP8, FP8, F32, 4, false, true},
    {"", "v_smfmac_f32_32x32x32_bf8_bf8", 32, 32, 1, BF8, BF8, F32, 4, false, true},
    {"", "v_smfmac_f32_32x32x32_bf8_fp8", 32, 32, 1, BF8, FP8, F32, 4, false, true},
    {"", "v_smfmac_f32_32x32x32_fp8_bf8", 32, 32, 1, FP8, BF8, F32, 4, false, true},
    {"", "v_smfmac_f32_32x32x32_fp8_fp8", 32, 32, 1, FP8, FP8, F32, 4, false, true},
    {"", "v_smfmac_f32_16x16x64_f16", 16, 64, 1, F16, F16, F32, 4, true, true},
    {"", "v_smfmac_f32_32x32x32_f16", 32, 32, 1, F16, F16, F32, 4, true, true},
    {"", "v_smfmac_f32_16x16x64_bf16", 16, 64, 1, BF16, BF16, F32, 4, true, true},
    {"", "v_smfmac_f32_32x32x32_bf16", 32, 32, 1, BF16, BF16, F32, 4, true, true},
    {"", "v_smfmac_i32_16x16x128_i8", 16, 128, 1, I8, I8, I32, 4, true, true},
    {"", "v_smfmac_i32_32x32x64_i8", 32, 64, 1, I8, I8, I32, 4, true, true},
    {"", "v_smfmac_f32_16x16x128_bf8_bf8", 16, 128, 1, BF8, BF8, F32, 4, true, true},
    {"", "v_smfmac_f32_16x16x128_bf8_fp8", 16, 128, 1, BF8, FP8, F32, 4, true, true},
    {"", "v_smfmac_f32_16x16x128_fp8_bf8", 16, 128, 1, FP8, BF8, F32, 4, true, true},
    {"", "v_smfmac_f32_16x16x128_fp8_fp8", 16, 128, 1, FP8, FP8, F32, 4, true, true},
    {"", "v_smfmac_f32_32x32x64_bf8_bf8", 32, 64, 1, BF8, BF8, F32, 4, true, true},
    {"", "v_smfmac_f32_32x32x64_bf8_fp8", 32, 64, 1, BF8, FP8, F32, 4, true, true},
    {"", "v_smfmac_f32_32x32x64_fp8_bf8", 32, 64, 1, FP8, BF8, F32, 4, true, true},
    {"", "v_smfmac_f32_32x32x64_fp8_fp8", 32, 64, 1, FP8, FP8, F32, 4, true, true},
};
// clang-format on

// --- reading and writing registers ---

bool holds(const Operand& operand, unsigned dwords) {
  return operand.is_vector() && operand.dwords >= dwords;
}

// Lanes of one register, read through a pattern of B.
const u32* lanes_of(const Wave& wave, unsigned row, unsigned pattern, Row& scratch) {
  const u32* lanes = wave.vgpr(row);
  if (pattern == 0) return lanes;
  for (unsigned i = 0; i < kMfmaLanes; ++i)
    scratch.lane[i] = lanes[pattern_lane(i, kLanePatterns[pattern])];
  return scratch.lane;
}

// Fills out[block][k][m]. `source_block(block)`: the block that is read in its place.
template <class Decode, class Pick>
void unpack(const Wave& wave, const Operand& operand, const MfmaInput& layout, unsigned pattern,
            Pick source_block, Decode decode_row) {
  Row scratch;
  for (unsigned block = 0; block < layout.blocks; ++block)
    for (unsigned at = 0; at < layout.k; ++at) {
      const unsigned bit = layout.bit(at);
      const u32* lanes = lanes_of(wave, operand.index + bit / 32, pattern, scratch);
      const std::size_t to = (std::size_t{block} * layout.k + at) * layout.m;
      decode_row(lanes + layout.lane(source_block(block), at), bit % 32, to);
    }
}

// Calls visit(register, lane, row of acc) for the rows of all blocks, in order.
template <class F>
inline void each_row(const MfmaOutput& layout, F visit) {
  std::size_t row = 0;
  for (unsigned block = 0; block < layout.blocks; ++block)
    for (unsigned i = 0; i < layout.m; i += layout.band()) {
      const unsigned slot = layout.slot(block, i), lane = layout.lane(block, i);
      for (unsigned at = 0; at < layout.band(); ++at) visit(slot + at, lane, row++);
    }
}
// m is 4, 16 or 32: a constant size becomes a few vector moves.
inline void copy_row(void* to, const void* from, unsigned m) {
  if (m == 16)
    std::memcpy(to, from, 16 * sizeof(u32));
  else
    std::memcpy(to, from, m * sizeof(u32));
}

// C of 32-bit elements to acc[block][i][j], and D back.
template <class T>
void load_c(const Wave& wave, const Operand& c, const MfmaOutput& layout, T* acc) {
  const unsigned m = layout.m;
  if (c.is_constant()) {
    const T value = std::bit_cast<T>(static_cast<u32>(c.value));
    std::fill_n(acc, std::size_t{layout.blocks} * m * m, value);
    return;
  }
  each_row(layout, [&](unsigned slot, unsigned lane, std::size_t row) {
    copy_row(acc + row * m, wave.vgpr(c.index + slot) + lane, m);
  });
}
template <class T>
void store_d(Wave& wave, const Operand& d, const MfmaOutput& layout, const T* acc) {
  each_row(layout, [&](unsigned slot, unsigned lane, std::size_t row) {
    copy_row(wave.vgpr(d.index + slot) + lane, acc + row * layout.m, layout.m);
  });
}

// --- the parts of an instruction ---

// Which rows of B the stored elements of a sparse A meet: pick[i][k]. Pairs of elements come from
// four columns; four bits per pair say which, low element first.
void read_picks(const Wave& wave, const Inst& inst, const MfmaInput& a, u8* pick) {
  const unsigned set = inst.cbsz == 0 ? inst.abid * a.run_length() * 2 : 0;
  const u32* index = wave.vgpr(inst.src[2].index);
  for (unsigned i = 0; i < a.m; ++i)
    for (unsigned at = 0; at < a.k; ++at) {
      const u32 bits = index[a.lane(0, at) + i] >> (set + 2 * (at % a.run_length()));
      pick[i * a.k + at] = static_cast<u8>(at / 2 * 4 + (bits & 3U));
    }
}

Element format_of(unsigned code) {
  constexpr Element kFormats[] = {Element::kFP8, Element::kBF8, Element::kFP6, Element::kBF6,
                                  Element::kFP4};
  return kFormats[code];
}

// The reason why this cannot run, or nullptr.
const char* refuse(const Wave& wave, const Inst& inst, const Mfma& op, unsigned a_bits,
                   unsigned b_bits, unsigned out_dwords) {
  if (wave.lanes != kMfmaLanes) return "needs 64-lane waves";
  const unsigned k = op.sparse ? op.k / 2U : op.k;
  const unsigned lanes = kMfmaLanes;
  if (!holds(inst.src[0], (op.m * k * op.blocks / lanes * a_bits + 31) / 32) ||
      !holds(inst.src[1], (op.m * op.k * op.blocks / lanes * b_bits + 31) / 32) ||
      !holds(inst.dst[0], out_dwords))
    return "operands do not fit its matrices";
  const Operand& c = inst.src[2];
  if (op.sparse) {
    if (!holds(c, 1)) return "operands do not fit its matrices";
    const unsigned set = k * op.m / lanes * 2;
    if (inst.cbsz == 0 && (inst.abid + 1U) * set > 32) return "abid beyond the index register";
    return inst.blgp != 0 ? "blgp has no documented meaning here" : nullptr;
  }
  if (!c.is_constant() && !holds(c, out_dwords)) return "operands do not fit its matrices";
  if (op.any_format) return inst.abid != 0 ? "abid has no documented meaning here" : nullptr;
  if (1U << inst.cbsz > op.blocks || inst.abid >> inst.cbsz != 0)
    return "cbsz and abid have no documented meaning here";
  const bool patterns = !is_gfx942_or_gfx950(wave.isa) ? op.out != Element::kF64
                                                       : op.blocks > 1 || op.a == Element::kF32;
  const bool signs = is_gfx942_or_gfx950(wave.isa) && op.out == Element::kF64;
  if (inst.blgp != 0 && !patterns && !signs) return "blgp has no documented meaning here";
  return nullptr;
}

void multiply_f64(Wave& wave, const Inst& inst, const Mfma& op) {
  const MfmaInput input{op.m, op.k, op.blocks, 64};
  const MfmaOutput output{op.m, op.blocks, 64};
  const unsigned m = op.m;
  double a[64 * 4], b[64 * 4], acc[16 * 16];
  const auto negated = [&](unsigned number) {
    return inst.src[number].neg || (inst.blgp >> number & 1U) != 0;
  };
  const auto read = [&](const Operand& operand, bool negate, double* out) {
    for (unsigned block = 0; block < op.blocks; ++block)
      for (unsigned at = 0; at < op.k; ++at) {
        const unsigned row = operand.index + input.bit(at) / 32, lane = input.lane(block, at);
        for (unsigned i = 0; i < m; ++i, ++out) {
          const u64 bits = wave.vgpr(row)[lane + i] | u64{wave.vgpr(row + 1)[lane + i]} << 32;
          *out = std::bit_cast<double>(bits ^ u64{negate} << 63);
        }
      }
  };
  read(inst.src[0], negated(0), a);
  read(inst.src[1], negated(1), b);
  const Operand& c = inst.src[2];
  const auto at_output = [&](auto visit) {
    std::size_t to = 0;
    for (unsigned block = 0; block < op.blocks; ++block)
      for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < m; ++j, ++to)
          visit(to, 2 * output.slot(block, i), output.lane(block, i) + j);
  };
  at_output([&](std::size_t to, unsigned row, unsigned lane) {
    const u64 bits = c.is_constant() ? c.value
                                     : wave.vgpr(c.index + row)[lane] |
                                           u64{wave.vgpr(c.index + row + 1U)[lane]} << 32;
    acc[to] = std::bit_cast<double>(bits ^ u64{negated(2)} << 63);
  });
  for (unsigned block = 0; block < op.blocks; ++block) {
    const std::size_t in = std::size_t{block} * op.k * m, out = std::size_t{block} * m * m;
    fma_chain(Block<double>{a + in, b + in, acc + out, m, m, op.k});
  }
  at_output([&](std::size_t from, unsigned row, unsigned lane) {
    const u64 bits = std::bit_cast<u64>(acc[from]);
    wave.vgpr(inst.dst[0].index + row)[lane] = static_cast<u32>(bits);
    wave.vgpr(inst.dst[0].index + row + 1U)[lane] = static_cast<u32>(bits >> 32);
  });
}

// Everything with a 32-bit accumulator that is not gfx950's f8f6f4.
template <class T, class Run>
void multiply_blocks(Wave& wave, const Inst& inst, const Mfma& op, Run run) {
  const unsigned m = op.m;
  const unsigned stored = op.sparse ? op.k / 2U : op.k;
  const MfmaInput a_layout{m, stored, op.blocks, bits_of(op.a)};
  const MfmaInput b_layout{m, op.k, op.blocks, bits_of(op.b)};
  const MfmaOutput output{m, op.blocks, 32};
  alignas(64) T a[kMaxElements], b[kMaxElements], acc[kMaxElements];
  const auto decode_to = [&](Element element, T* out) {
    return [isa = wave.isa, element, m, out](const u32* words, unsigned shift, std::size_t to) {
      if constexpr (std::is_same_v<T, float>)
        decode(element, isa, words, shift, m, out + to);
      else
        decode(element, words, shift, m, out + to);
      static_cast<void>(isa);
    };
  };
  const unsigned cbsz = op.sparse ? 0 : inst.cbsz, abid = op.sparse ? 0 : inst.abid;
  unpack(
      wave, inst.src[0], a_layout, 0,
      [&](unsigned block) { return broadcast_block(block, cbsz, abid); }, decode_to(op.a, a));
  unpack(
      wave, inst.src[1], b_layout, inst.blgp, [](unsigned block) { return block; },
      decode_to(op.b, b));
  u8 pick[kMaxElements];
  if (op.sparse) read_picks(wave, inst, a_layout, pick);
  load_c(wave, op.sparse ? inst.dst[0] : inst.src[2], output, acc);
  for (unsigned block = 0; block < op.blocks; ++block)
    run(Block<T>{a + std::size_t{block} * stored * m, b + std::size_t{block} * op.k * m,
                 acc + std::size_t{block} * m * m, m, m, stored, op.sparse ? pick : nullptr});
  store_d(wave, inst.dst[0], output, acc);
}

void multiply_float(Wave& wave, const Inst& inst, const Mfma& op, bool fast) {
  const Significand a = significand_of(op.a, wave.isa), b = significand_of(op.b, wave.isa);
  const bool bytes = bits_of(op.a) == 8;
  const Alignment alignment{bytes ? 16U : op.a == XF32 ? 4U : 8U, a, b, bytes};
  multiply_blocks<float>(wave, inst, op, [&](const Block<float>& block) {
    if (fast || op.a == F32)
      fma_chain(block);
    else if (wave.isa == Isa::kGfx908)
      fused_groups(block, op.a == F16 ? 4 : 2);
    else if (wave.isa == Isa::kGfx90a)
      pairwise(block, op.tree, a.lowest);
    else
      aligned_sum(block, alignment);
  });
}

// --- gfx950's f8f6f4: every pair of formats, with or without a scale per 32 elements ---

// out[k][m]. 8-bit elements lie in two runs of 16 that are K/2 apart, the others in one of 32.
void unpack_small(const Wave& wave, const Operand& operand, unsigned m, unsigned k, Element element,
                  double* out) {
  const unsigned bits = bits_of(element);
  const unsigned span = bits == 8 ? k / 2 : k;
  const MfmaInput layout{m, span, 1, bits};
  for (unsigned at = 0; at < k; ++at, out += m) {
    const unsigned bit = layout.bit(at % span) + at / span * layout.run_length() * bits;
    const unsigned lane = layout.lane(0, at % span), shift = bit % 32;
    const u32* low = wave.vgpr(operand.index + bit / 32) + lane;
    u32 words[32];
    for (unsigned i = 0; i < m; ++i) words[i] = low[i] >> shift;
    if (shift + bits > 32) {
      const u32* high = wave.vgpr(operand.index + bit / 32 + 1) + lane;
      for (unsigned i = 0; i < m; ++i) words[i] |= high[i] << (32 - shift);
    }
    float values[32];
    decode(element, wave.isa, words, 0, m, values);
    for (unsigned i = 0; i < m; ++i) out[i] = static_cast<double>(values[i]);
  }
}

// Scales are e8m0, one byte per row and 32 columns: lane i + M × (column / 32).
void apply_scales(const Wave& wave, const Operand& scale, unsigned byte, unsigned m, unsigned k,
                  double* values) {
  Row scratch[2];
  const u32* lanes = plain_rows(wave, scale, scratch).low;
  for (unsigned at = 0; at < k; ++at)
    for (unsigned i = 0; i < m; ++i, ++values) {
      const u32 code = lanes[i + m * (at / 32)] >> (8 * byte) & 0xffU;
      *values *= code == 255 ? std::bit_cast<double>(kMatrixNan64)
                             : std::bit_cast<double>(u64{code + 1023 - 127} << 52);
    }
}

void multiply_small(Wave& wave, const Inst& inst, const Mfma& op, Element a_format,
                    Element b_format) {
  const unsigned m = op.m, k = op.k;
  const MfmaOutput output{m, 1, 32};
  alignas(64) double a[kMaxElements], b[kMaxElements];
  unpack_small(wave, inst.src[0], m, k, a_format, a);
  unpack_small(wave, inst.src[1], m, k, b_format, b);
  if (op.scaled) {
    const auto byte = [&](unsigned n) { return inst.src[n].op_sel + 2U * inst.src[n].op_sel_hi; };
    apply_scales(wave, inst.src[3], byte(0), m, k, a);
    apply_scales(wave, inst.src[4], byte(1), m, k, b);
  }
  float c[1024];
  double acc[1024];
  load_c(wave, inst.src[2], output, c);
  const std::size_t count = std::size_t{m} * m;
  for (std::size_t i = 0; i < count; ++i) acc[i] = static_cast<double>(c[i]);
  double_sum(Block<double>{a, b, acc, m, m, k});
  for (std::size_t i = 0; i < count; ++i)
    c[i] = acc[i] != acc[i] ? std::bit_cast<float>(kMatrixNan) : static_cast<float>(acc[i]);
  store_d(wave, inst.dst[0], output, c);
}

void run(Wave& wave, const Inst& inst, const Mfma& op, bool fast) {
  Element a = op.a, b = op.b;
  if (op.any_format) {
    if (inst.cbsz > 4 || inst.blgp > 4) return wave.unsupported(inst, "unknown element format");
    a = format_of(inst.cbsz);
    b = format_of(inst.blgp);
  }
  const unsigned elements = op.m * op.m * op.blocks / kMfmaLanes;
  const unsigned out_dwords = elements * bits_of(op.out) / 32;
  if (const char* why = refuse(wave, inst, op, bits_of(a), bits_of(b), out_dwords))
    return wave.unsupported(inst, why);
  if (op.any_format)
    multiply_small(wave, inst, op, a, b);
  else if (op.out == Element::kF64)
    multiply_f64(wave, inst, op);
  else if (op.out == Element::kI32)
    multiply_blocks<i32>(wave, inst, op, [](const Block<i32>& x) { integer_dot(x, false); });
  else
    multiply_float(wave, inst, op, fast);
}

// --- the table ---

// What tests hold these to: the distance to the exact sum.
constexpr std::string_view kGfx950Bound =
    "no model of gfx950 is published: gfx942's order and alignment, within 2^-18 of the largest "
    "partial sum";
constexpr std::string_view kSparseBound =
    "order of accumulation not published: within 2^-17 of the largest partial sum";
constexpr std::string_view kSmallBound =
    "exact sum rounded once; the hardware's order is not published: within 2^-22 of the largest "
    "partial sum";
constexpr std::string_view kFastBound =
    "HIPWRIGHT_SOFT_MFMA=fast: f32 fma chain, within 2^-18 of the largest partial sum";

template <std::size_t I, bool fast>
void handle(Wave& wave, const Inst& inst) {
  run(wave, inst, kInstructions[I], fast);
}

template <std::size_t I, bool fast>
constexpr Op op_of(std::string_view name) {
  constexpr Mfma op = kInstructions[I];
  Op result{.name = name, .run = &handle<I, fast>, .kind = OpClass::kMatrix};
  result.flags = kIgnoresExec | (op.sparse ? u32{kReadsDst} : 0U);
  result.dst = {Type::kWide};
  result.src = {Type::kWide, Type::kWide, Type::kWide};
  if (op.sparse) result.src[3] = Type::kWide;
  if (op.scaled) result.src[3] = result.src[4] = Type::kB32;
  if (op.out == Element::kF64) result.element = Type::kF64;
  if (!op.any_format) result.fp8 = fp8_use(op.a, op.b);
  if (op.out == Element::kI32) return result;
  const bool chain = op.a == Element::kF32 || op.a == Element::kF64;
  result.bound = op.any_format    ? kSmallBound
                 : fast && !chain ? kFastBound
                 : op.sparse      ? kSparseBound
                                  : kGfx950Bound;
  if (op.any_format || op.sparse || op.gfx950 || (fast && !chain))
    result.fidelity = Fidelity::kApproximate;
  else
    result.approximate_on = 1U << static_cast<unsigned>(Isa::kGfx950);
  return result;
}

constexpr Op accumulator_move(std::string_view name) {
  return vector_op<Type::kB32, Type::kB32>(name, [](u32 x) { return x; }) | VectorRule::kMove;
}

constexpr std::size_t kCount = [] {
  std::size_t count = 3;
  for (const Mfma& op : kInstructions)
    count += (op.gfx90a_name.empty() ? 0U : 1U) + (op.gfx942_name.empty() ? 0U : 1U);
  return count;
}();

template <bool fast>
constexpr std::array<Op, kCount> kOps = []<std::size_t... I>(std::index_sequence<I...>) {
  std::array<Op, kCount> ops{};
  std::size_t next = 0;
  const auto add = [&](const Op& op) {
    if (!op.name.empty()) ops[next++] = op;
  };
  (add(op_of<I, fast>(kInstructions[I].gfx90a_name)), ...);
  (add(op_of<I, fast>(kInstructions[I].gfx942_name)), ...);
  for (const char* name : {"v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_accvgpr_mov_b32"})
    add(accumulator_move(name));
  return ops;
}
(std::make_index_sequence<std::size(kInstructions)>());

}  // namespace

std::span<const Op> mfma_ops() {
  const char* wanted = std::getenv("HIPWRIGHT_SOFT_MFMA");
  if (wanted && std::string_view(wanted) == "fast") return kOps<true>;
  return kOps<false>;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
