// SPDX-License-Identifier: MIT
// Lines of LLVM's disassembly, taken apart.
#include "soft/decode/parsed_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "soft/decode/canonical_names.h"

namespace hipwright::soft {
namespace {

std::string show(const TextOperand& operand) {
  using Kind = TextOperand::Kind;
  std::string out;
  switch (operand.kind) {
    case Kind::kOff:
      out = "off";
      break;
    case Kind::kVector:
    case Kind::kScalar:
      out = fmt::format("{}{}+{}", operand.kind == Kind::kVector ? "v" : "s", operand.index,
                        operand.count);
      break;
    case Kind::kInteger:
      out = fmt::format("int {}", operand.integer);
      break;
    case Kind::kLiteral:
      out = fmt::format("bits {:#x}{}", static_cast<std::uint64_t>(operand.integer),
                        operand.wide ? "w" : "");
      break;
    case Kind::kFloat:
      out = fmt::format("float {}", operand.real);
      break;
    case Kind::kOther:
      out = fmt::format("other {}", operand.text);
      break;
  }
  if (operand.half) out += operand.high_half ? ".h" : ".l";
  if (operand.sext) out = "sext " + out;
  if (operand.abs) out = "abs " + out;
  if (operand.neg) out = "neg " + out;
  return out;
}

std::string show(const ParsedInst& inst) {
  std::string out =
      fmt::format("{}{}{}", inst.mnemonic, inst.suffix.empty() ? "" : "/", inst.suffix);
  for (const TextOperand& operand : inst.operands) out += "; " + show(operand);
  for (const TextModifier& modifier : inst.modifiers) {
    out += fmt::format(" {{{}", modifier.name);
    if (!modifier.values.empty())
      out += fmt::format(":{}", fmt::join(modifier.values, ","));
    else if (!modifier.word.empty())
      out += fmt::format("={}", modifier.word);
    out += "}";
  }
  return out;
}

struct Case {
  const char* text;
  const char* parsed;
};

TEST(Text, OperandsAndModifiers) {
  const Case cases[] = {
      {"s_endpgm", "s_endpgm"},
      {"v_add_f32_e32 v0, v1, v2", "v_add_f32/_e32; v0+1; v1+1; v2+1"},
      {"v_add_f32_e64 v0, -v1, |s2| clamp mul:2",
       "v_add_f32/_e64; v0+1; neg v1+1; abs s2+1 {clamp} {mul:2}"},
      {"v_add_f32_e64 v0, -|v1|, neg(1.0)", "v_add_f32/_e64; v0+1; neg abs v1+1; neg float 1"},
      {"v_fma_f64 v[0:1], v[2:3], 0.15915494309189532, -4.0",
       "v_fma_f64; v0+2; v2+2; float 0.15915494309189532; float -4"},
      {"v_mov_b32_e32 v0, -16", "v_mov_b32/_e32; v0+1; int -16"},
      {"s_mov_b32 s0, lit(0x1)", "s_mov_b32; s0+1; bits 0x1"},
      {"s_mov_b64 s[0:1], lit64(0x123456789a)", "s_mov_b64; s0+2; bits 0x123456789aw"},
      {"s_mov_b64 vcc, exec", "s_mov_b64; s106+2; s126+2"},
      {"s_and_b32 vcc_hi, exec_lo, ttmp5", "s_and_b32; s107+1; s126+1; s113+1"},
      {"s_mov_b64 s[4:5], src_shared_base", "s_mov_b64; s4+2; s130+0"},
      {"s_mov_b32 flat_scratch_hi, src_vccz", "s_mov_b32; s103+1; s138+1"},
      {"v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, a255, a[0:3] cbsz:1 abid:2 blgp:3",
       "v_mfma_f32_4x4x1_16b_f32; v256+4; v0+1; v511+1; v256+4 {cbsz:1} {abid:2} {blgp:3}"},
      {"v_add_f16_e64 v0.h, v1.l, -v2.h op_sel:[0,1,1]",
       "v_add_f16/_e64; v0+1.h; v1+1.l; neg v2+1.h {op_sel:0,1,1}"},
      {"v_add_u16_sdwa v0, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3",
       "v_add_u16/_sdwa; v0+1; sext v1+1; v2+1 {dst_sel=DWORD} {dst_unused=UNUSED_PAD} "
       "{src0_sel=BYTE_3}"},
      {"v_mov_b32_e64_dpp v0, v1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xa fi:1",
       "v_mov_b32/_e64_dpp; v0+1; v1+1 {quad_perm:3,2,1,0} {row_mask:15} {bank_mask:10} {fi:1}"},
      {"v_mov_b32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf",
       "v_mov_b32/_dpp; v0+1; v1+1 {row_mirror} {row_mask:15} {bank_mask:15}"},
      {"global_load_dword v1, v2, s[4:5] offset:-16 sc0 nt",
       "global_load_dword; v1+1; v2+1; s4+2 {offset:-16} {sc0} {nt}"},
      {"global_store_b64 v[0:1], v[2:3], off th:TH_STORE_NT scope:SCOPE_SYS",
       "global_store_b64; v0+2; v2+2; off {th=TH_STORE_NT} {scope=SCOPE_SYS}"},
      {"global_inv scope:SCOPE_DEV", "global_inv {scope=SCOPE_DEV}"},
      {"buffer_inv sc0 sc1", "buffer_inv {sc0} {sc1}"},
      {"ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM,\"01pip\")",
       "ds_swizzle_b32; v0+1; v1+1 {offset=swizzle(BITMASK_PERM,\"01pip\")}"},
      {"s_load_b32 s0, s[2:3], -0x10", "s_load_b32; s0+1; s2+2; bits 0xfffffffffffffff0"},
      {"s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)",
       "s_getreg_b32; s0+1; other hwreg(HW_REG_MODE, 0, 4)"},
      {"s_waitcnt vmcnt(0) lgkmcnt(0)", "s_waitcnt; other vmcnt(0) {lgkmcnt(0)}"},
      {"s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)",
       "s_delay_alu; other instid0(VALU_DEP_1) {|} {instskip(NEXT)} {|} {instid1(VALU_DEP_1)}"},
      {"s_waitcnt_vscnt null, 0x0", "s_waitcnt_vscnt; s125+0; bits 0x0"},
      // LLVM closes the modifier after the mask.
      {"v_cndmask_b32_dpp v5, -v39, |v51, vcc_lo| row_shl:1",
       "v_cndmask_b32/_dpp; v5+1; neg v39+1; abs v51+1; s106+1 {row_shl:1}"},
  };
  for (const Case& c : cases) EXPECT_EQ(show(parse_text(c.text).first), c.parsed) << c.text;
}

TEST(Text, DualIssueIsTwoInstructions) {
  const ParsedText parsed =
      parse_text("v_dual_fmaak_f32 v0, v1, v2, 0x1234 :: v_dual_mov_b32 v3, s4");
  ASSERT_TRUE(parsed.second);
  EXPECT_EQ(show(parsed.first), "v_dual_fmaak_f32; v0+1; v1+1; v2+1; bits 0x1234");
  EXPECT_EQ(show(*parsed.second), "v_dual_mov_b32; v3+1; s4+1");
}

TEST(Text, TextThatLlvmMarksInvalidIsRejected) {
  EXPECT_TRUE(parse_text("v_cmp_f_u64_e64 0/*Invalid immediate*/, s[0:1], s[0:1]").invalid);
  EXPECT_FALSE(parse_text("v_cmp_f_u64_e64 vcc, s[0:1], s[0:1]").invalid);
}

TEST(Text, NonexistentRegistersAreRejected) {
  for (const char* text : {"v256", "v[255:256]", "a256", "s106", "s[100:107]", "ttmp16", "v[3:2]",
                           "v[", "v[1", "v4294967296", "v[0:4294967295]", "v-1", "v.h", "v0.x"}) {
    const ParsedText parsed = parse_text(std::string("v_mov_b32_e32 v0, ") + text);
    ASSERT_EQ(parsed.first.operands.size(), 2U) << text;
    EXPECT_EQ(parsed.first.operands[1].kind, TextOperand::Kind::kOther) << text;
  }
}

TEST(Names, OnePerOperation) {
  const std::pair<const char*, const char*> cases[] = {
      {"v_add_nc_u32", "v_add_u32"},
      {"v_add_co_u32", "v_add_co_u32"},
      {"v_add_co_ci_u32", "v_addc_co_u32"},
      {"v_dual_add_nc_u32", "v_add_u32"},
      {"v_dual_max_num_f32", "v_max_f32"},
      {"v_dual_dot2acc_f32_f16", "v_dot2c_f32_f16"},
      {"v_pk_max_num_f16", "v_pk_max_f16"},
      {"v_cmp_t_f32", "v_cmp_tru_f32"},
      {"v_cmp_t_i32", "v_cmp_t_i32"},
      {"ds_load_b32", "ds_read_b32"},
      {"ds_load_2addr_stride64_b64", "ds_read2st64_b64"},
      {"ds_store_2addr_b32", "ds_write2_b32"},
      {"ds_store_b16_d16_hi", "ds_write_b16_d16_hi"},
      {"ds_storexchg_2addr_rtn_b32", "ds_wrxchg2_rtn_b32"},
      {"ds_max_num_rtn_f64", "ds_max_rtn_f64"},
      {"ds_cmpstore_b32", "ds_cmpstore_b32"},
      {"global_load_b128", "global_load_dwordx4"},
      {"global_load_d16_hi_u8", "global_load_ubyte_d16_hi"},
      {"global_load_addtid_b32", "global_load_addtid_b32"},
      {"scratch_store_d16_hi_b16", "scratch_store_short_d16_hi"},
      {"buffer_load_d16_format_xy", "buffer_load_format_d16_xy"},
      {"flat_atomic_max_i64", "flat_atomic_smax_x2"},
      {"global_atomic_cmpswap_b64", "global_atomic_cmpswap_x2"},
      {"global_atomic_add_f32", "global_atomic_add_f32"},
      {"global_atomic_min_num_f32", "global_atomic_min_f32"},
      {"s_load_b512", "s_load_dwordx16"},
      {"s_buffer_load_b96", "s_buffer_load_dwordx3"},
      {"s_load_u16", "s_load_u16"},
      {"s_add_co_ci_u32", "s_addc_u32"},
      {"s_and_not1_saveexec_b32", "s_andn2_saveexec_b32"},
      {"v_mfma_f32_32x32x8f16", "v_mfma_f32_32x32x8f16"},
  };
  for (const auto& [printed, canonical] : cases) EXPECT_EQ(canonical_name(printed), canonical);
}

}  // namespace
}  // namespace hipwright::soft
