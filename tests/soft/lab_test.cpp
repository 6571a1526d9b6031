// SPDX-License-Identifier: MIT
// The way from text to results: assembled, decoded, run.
#include "soft/lab.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "soft/exec/ops/ops.h"
#include "soft/exec/simd_level.h"

namespace hipwright::soft {
namespace {

TEST(Lab, RunsAnInstructionOnEveryTarget) {
  for (const std::string& gfx : all_targets()) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
      lab.set_v(1, lane, lane);
      lab.set_v(2, lane, 1000 + lane);
    }
    lab.set_s(3, 7);
    lab.run("v_xor_b32 v0, v1, v2\nv_and_b32 v4, s3, v1\ns_mov_b32 s5, 0x1234");
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
      EXPECT_EQ(lab.v(0, lane), lane ^ (1000 + lane));
      EXPECT_EQ(lab.v(4, lane), lane & 7);
    }
    EXPECT_EQ(lab.s(5), 0x1234U);
  }
}

TEST(Lab, RunsTheRequestedSimdLevel) {
  const char* wanted = std::getenv("HIPWRIGHT_SOFT_SIMD");
  if (wanted && std::string_view(wanted) == "generic") {
    EXPECT_EQ(best_simd_level(), SimdLevel::kGeneric);
  }
  const auto at = [](SimdLevel level) { return find_op("v_xor_b32", level); };
  ASSERT_TRUE(at(SimdLevel::kGeneric) && at(SimdLevel::kAvx2));
  EXPECT_NE(at(SimdLevel::kGeneric)->run, at(SimdLevel::kAvx2)->run);
  EXPECT_EQ(find_op("v_xor_b32", best_simd_level()), find_op("v_xor_b32"));
}

TEST(Lab, ReportsAssemblyErrors) {
  const auto code = assemble("gfx942", 64, "v_add_f32 v0, v1\n");
  ASSERT_FALSE(code);
  EXPECT_NE(code.error().why.find("too few operands"), std::string::npos) << code.error().why;
}

TEST(Lab, Loops) {
  for (const std::string& gfx : all_targets()) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    lab.set_s(0, 5);
    lab.set_s(1, 0);
    lab.run(R"(
loop:
  s_add_i32 s1, s1, s0
  s_add_i32 s0, s0, -1
  s_cmp_lg_u32 s0, 0
  s_cbranch_scc1 loop
)");
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    EXPECT_EQ(lab.s(1), 15U);
  }
}

}  // namespace
}  // namespace hipwright::soft
