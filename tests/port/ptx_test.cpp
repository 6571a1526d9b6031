// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "port/ported.h"
#include "port/ptx/ptx.h"

namespace hipwright::port {
namespace {

// Of a statement whose operands are named x, y, z… for the outputs and a, b, c… for the inputs.
ptx::Translation translated(std::string_view text, std::string_view outputs,
                            std::string_view inputs, bool is_kernel = false) {
  std::vector<ptx::Argument> arguments;
  std::string name = "x";
  for (const char c : outputs) {
    arguments.push_back({.text = name, .constraint = c, .is_input = false, .is_output = true});
    name[0] = static_cast<char>(name[0] == 'z' ? 'p' : name[0] + 1);
  }
  name = "a";
  for (const char c : inputs) {
    arguments.push_back({.text = name, .constraint = c});
    ++name[0];
  }
  return ptx::translate(text, arguments, is_kernel);
}

std::string joined(const ptx::Translation& translation) {
  if (translation.refusal) return std::string(translation.refusal->code.text());
  std::string all;
  for (const std::string& line : translation.lines) all += (all.empty() ? "" : " ") + line;
  return all;
}

struct Case {
  std::string_view text, outputs, inputs, wanted;
};

class Ptx : public testing::TestWithParam<Case> {};

TEST_P(Ptx, IsCpp) {
  const Case& each = GetParam();
  EXPECT_EQ(joined(translated(each.text, each.outputs, each.inputs)), each.wanted) << each.text;
}

INSTANTIATE_TEST_SUITE_P(
    Registers, Ptx,
    testing::Values(
        Case{"mov.u32 %0, %%laneid;", "r", "", "x = (unsigned int)warp32::lane();"},
        Case{"mov.u32 %0, %laneid;", "r", "", "x = (unsigned int)warp32::lane();"},
        Case{"mov.u32 %0, %%lanemask_lt;", "r", "", "x = ((1u << warp32::lane()) - 1u);"},
        Case{"mov.u32 %0, %%lanemask_gt;", "r", "", "x = (~0u << warp32::lane() << 1);"},
        Case{"mov.u64 %0, %%clock64;", "l", "", "x = (unsigned long long)::clock64();"},
        Case{"mov.u32 %0, %%tid.y;", "r", "", "x = threadIdx.y;"},
        Case{"mov.u32 %0, %%nctaid.z;", "r", "", "x = gridDim.z;"},
        Case{"mov.u32 %0, %%nsmid;", "r", "", "HP311"},
        Case{"mov.u32 %0, %%smid;", "r", "", "x = (unsigned int)__smid();"}));

INSTANTIATE_TEST_SUITE_P(
    Integers, Ptx,
    testing::Values(
        Case{"add.u32 %0, %1, %2;", "r", "rr", "x = (unsigned int)a + (unsigned int)b;"},
        Case{"bfe.u32 %0, %1, %2, %3;", "r", "rrr",
             "x = hip_ptx::bfe<unsigned int>((unsigned int)a, b, c);"},
        Case{"bfi.b32 %0, %1, %2, 8, 4;", "r", "rr",
             "x = hip_ptx::bfi<unsigned int>((unsigned int)a, (unsigned int)b, 8u, 4u);"},
        Case{"prmt.b32 %0, %1, %2, 0x5410;", "r", "rr", "x = hip_ptx::prmt(a, b, 0x5410u);"},
        Case{"lop3.b32 %0, %1, %2, %3, 0xEA;", "r", "rrr", "x = hip_ptx::lop3<234u>(a, b, c);"},
        Case{"lop3.b32 %0, %1, %2, %3, %4;", "r", "rrrn",
             "x = hip_ptx::lop3<(unsigned int)d>(a, b, c);"},
        Case{"shf.l.wrap.b32 %0, %1, %2, %3;", "r", "rrr", "x = __funnelshift_l(a, b, c);"},
        Case{"shf.r.clamp.b32 %0, %1, %2, %3;", "r", "rrr", "x = __funnelshift_rc(a, b, c);"},
        Case{"shl.b32 %0, %1, 4;", "r", "r", "x = (unsigned int)a << 4;"},
        Case{"shr.s32 %0, %1, %2;", "r", "rr", "x = hip_ptx::shr<int>((int)a, b);"},
        Case{"popc.b64 %0, %1;", "r", "l", "x = (unsigned int)__popcll((unsigned long long)a);"},
        Case{"mul.wide.u32 %0, %1, %2;", "l", "rr",
             "x = (unsigned long long)(unsigned int)a * (unsigned int)b;"},
        Case{"mul.hi.s32 %0, %1, %2;", "r", "rr", "x = hip_ptx::mul_hi<int>((int)a, (int)b);"},
        Case{"mad.lo.u32 %0, %1, %2, %3;", "r", "rrr",
             "x = (unsigned int)a * (unsigned int)b + (unsigned int)c;"},
        Case{"dp4a.s32.u32 %0, %1, %2, %3;", "r", "rrr",
             "x = hip_ptx::dp4a<signed char, unsigned char>(a, (unsigned int)b, c);"},
        Case{"add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5;", "rr", "rrrr",
             "unsigned int ptx_0; unsigned int ptx_1; const unsigned int ptx_2 = a; const unsigned "
             "int ptx_3 = b; "
             "const unsigned int ptx_4 = c; const unsigned int ptx_5 = d; unsigned int ptx_carry = "
             "0; "
             "ptx_0 = hip_ptx::add_carry<unsigned int>(ptx_2, ptx_4, 0u, ptx_carry); "
             "ptx_1 = ptx_3 + ptx_5 + ptx_carry; x = ptx_0; y = ptx_1;"},
        Case{"addc.u32 %0, %1, %2;", "r", "rr", "HP315"},
        Case{"vadd4.u32.u32.u32 %0, %1, %2;", "r", "rr", "HP311"},
        Case{"{.reg .pred p; setp.ne.b32 p, %1, 0; selp.u32 %0, 1, 0, p;}", "r", "r",
             "unsigned int ptx_0; const unsigned int ptx_1 = a; bool ptx_p; ptx_p = ptx_1 != 0u; "
             "ptx_0 = ptx_p ? 1u : 0u; x = ptx_0;"}));

INSTANTIATE_TEST_SUITE_P(
    Floats, Ptx,
    testing::Values(
        Case{"fma.rn.f32 %0, %1, %2, %3;", "f", "fff", "x = fmaf(a, b, c);"},
        Case{"add.rn.f32 %0, %1, %2;", "f", "ff", "x = hip_ptx::add_rn<float>(a, b);"},
        Case{"add.rz.f32 %0, %1, %2;", "f", "ff", "HP311"},
        Case{"ex2.approx.ftz.f32 %0, %1;", "f", "f", "x = exp2f(a);"},
        Case{"mul.f32 %0, %1, 0f3FB8AA3B;", "f", "f", "x = a * (__uint_as_float(0x3FB8AA3Bu));"},
        Case{"cvt.rn.f16x2.f32 %0, %1, %2;", "r", "ff",
             "x = hip_ptx::pack(hip_ptx::f16_bits(b), hip_ptx::f16_bits(a));"},
        Case{"cvt.rzi.s32.f32 %0, %1;", "r", "f", "x = hip_ptx::to_integer<int>(truncf(a));"},
        Case{"cvt.f32.f16 %0, %1;", "f", "h", "x = hip_ptx::f16_value((unsigned short)a);"},
        Case{"cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", "h", "ff", "HP311"},
        Case{"fma.rn.f16x2 %0, %1, %2, %3;", "r", "rrr",
             "x = hip_ptx::fma_half<hip_ptx::f16x2>((unsigned int)a, (unsigned int)b, (unsigned "
             "int)c);"},
        Case{"mov.b32 %0, %1;", "r", "f", "x = __float_as_uint(a);"},
        Case{"mov.b64 %0, {%1, %2};", "l", "rr",
             "x = (unsigned long long)(unsigned int)b << 32 | (unsigned long long)(unsigned "
             "int)a;"}));

INSTANTIATE_TEST_SUITE_P(
    Memory, Ptx,
    testing::Values(
        Case{"ld.global.nc.u32 %0, [%1];", "r", "l", "x = hip_ptx::load<unsigned int>(a);"},
        Case{"ld.global.nc.L1::no_allocate.L2::128B.f32 %0, [%1+16];", "f", "l",
             "x = hip_ptx::load<float>(hip_ptx::at(a, 16));"},
        Case{"ld.global.cg.v2.f32 {%0, %1}, [%2];", "ff", "l",
             "float ptx_0; float ptx_1; const auto ptx_2 = a; const float2 ptx_v0 = "
             "hip_ptx::load_cg<float2>(ptx_2); "
             "ptx_0 = ptx_v0.x; ptx_1 = ptx_v0.y; x = ptx_0; y = ptx_1;"},
        Case{"ld.acquire.gpu.global.u32 %0, [%1];", "r", "l",
             "x = hip_ptx::atomic_load<unsigned int, hip_ptx::acquire, hip_ptx::gpu>(a);"},
        Case{"st.release.sys.global.u32 [%0], %1;", "", "lr",
             "hip_ptx::atomic_store<unsigned int, hip_ptx::release, hip_ptx::sys>(a, (unsigned "
             "int)b);"},
        Case{"st.shared.v2.u32 [%0], {%1, %2};", "", "rrr",
             "hip_ptx::store<uint2>(hip_ptx::shared((unsigned int)a), make_uint2((unsigned int)b, "
             "(unsigned int)c));"},
        Case{
            "red.relaxed.gpu.global.add.s32 [%0], %1;", "", "lr",
            "hip_ptx::atom_add<unsigned int, hip_ptx::relaxed, hip_ptx::gpu>(a, (unsigned int)b);"},
        Case{"atom.global.cas.b64 %0, [%1], %2, %3;", "l", "lll",
             "x = hip_ptx::atom_cas<unsigned long long, hip_ptx::relaxed, hip_ptx::gpu>(a, "
             "(unsigned long long)b, "
             "(unsigned long long)c);"},
        Case{"cp.async.cg.shared.global [%0], [%1], 16;", "", "rl",
             "__pipeline_memcpy_async(hip_ptx::shared((unsigned int)a), hip_ptx::at(b), 16u);"},
        Case{"cp.async.wait_group %0;", "", "n", "__pipeline_wait_prior((unsigned int)a);"},
        Case{"membar.gl;", "", "", "__threadfence();"},
        Case{"fence.acq_rel.sys;", "", "", "__threadfence_system();"},
        Case{"{ .reg .pred p; setp.ne.b32 p, %2, 0; @p ld.global.u32 %0, [%1]; }", "r", "lr",
             "unsigned int ptx_0 = 0; const auto ptx_1 = a; const unsigned int ptx_2 = b; bool "
             "ptx_p = 0; "
             "ptx_p = ptx_2 != 0u; if (ptx_p) ptx_0 = hip_ptx::load<unsigned int>(ptx_1); x = "
             "ptx_0;"}));

INSTANTIATE_TEST_SUITE_P(
    Lanes, Ptx,
    testing::Values(
        Case{"shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;", "r", "rr",
             "x = hip_ptx::shuffle<hip_ptx::Shuffle::bfly>((unsigned int)a, b, 31u).value;"},
        Case{"activemask.b32 %0;", "r", "", "x = warp32::activemask();"},
        Case{"redux.sync.add.s32 %0, %1, %2;", "r", "rr",
             "x = warp32::reduce_add_sync((unsigned int)b, (int)a);"},
        Case{"bar.warp.sync 0xffffffff;", "", "", "warp32::syncwarp(0xffffffffu);"},
        Case{"bar.sync 0;", "", "", "__syncthreads();"}, Case{"bar.sync 1, 64;", "", "", "HP314"},
        Case{"bar.sync %0, %1;", "", "rr", "HP314"}, Case{"griddepcontrol.wait;", "", "", ""},
        Case{"nanosleep.u32 20;", "", "", "__nanosleep(20u);"}, Case{"exit;", "", "", "HP311"},
        Case{"mbarrier.init.shared::cta.b64 [%0], %1;", "", "rr", "HP314"},
        Case{"$L: bra $L;", "", "", "HP316"}, Case{"add.u32 %0, %5, 1;", "r", "r", "HP316"},
        Case{"ld.param.u32 %0, [%1];", "r", "l", "HP311"}));

TEST(PtxStatement, TensorCoresAreNamed) {
  const auto f16 = translated(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11,%12,%13};",
      "ffff", "rrrrrrffff");
  ASSERT_TRUE(f16.refusal);
  EXPECT_EQ(f16.refusal->code.text(), "HP313");
  EXPECT_NE(f16.refusal->why.find("v_mfma_f32_16x16x16_f16"), std::string::npos);
  EXPECT_NE(f16.refusal->why.find("v_wmma_f32_16x16x16_f16"), std::string::npos);
  const auto s8 = translated(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%4};", "rr", "rrr");
  EXPECT_NE(s8.refusal->why.find("v_mfma_i32_16x16x32_i8"), std::string::npos);
  EXPECT_EQ(translated("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];", "rrrr", "r")
                .refusal->code.text(),
            "HP313");
}

TEST(PtxStatement, ApproximationsAreSaid) {
  EXPECT_EQ(translated("tanh.approx.f32 %0, %1;", "f", "f").remarks.size(), 1U);
  EXPECT_TRUE(translated("fma.rn.f32 %0, %1, %1, %1;", "f", "f").remarks.empty());
}

TEST(PtxStatement, ExitIsAReturnOfAKernel) {
  EXPECT_EQ(joined(translated("exit;", "", "", true)), "return;");
}

TEST(PtxStatement, OperandsHaveTheOtherChangesInThem) {
  EXPECT_EQ(
      to_hip(
          "__device__ int f(int v) {\n"
          "  int r;\n"
          "  asm(\"add.s32 %0, %1, %2;\" : \"=r\"(r) : \"r\"(__shfl_sync(~0u, v, 0)), \"r\"(v));\n"
          "  return r;\n"
          "}\n"),
      "#include \"hip_compat.h\"\n"
      "__device__ int f(int v) {\n"
      "  int r;\n"
      "  r = (unsigned int)(warp32::shfl_sync(~0u, v, 0)) + (unsigned int)v;\n"
      "  return r;\n"
      "}\n");
}

TEST(PtxStatement, BlocksKeepIfAndElseTogether) {
  const std::string text = to_hip(
      "__device__ void f(bool b, float2 v, const float2* p) {\n"
      "  if (b)\n"
      "    asm volatile(\"ld.global.v2.f32 {%0, %1}, [%2];\" : \"=f\"(v.x), \"=f\"(v.y) : "
      "\"l\"(p));\n"
      "  else\n"
      "    v.x = 0;\n"
      "}\n");
  EXPECT_NE(text.find("  if (b)\n    {\n      float ptx_0;\n"), std::string::npos) << text;
  EXPECT_NE(text.find("      v.y = ptx_1;\n    }\n  else\n"), std::string::npos) << text;
  EXPECT_NE(text.find("#include \"hip_ptx.h\"\n"), std::string::npos);
}

TEST(PtxStatement, MacrosBecomeOneStatement) {
  EXPECT_NE(to_hip("#define LANE(x) asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x))\n")
                .find("#define LANE(x) x = (unsigned int)warp32::lane()\n"),
            std::string::npos);
  EXPECT_NE(to_hip("#define ADD(a, b) asm(\"add.cc.u32 %0, %0, %2; addc.u32 %1, %1, 0;\" \\\n"
                   "  : \"+r\"(a), \"+r\"(b) : \"r\"(1))\n")
                .find("#define ADD(a, b) do { unsigned int ptx_0 = (unsigned int)(a); "),
            std::string::npos);
}

TEST(PtxStatement, OtherAssemblyStays) {
  const std::string text =
      "#include <hip/hip_runtime.h>\n"
      "void pause() { asm volatile(\"pause\"); }\n"
      "__device__ void wait() { asm volatile(\"s_waitcnt vmcnt(0)\" ::: \"memory\"); }\n"
      "__device__ void barrier() { asm volatile(\"\" ::: \"memory\"); }\n";
  EXPECT_EQ(to_hip(text), text);
}

TEST(PtxStatement, TextThatMacrosMakeIsSaid) {
  Options options;
  options.mode = Mode::kHip;
  EXPECT_EQ(
      port_files({{"a.cu",
                   "#define LOAD(op) asm(\"ld.\" #op \".u32 %0, [%1];\" : \"=r\"(x) : \"l\"(p))\n"
                   "#define WHERE \"global\"\n"
                   "__device__ int f(int x, int* p) {\n"
                   "  asm(\"ld.\" WHERE \".u32 %0, [%1];\" : \"=r\"(x) : \"l\"(p));\n"
                   "  return x;\n"
                   "}\n"}},
                 options)
          .said(),
      "HP316:1");
  // RISC-V: its mnemonics have points, too.
  EXPECT_EQ(port_files({{"a.h",
                         "#include <cuda_runtime.h>\n"
                         "static inline void f(int* p) {\n"
                         "  asm volatile(\"flw.ps f31, \" WHERE ::\"r\"(p));\n"
                         "  asm volatile(\"mov.m.x m0, \" WHERE ::\"r\"(p));\n"
                         "}\n"}},
                       options)
                .said(),
            "");
}

}  // namespace
}  // namespace hipwright::port
