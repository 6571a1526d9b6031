// SPDX-License-Identifier: MIT
// From text through machine code to the fields that handlers read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "arch/target.h"
#include "soft/decode/disassembler.h"
#include "soft/decode/program.h"
#include "soft/decode/targets.h"
#include "soft/lab.h"

namespace hipwright::soft {
namespace {

// Machine code that lives as long as its instructions.
struct Decoded {
  std::vector<std::uint8_t> bytes;
  std::unique_ptr<Program> program;
  std::vector<const Inst*> insts;
  std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(bytes.data()); }
};

Decoded decode_bytes(std::string_view gfx, unsigned wave_size, std::vector<std::uint8_t> bytes) {
  Decoded out;
  out.bytes = std::move(bytes);
  const auto target = arch::parse_target(gfx);
  auto program =
      Program::create(target.value(), wave_size, {{out.begin(), out.bytes.size()}}, {out.begin()});
  EXPECT_TRUE(program) << program.error().message();
  out.program = *std::move(program);
  out.insts = out.program->decode_all();
  return out;
}

Decoded decode(std::string_view gfx, std::string_view text, unsigned wave_size = 0) {
  if (wave_size == 0) wave_size = is_gfx9(*isa_of(gfx)) ? 64 : 32;
  auto bytes = assemble(gfx, wave_size, text);
  EXPECT_TRUE(bytes) << bytes.error().message();
  return decode_bytes(gfx, wave_size, bytes.value_or(std::vector<std::uint8_t>{}));
}

std::vector<std::uint8_t> bytes_of(const std::vector<std::uint32_t>& dwords) {
  std::vector<std::uint8_t> out(dwords.size() * 4);
  std::memcpy(out.data(), dwords.data(), out.size());
  return out;
}

std::string show(const Operand& operand) {
  using Kind = Operand::Kind;
  std::string out;
  switch (operand.kind) {
    case Kind::kNone:
      return "-";
    case Kind::kVector:
      out = fmt::format("v{}+{}", operand.index, operand.dwords);
      break;
    case Kind::kScalar:
      out = fmt::format("s{}+{}", operand.index, operand.dwords);
      break;
    case Kind::kConstant:
      out = fmt::format("{:#x}", operand.value);
      break;
  }
  if (operand.op_sel) out += "^";
  if (operand.abs) out = "|" + out + "|";
  if (operand.neg) out = "~" + out;
  if (operand.neg_hi) out += "~hi";
  if (operand.sext) out += " sext";
  return out;
}

// "name: destinations = sources", trailing missing operands left out.
std::string show(const Inst& inst) {
  std::string out = fmt::format("{}:", name_of(inst));
  for (const Operand& dst : inst.dst)
    if (dst.type != Type::kNone) out += " " + show(dst);
  out += " =";
  for (const Operand& src : inst.src)
    if (src.type != Type::kNone) out += " " + show(src);
  return out;
}

struct Case {
  const char* gfx;
  const char* text;
  const char* shown;
};

TEST(Decode, OperandsInTheOrderOfTheText) {
  const Case cases[] = {
      {"gfx942", "v_add_u32 v0, v1, v2", "v_add_u32: v0+1 = v1+1 v2+1"},
      {"gfx1100", "v_add_nc_u32 v0, s1, v2", "v_add_u32: v0+1 = s1+1 v2+1"},
      {"gfx942", "v_addc_co_u32 v0, vcc, v1, v2, vcc",
       "v_addc_co_u32: v0+1 s106+2 = v1+1 v2+1 s106+2"},
      {"gfx1201", "v_add_co_ci_u32 v0, vcc_lo, v1, v2, vcc_lo",
       "v_addc_co_u32: v0+1 s106+1 = v1+1 v2+1 s106+1"},
      {"gfx942", "v_cmp_eq_u32 vcc, s0, v1", "v_cmp_eq_u32: s106+2 = s0+1 v1+1"},
      {"gfx942", "v_cmpx_eq_u32 vcc, s0, v1", "v_cmpx_eq_u32: s106+2 = s0+1 v1+1"},
      {"gfx1100", "v_cmpx_eq_u32 s0, v1", "v_cmpx_eq_u32: s126+1 = s0+1 v1+1"},
      {"gfx942", "v_fmac_f32 v0, v1, v2", "v_fmac_f32: v0+1 = v1+1 v2+1 v0+1"},
      {"gfx942", "v_cndmask_b32 v0, v1, v2, vcc", "v_cndmask_b32: v0+1 = v1+1 v2+1 s106+2"},
      {"gfx1100", "s_load_b64 s[0:1], s[2:3], 0x10", "s_load_dwordx2: s0+2 = s2+2 0x10"},
      {"gfx942", "global_load_dword v1, v2, s[4:5] offset:16",
       "global_load_dword: v1+1 = v2+1 s4+2"},
      {"gfx942", "global_load_dword v1, v[2:3], off", "global_load_dword: v1+1 = v2+2 -"},
      {"gfx942", "global_store_dword v[0:1], v2, off", "global_store_dword: = v0+2 v2+1 -"},
      {"gfx942", "global_atomic_add v[0:1], v2, off", "global_atomic_add: = v0+2 v2+1 -"},
      {"gfx942", "global_atomic_add v5, v[0:1], v2, off sc0",
       "global_atomic_add: v5+1 = v0+2 v2+1 -"},
      {"gfx1201", "global_atomic_add_u32 v5, v[0:1], v2, off th:TH_ATOMIC_RETURN",
       "global_atomic_add: v5+1 = v0+2 v2+1 -"},
      {"gfx1100", "ds_store_b32 v0, v1 offset:4", "ds_write_b32: = v0+1 v1+1"},
      {"gfx90a", "buffer_load_dword v0, v1, s[4:7], s3 offen offset:4",
       "buffer_load_dword: v0+1 = v1+1 s4+4 s3+1"},
      {"gfx942", "v_accvgpr_read_b32 v0, a3", "v_accvgpr_read_b32: v0+1 = v259+1"},
      {"gfx1201", "s_mov_b64 s[0:1], null", "s_mov_b64: s0+2 = 0x0"},
  };
  for (const Case& c : cases) {
    const Decoded decoded = decode(c.gfx, c.text);
    ASSERT_EQ(decoded.insts.size(), 1U) << c.text;
    EXPECT_EQ(show(*decoded.insts[0]), c.shown) << c.gfx << ": " << c.text;
  }
}

TEST(Decode, ConstantsAreExpandedToTheirOperand) {
  const Case cases[] = {
      {"gfx942", "v_add_f32 v0, 1.0, v1", "v_add_f32: v0+1 = 0x3f800000 v1+1"},
      {"gfx942", "v_and_b32 v0, 1.0, v1", "v_and_b32: v0+1 = 0x3f800000 v1+1"},
      {"gfx942", "v_add_f32 v0, -4.0, v1", "v_add_f32: v0+1 = 0xc0800000 v1+1"},
      {"gfx942", "v_add_f32 v0, 0.15915494, v1", "v_add_f32: v0+1 = 0x3e22f983 v1+1"},
      {"gfx942", "v_add_f16 v0, 1.0, v1", "v_add_f16: v0+1 = 0x3c00 v1+1"},
      {"gfx942", "v_add_f16 v0, 0.15915494, v1", "v_add_f16: v0+1 = 0x3118 v1+1"},
      {"gfx942", "v_add_f16 v0, -1, v1", "v_add_f16: v0+1 = 0xffff v1+1"},
      {"gfx942", "v_add_f64 v[0:1], v[2:3], 2.0", "v_add_f64: v0+2 = v2+2 0x4000000000000000"},
      {"gfx942", "v_add_f64 v[0:1], v[2:3], 0.15915494309189532",
       "v_add_f64: v0+2 = v2+2 0x3fc45f306dc9c882"},
      {"gfx1100", "v_add_f64 v[0:1], v[2:3], 0x40280000",
       "v_add_f64: v0+2 = v2+2 0x4028000000000000"},
      {"gfx942", "s_mov_b64 s[0:1], -1", "s_mov_b64: s0+2 = 0xffffffffffffffff"},
      {"gfx942", "s_mov_b64 s[0:1], 0x80000000", "s_mov_b64: s0+2 = 0x80000000"},
      {"gfx942", "s_mov_b64 s[0:1], 0.5", "s_mov_b64: s0+2 = 0x3fe0000000000000"},
      {"gfx942", "v_cmp_lt_i64 vcc, 0xfffffff0, v[2:3]",
       "v_cmp_lt_i64: s106+2 = 0xfffffffffffffff0 v2+2"},
      {"gfx942", "v_cmp_lt_u64 vcc, 0xfffffff0, v[2:3]", "v_cmp_lt_u64: s106+2 = 0xfffffff0 v2+2"},
      {"gfx942", "v_pk_add_f16 v0, v1, 1.0", "v_pk_add_f16: v0+1 = v1+1 0x3c00"},
      {"gfx942", "v_pk_add_u16 v0, v1, -1", "v_pk_add_u16: v0+1 = v1+1 0xffffffff"},
      {"gfx942", "s_mov_b32 s0, lit(1)", "s_mov_b32: s0+1 = 0x1"},
      {"gfx942", "s_load_dword s0, s[2:3], -16", "s_load_dword: s0+1 = s2+2 0xfffffff0"},
      // LLVM 22 prints inline constants for these.
      {"gfx942", "v_fmaak_f32 v0, v1, v2, 0xf2", "v_fmaak_f32: v0+1 = v1+1 v2+1 0xf2"},
      {"gfx1100", "v_fmamk_f32 v0, v1, 0x80, v2", "v_fmamk_f32: v0+1 = v1+1 0x80 v2+1"},
      {"gfx1100", "v_fmaak_f16 v0, v1, v2, 0xff", "v_fmaak_f16: v0+1 = v1+1 v2+1 0xff"},
  };
  for (const Case& c : cases) {
    const Decoded decoded = decode(c.gfx, c.text);
    ASSERT_EQ(decoded.insts.size(), 1U) << c.text;
    EXPECT_EQ(show(*decoded.insts[0]), c.shown) << c.gfx << ": " << c.text;
  }
}

TEST(Decode, ConstantsOfVectorOperationsHaveRows) {
  const Decoded decoded = decode("gfx942",
                                 "v_add_f64 v[0:1], v[2:3], 2.0\nv_or_b32 v0, 5, v1\n"
                                 "v_and_b32 v0, 5, v1");
  const Operand& wide = decoded.insts[0]->src[1];
  ASSERT_NE(wide.row, nullptr);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(wide.row[lane], 0U);
    EXPECT_EQ(wide.row[64 + lane], 0x40000000U);
  }
  EXPECT_EQ(decoded.insts[1]->src[0].row, decoded.insts[2]->src[0].row);
}

TEST(Decode, Modifiers) {
  const auto one = [](std::string_view gfx, std::string_view text) {
    static std::vector<Decoded> keep;
    keep.push_back(decode(gfx, text));
    return keep.back().insts.at(0);
  };
  const Inst* inst = one("gfx942", "v_add_f32 v0, v1, v2");
  EXPECT_TRUE(inst->flags & kPlain);
  inst = one("gfx942", "v_add_f32_e64 v0, -v1, |s2| clamp mul:4");
  EXPECT_FALSE(inst->flags & kPlain);
  EXPECT_EQ(show(*inst), "v_add_f32: v0+1 = ~v1+1 |s2+1|");
  EXPECT_TRUE(inst->clamp);
  EXPECT_EQ(inst->omod, 2);

  inst = one("gfx942", "v_pk_fma_f16 v0, v1, v2, v3");
  EXPECT_TRUE(inst->flags & kPlain);
  EXPECT_TRUE(inst->src[0].op_sel_hi && inst->src[2].op_sel_hi);
  inst = one("gfx942",
             "v_pk_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,1] neg_lo:[0,1,0] "
             "neg_hi:[0,0,1]");
  EXPECT_EQ(show(*inst), "v_pk_fma_f16: v0+1 = v1+1^ ~v2+1 v3+1~hi");
  EXPECT_FALSE(inst->src[1].op_sel_hi);
  EXPECT_FALSE(inst->flags & kPlain);

  inst = one("gfx942", "v_fma_mix_f32 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,0]");
  EXPECT_TRUE(inst->src[0].op_sel && inst->src[0].op_sel_hi);
  EXPECT_FALSE(inst->src[1].op_sel_hi);
  EXPECT_FALSE(inst->op_sel_dst);

  inst = one("gfx942", "v_mad_u16 v0, v1, v2, v3 op_sel:[0,1,0,1]");
  EXPECT_EQ(show(*inst), "v_mad_u16: v0+1 = v1+1 v2+1^ v3+1");
  EXPECT_TRUE(inst->op_sel_dst);
  inst = one("gfx1100", "v_add_f16_e32 v0.h, v1.l, v2.h");
  EXPECT_TRUE(inst->op_sel_dst);
  EXPECT_TRUE(inst->dst[0].high_half);
  EXPECT_FALSE(inst->src[0].op_sel);
  EXPECT_TRUE(inst->src[1].op_sel && inst->src[1].high_half);

  inst = one("gfx942", "v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0] row_mask:0xa bank_mask:0x5");
  EXPECT_TRUE(inst->flags & kHasDpp);
  EXPECT_EQ(inst->dpp.kind, Dpp::kQuadPerm);
  EXPECT_EQ(inst->dpp.argument, 0b00011011U);
  EXPECT_EQ(inst->dpp.row_mask, 0xa);
  EXPECT_EQ(inst->dpp.bank_mask, 0x5);
  EXPECT_FALSE(inst->dpp.bound_ctrl);
  inst = one("gfx942", "v_mov_b32_dpp v0, v1 row_bcast:31 row_mask:0xf bank_mask:0xf bound_ctrl:0");
  EXPECT_EQ(inst->dpp.kind, Dpp::kRowBcast31);
  EXPECT_TRUE(inst->dpp.bound_ctrl);
  inst = one("gfx1100", "v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0] fi:1");
  EXPECT_EQ(inst->dpp.kind, Dpp::kDpp8);
  EXPECT_EQ(inst->dpp.argument, 001234567U);
  EXPECT_TRUE(inst->dpp.fetch_inactive);

  inst = one("gfx942",
             "v_add_u16_sdwa v0, sext(v1), v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE "
             "src0_sel:BYTE_3 src1_sel:DWORD");
  EXPECT_TRUE(inst->flags & kHasSdwa);
  EXPECT_EQ(inst->dst_sel, static_cast<std::uint8_t>(Sdwa::kWord1));
  EXPECT_EQ(inst->dst_unused, SdwaUnused::kPreserve);
  EXPECT_EQ(inst->src[0].sel, static_cast<std::uint8_t>(Sdwa::kByte3));
  EXPECT_EQ(inst->src[1].sel, static_cast<std::uint8_t>(Sdwa::kDword));
  EXPECT_TRUE(inst->src[0].sext);

  inst = one("gfx942", "global_load_dword v0, v[2:3], off offset:-20 sc0 sc1");
  EXPECT_EQ(inst->memory.offset, -20);
  EXPECT_EQ(inst->memory.scope, 3);
  inst = one("gfx1201", "global_load_b32 v0, v[2:3], off scope:SCOPE_DEV");
  EXPECT_EQ(inst->memory.scope, 2);
  inst = one("gfx942", "ds_read2_b32 v[0:1], v2 offset0:1 offset1:200");
  EXPECT_EQ(inst->memory.offset, 1);
  EXPECT_EQ(inst->memory.offset1, 200);
  inst = one("gfx942", "ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,3,2,1,0)");
  EXPECT_EQ(inst->memory.offset, 0x801b);
  inst = one("gfx90a", "buffer_load_dword v0, v[2:3], s[4:7], s3 idxen offen");
  EXPECT_TRUE(inst->memory.idxen && inst->memory.offen);
  inst = one("gfx942", "v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3] cbsz:1 abid:2 blgp:3");
  EXPECT_EQ(inst->cbsz, 1);
  EXPECT_EQ(inst->abid, 2);
  EXPECT_EQ(inst->blgp, 3);
  inst = one("gfx950", "v_bitop3_b32 v0, v1, v2, v3 bitop3:0x81");
  EXPECT_EQ(inst->bitop3, 0x81);
  inst = one("gfx1201", "v_cvt_f32_fp8_e64 v0, v1 byte_sel:1");
  EXPECT_TRUE(inst->byte_sel_set);
  EXPECT_EQ(inst->byte_sel, 1);
}

TEST(Decode, WritersOfExecAreMarked) {
  const std::pair<const char*, bool> cases[] = {
      {"s_mov_b64 exec, s[0:1]", true},
      {"s_mov_b32 exec_hi, s0", true},
      {"s_and_saveexec_b64 s[0:1], vcc", true},
      {"v_cmpx_eq_u32 vcc, v0, v1", true},
      {"s_mov_b64 s[0:1], exec", false},
      {"v_cmp_eq_u32 vcc, v0, v1", false},
      {"s_mov_b32 m0, s0", false},
  };
  for (const auto& [text, writes] : cases) {
    const Decoded decoded = decode("gfx942", text);
    EXPECT_EQ((decoded.insts.at(0)->flags & kWritesExec) != 0, writes) << text;
  }
  EXPECT_TRUE(decode("gfx1100", "v_cmpx_eq_u32 v0, v1").insts.at(0)->flags & kWritesExec);
}

TEST(Decode, BothHalvesOfADualIssueReadFirst) {
  Lab lab("gfx1100");
  const auto expect = [&](const char* text, std::uint32_t v0, std::uint32_t v1) {
    for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
      lab.set_v(0, lane, 10);
      lab.set_v(1, lane, 20);
      lab.set_v(2, lane, 3);
      lab.set_v(3, lane, 4);
    }
    lab.set_s(kVccLo, 0xffffffff);
    lab.run(text);
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    EXPECT_EQ(lab.v(0, 5), v0) << text;
    EXPECT_EQ(lab.v(1, 5), v1) << text;
  };
  expect("v_dual_mov_b32 v0, v2 :: v_dual_mov_b32 v1, v3", 3, 4);
  expect("v_dual_mov_b32 v0, v2 :: v_dual_mov_b32 v1, v0", 3, 10);
  expect("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v3", 20, 4);
  expect("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0", 20, 10);
  expect("v_dual_cndmask_b32 v0, v1, v3 :: v_dual_add_nc_u32 v1, v0, v2", 4, 13);
}

TEST(Decode, BranchesKnowTheirTarget) {
  const Decoded decoded = decode("gfx942",
                                 "loop:\ns_nop 0\ns_cbranch_scc1 loop\ns_branch end\n"
                                 "s_nop 1\nend: s_endpgm");
  ASSERT_EQ(decoded.insts.size(), 5U);
  EXPECT_EQ(decoded.insts[1]->target, decoded.insts[0]);
  EXPECT_EQ(decoded.insts[2]->target, decoded.insts[4]);
  EXPECT_EQ(decoded.insts[3]->simm16, 1);
}

TEST(Decode, InstructionsFollowEachOther) {
  const Decoded decoded =
      decode("gfx942", "s_mov_b32 s0, 0x12345678\nv_fma_f32 v0, v1, v2, v3\ns_endpgm");
  ASSERT_EQ(decoded.insts.size(), 3U);
  const std::uint64_t begin = decoded.begin();
  const unsigned sizes[] = {8, 8, 4};
  std::uint64_t address = begin;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(decoded.insts[i], decoded.insts[0] + i);
    EXPECT_EQ(decoded.insts[i]->address, address);
    EXPECT_EQ(decoded.insts[i]->size, sizes[i]);
    EXPECT_EQ(decoded.program->at(address), decoded.insts[i]);
    address += sizes[i];
  }
  EXPECT_EQ(decoded.program->text(*decoded.insts[1]), "v_fma_f32 v0, v1, v2, v3");
  // In the middle of an instruction, between dwords, outside.
  EXPECT_EQ(decoded.program->at(begin + 4), nullptr);
  EXPECT_EQ(decoded.program->at(begin + 1), nullptr);
  EXPECT_EQ(decoded.program->at(begin - 4), nullptr);
  EXPECT_EQ(decoded.program->at(address), nullptr);
}

TEST(Decode, FunctionsAreDecodedWhenReached) {
  auto bytes = assemble("gfx942", 64, "s_nop 0\ns_nop 1\ns_nop 2\ns_endpgm").value();
  const auto begin = reinterpret_cast<std::uint64_t>(bytes.data());
  auto program = Program::create(arch::parse_target("gfx942").value(), 64, {{begin, bytes.size()}},
                                 {begin, begin + 8})
                     .value();
  const Inst* first = program->at(begin);
  const Inst* second = program->at(begin + 8);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first[1].simm16, 1);
  // After the first function comes what goes on with the second one.
  EXPECT_EQ(first[2].op, nullptr);
  EXPECT_EQ(first[2].address, begin + 8);
  Wave wave;
  Workgroup group;
  group.program = program.get();
  wave.group = &group;
  first[2].run(wave, first[2]);
  EXPECT_EQ(wave.next, second);
  EXPECT_EQ(wave.state, WaveState::kReady);
  second[2].run(wave, second[2]);
  EXPECT_EQ(wave.fault.kind, Fault::Kind::kBadJump);
}

TEST(Decode, UnknownInstructionsFaultWithTheirName) {
  Decoded decoded = decode_bytes("gfx942", 64, bytes_of({0xffffffff, 0xbf810000}));
  ASSERT_EQ(decoded.insts.size(), 2U);
  Wave wave;
  decoded.insts[0]->run(wave, *decoded.insts[0]);
  EXPECT_EQ(wave.fault.kind, Fault::Kind::kUnsupported);
  EXPECT_NE(wave.fault.what.find("undecodable bytes 0xffffffff"), std::string::npos)
      << wave.fault.what;
  EXPECT_EQ(name_of(*decoded.insts[1]), "s_endpgm");

  decoded =
      decode("gfx1100", "image_msaa_load v[0:3], v[4:6], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA");
  Wave other;
  decoded.insts.at(0)->run(other, *decoded.insts.at(0));
  EXPECT_EQ(other.fault.kind, Fault::Kind::kUnsupported);
  EXPECT_TRUE(other.fault.what.starts_with("image_msaa_load at 0x")) << other.fault.what;
}

TEST(Decode, PaddingIsOneInstruction) {
  std::vector<std::uint32_t> code(1000, 0xbf9f0000);
  code[0] = 0xbfb00000;  // s_endpgm
  const Decoded decoded = decode_bytes("gfx1100", 32, bytes_of(code));
  ASSERT_EQ(decoded.insts.size(), 2U);
  EXPECT_EQ(decoded.program->text(*decoded.insts[1]), "s_code_end");
}

TEST(Decode, GarbageIsDecodedToo) {
  std::mt19937_64 random(3);
  for (const std::string& gfx : all_targets())
    for (const unsigned wave_size : {32U, 64U}) {
      if (wave_size == 32 && is_gfx9(*isa_of(gfx))) continue;
      std::vector<std::uint32_t> code(20'000);
      for (std::uint32_t& dword : code) dword = static_cast<std::uint32_t>(random());
      const Decoded decoded = decode_bytes(gfx, wave_size, bytes_of(code));
      EXPECT_GT(decoded.insts.size(), 5000U);
      for (const Inst* inst : decoded.insts) {
        ASSERT_NE(inst->run, nullptr);
        ASSERT_NE(inst->op, nullptr);
        const auto exists = [](const Operand& operand) {
          const unsigned end = operand.index + operand.dwords;
          return (!operand.is_vector() || end <= kVectorRows) &&
                 (!operand.is_scalar() || end <= kScalarCount);
        };
        ASSERT_TRUE(std::ranges::all_of(inst->dst, exists));
        ASSERT_TRUE(std::ranges::all_of(inst->src, exists));
      }
    }
}

// SDWA names parts of registers with three bits; the eighth value names none.
TEST(Decode, PartsThatSdwaDoesNotHaveAreUndecodable) {
  for (const std::string gfx : {"gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030"})
    for (const auto& [first, second] : {std::pair{0x7e0002f9U, 0x00070600U},  // v_mov_b32, source 0
                                        {0x7e0002f9U, 0x00060700U},           // destination
                                        {0x020002f9U, 0x07060600U},           // v_add_f32, source 1
                                        {0x7d8002f9U, 0x00070000U}}) {        // v_cmp
      const Decoded decoded = decode_bytes(gfx, 64, bytes_of({first, second}));
      ASSERT_FALSE(decoded.insts.empty());
      EXPECT_EQ(decoded.insts[0]->size, 4)
          << gfx << " " << decoded.program->text(*decoded.insts[0]);
      EXPECT_TRUE(decoded.insts[0]->op->flags & kRefused || name_of(*decoded.insts[0]) == "?" ||
                  name_of(*decoded.insts[0]).find("v_") == std::string_view::npos)
          << gfx << " " << name_of(*decoded.insts[0]);
    }
}

TEST(Decode, LongFunctionsAreSplit) {
  const std::vector<std::uint32_t> code(200'000, 0xbf800000);  // s_nop 0
  const auto bytes = bytes_of(code);
  const auto begin = reinterpret_cast<std::uint64_t>(bytes.data());
  auto program =
      Program::create(arch::parse_target("gfx942").value(), 64, {{begin, bytes.size()}}, {begin})
          .value();
  const Inst* first = program->at(begin);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first[65536].op, nullptr);
  EXPECT_EQ(first[65536].address, begin + 4 * 65536);
  const Inst* far = program->at(begin + 4 * 199'999);
  ASSERT_NE(far, nullptr);
  EXPECT_EQ(far->address, begin + 4 * 199'999);
}

TEST(Decode, SupportedTargets) {
  EXPECT_EQ(isa_of("gfx90a"), Isa::kGfx90a);
  EXPECT_EQ(isa_of("gfx9-4-generic"), Isa::kGfx942);
  EXPECT_EQ(isa_of("gfx11-generic"), Isa::kGfx11);
  EXPECT_EQ(isa_of("gfx12-generic"), Isa::kGfx12);
  EXPECT_EQ(isa_of("gfx906"), std::nullopt);
  EXPECT_EQ(isa_of("gfx908"), Isa::kGfx908);
  EXPECT_EQ(isa_of("gfx10-3-generic"), Isa::kGfx10);
  EXPECT_EQ(isa_of("gfx1010"), std::nullopt);
  const auto program = Program::create(arch::parse_target("gfx1010").value(), 32, {}, {});
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().message().find("gfx1010"), std::string::npos);
  EXPECT_FALSE(Program::create(arch::parse_target("gfx942").value(), 32, {}, {}));
  EXPECT_TRUE(Program::create(arch::parse_target("gfx11-generic").value(), 32, {}, {}));
  EXPECT_TRUE(check_llvm());
}

// The number that is a literal in other fields is a register where the destination is one.
TEST(Decode, TheLastVectorRegisterIsADestination) {
  for (const std::string gfx : {"gfx908", "gfx90a", "gfx942", "gfx950"})
    for (const std::string text :
         {"v_add3_u32 v255, v1, v2, v3", "v_accvgpr_write_b32 a255, v1",
          "v_accvgpr_read_b32 v255, a3", "v_pk_add_u16 v255, v1, v2", "v_perm_b32 v255, v1, v2, s3",
          "v_writelane_b32 v255, s2, 3", "v_add_co_u32_e64 v255, s[2:3], v1, v2"}) {
      const Decoded decoded = decode(gfx, text);
      ASSERT_EQ(decoded.insts.size(), 1U) << gfx << " " << text;
      const Inst& inst = *decoded.insts[0];
      ASSERT_TRUE(inst.dst[0].is_vector()) << gfx << " " << text << ": " << name_of(inst);
      EXPECT_EQ(inst.dst[0].index % 256, 255) << gfx << " " << text;
    }
}

// Where it is a scalar register, that number is not one; LLVM does not survive it.
TEST(Decode, AScalarDestinationIsNeverALiteral) {
  for (const std::string gfx : {"gfx908", "gfx90a", "gfx942", "gfx950"})
    for (const std::uint32_t first : {0xd04400ffU, 0xd01000ffU, 0xd28900ffU}) {
      const Decoded decoded = decode_bytes(gfx, 64, bytes_of({first, 0x00020300}));
      ASSERT_FALSE(decoded.insts.empty());
      EXPECT_FALSE(decoded.insts[0]->dst[0])
          << gfx << " " << decoded.program->text(*decoded.insts[0]);
    }
}

}  // namespace
}  // namespace hipwright::soft
