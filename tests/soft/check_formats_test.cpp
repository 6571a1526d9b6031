// SPDX-License-Identifier: MIT
// 8-bit floats in the format of another target: what is told, and what is not.
#include <gmock/gmock.h>

#include "soft/check/checks.h"
#include "soft/lab.h"

namespace hipwright::soft {
namespace {

using ::testing::HasSubstr;

struct FormatCase {
  const char* name;
  const char* gfx;
  const char* text;
  const char* words;  // null: no finding
};
void PrintTo(const FormatCase& each, std::ostream* out) {
  *out << each.name;
}

std::vector<CheckFinding> findings_of(const FormatCase& each, bool formats = true) {
  Lab lab(each.gfx);
  Checks checks({.registers = false, .waits = false, .races = false, .formats = formats});
  const std::unique_ptr<Watch> watch = checks.watch();
  watch->begin(lab.group());
  lab.wave().watch = watch.get();
  lab.run(each.text);
  lab.wave().watch = nullptr;
  EXPECT_NE(lab.wave().state, WaveState::kFault) << lab.wave().fault.what;
  return checks.findings().all();
}

class CheckFormats : public testing::TestWithParam<FormatCase> {};

TEST_P(CheckFormats, ReportsMismatchedFormats) {
  const std::vector<CheckFinding> all = findings_of(GetParam());
  if (!GetParam().words) {
    EXPECT_TRUE(all.empty()) << text_of(all[0]);
    return;
  }
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(name_of(all[0].kind), "fp8-format");
  EXPECT_THAT(all[0].what, HasSubstr(GetParam().words));
  EXPECT_TRUE(findings_of(GetParam(), false).empty()) << "it is switched off";
}

constexpr FormatCase kCases[] = {
    // Bytes that are no numbers here and are in the other format.
    {"minus_zero_on_fnuz", "gfx942", "v_mov_b32 v1, 0x80\nv_cvt_f32_fp8 v2, v1",
     "0x80 is NaN in e4m3fnuz, this target's format, and -0 in e4m3fn (OCP)"},
    {"minus_zero_of_bf8_on_fnuz", "gfx942", "v_mov_b32 v1, 0x80\nv_cvt_f32_bf8 v2, v1",
     "0x80 is NaN in e5m2fnuz, this target's format, and -0 in e5m2 (OCP)"},
    {"minus_zero_on_ocp", "gfx1201", "v_mov_b32 v1, 0x80\nv_cvt_f32_fp8 v2, v1", nullptr},
    {"minus_zero_on_gfx950", "gfx950", "v_mov_b32 v1, 0x80\nv_cvt_f32_fp8 v2, v1", nullptr},
    {"largest_of_fnuz_on_ocp", "gfx1201", "v_mov_b32 v1, 0x7f\nv_cvt_f32_fp8 v2, v1",
     "0x7f is NaN in e4m3fn (OCP), this target's format, and 240 in e4m3fnuz"},
    {"lowest_of_fnuz_on_ocp", "gfx950", "v_mov_b32 v1, 0xff\nv_cvt_f32_fp8 v2, v1",
     "0xff is NaN in e4m3fn (OCP), this target's format, and -240 in e4m3fnuz"},
    {"largest_of_fnuz_on_fnuz", "gfx942", "v_mov_b32 v1, 0xff\nv_cvt_f32_fp8 v2, v1", nullptr},
    {"infinity_of_ocp", "gfx1201", "v_mov_b32 v1, 0x7c\nv_cvt_f32_bf8 v2, v1",
     "0x7c is infinite in e5m2 (OCP), this target's format, and 32768 in e5m2fnuz"},
    {"largest_of_ocp", "gfx1201", "v_mov_b32 v1, 0x7b\nv_cvt_f32_bf8 v2, v1", nullptr},
    // Only the bytes that are read count, in the lanes that run.
    {"other_byte", "gfx942", "v_mov_b32 v1, 0x80808000\nv_cvt_f32_fp8 v2, v1", nullptr},
    {"selected_byte", "gfx942", "v_mov_b32 v1, 0x8000\nv_cvt_f32_fp8_sdwa v2, v1 src0_sel:BYTE_1",
     "0x80 is NaN"},
    {"byte_of_gfx12", "gfx1201", "v_mov_b32 v1, 0x7f0000\nv_cvt_f32_fp8 v2, v1 byte_sel:2",
     "0x7f is NaN"},
    {"other_byte_of_gfx12", "gfx1201", "v_mov_b32 v1, 0x7f0000\nv_cvt_f32_fp8 v2, v1 byte_sel:1",
     nullptr},
    {"second_of_pair", "gfx942", "v_mov_b32 v1, 0x8000\nv_cvt_pk_f32_fp8 v[2:3], v1",
     "0x80 is NaN"},
    {"high_pair_not_read", "gfx942", "v_mov_b32 v1, 0x800000\nv_cvt_pk_f32_fp8 v[2:3], v1",
     nullptr},
    {"high_pair", "gfx942",
     "v_mov_b32 v1, 0x800000\nv_cvt_pk_f32_fp8_sdwa v[2:3], v1 src0_sel:WORD_1", "0x80 is NaN"},
    {"lane_that_does_not_run", "gfx942",
     "s_mov_b64 exec, 2\nv_mov_b32 v1, 0x80\ns_mov_b64 exec, 1\nv_mov_b32 v1, 0\n"
     "v_cvt_f32_fp8 v2, v1",
     nullptr},
    // Matrices.
    {"matrix_a", "gfx942",
     "v_mov_b32 v2, 0\nv_mov_b32 v3, 0x80000000\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\n"
     "v_mfma_f32_16x16x32_fp8_bf8 v[8:11], v[2:3], v[4:5], 0",
     "e4m3fnuz"},
    {"matrix_b", "gfx942",
     "v_mov_b32 v2, 0\nv_mov_b32 v3, 0\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0x800000\n"
     "v_mfma_f32_16x16x32_fp8_bf8 v[8:11], v[2:3], v[4:5], 0",
     "e5m2fnuz"},
    {"matrix_of_ocp", "gfx950",
     "v_mov_b32 v2, 0x80808080\nv_mov_b32 v3, v2\n"
     "v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[2:3], v[2:3], 0",
     nullptr},
    {"dot_product", "gfx1201",
     "v_mov_b32 v1, 0x7f\nv_mov_b32 v2, 0\nv_dot4_f32_fp8_bf8 v3, v1, v2, 0", "e4m3fn (OCP)"},
    // NaN that the device made is what it is.
    {"own_nan", "gfx942",
     "v_mov_b32 v1, 0x7fc00000\nv_cvt_pk_fp8_f32 v2, v1, v1\nv_cvt_f32_fp8 v3, v2", nullptr},
    {"own_overflow", "gfx1201",
     "v_mov_b32 v1, 0x447a0000\nv_cvt_pk_fp8_f32 v2, v1, v1\nv_cvt_f32_fp8 v3, v2", nullptr},
    {"own_number", "gfx942",
     "v_mov_b32 v1, 1.0\nv_cvt_pk_fp8_f32 v2, v1, v1\nv_mov_b32 v2, 0x80\nv_cvt_f32_fp8 v3, v2",
     "no conversion on the device made it"},
    // Floats for OCP's range: 448, 240, 247, 248, 1000.
    {"ocp_range", "gfx942", "v_mov_b32 v1, 0x43e00000\nv_cvt_pk_fp8_f32 v2, v1, 0",
     "448 becomes NaN: the largest number of e4m3fnuz, this target's format, is 240"},
    {"ocp_range_second", "gfx942", "v_mov_b32 v1, 0xc3e00000\nv_cvt_pk_fp8_f32 v2, 0, v1",
     "-448 becomes NaN"},
    {"fnuz_range", "gfx942", "v_mov_b32 v1, 0x43700000\nv_cvt_pk_fp8_f32 v2, v1, 0", nullptr},
    {"rounds_down", "gfx942", "v_mov_b32 v1, 0x43770000\nv_cvt_pk_fp8_f32 v2, v1, 0", nullptr},
    {"rounds_up", "gfx942", "v_mov_b32 v1, 0x43780000\nv_cvt_pk_fp8_f32 v2, v1, 0", "248 becomes"},
    {"beyond_both", "gfx942", "v_mov_b32 v1, 0x447a0000\nv_cvt_pk_fp8_f32 v2, v1, 0", nullptr},
    {"ocp_range_on_ocp", "gfx1201", "v_mov_b32 v1, 0x43e00000\nv_cvt_pk_fp8_f32 v2, v1, 0",
     nullptr},
    {"bf8_has_one_range", "gfx942", "v_mov_b32 v1, 0x43e00000\nv_cvt_pk_bf8_f32 v2, v1, 0",
     nullptr},
    {"stochastic", "gfx942", "v_mov_b32 v1, 0x43e00000\nv_cvt_sr_fp8_f32 v2, v1, v1",
     "448 becomes NaN"},
    {"saturating", "gfx942",
     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\nv_mov_b32 v1, 0x43e00000\n"
     "v_cvt_pk_fp8_f32 v2, v1, 0",
     nullptr},
};

INSTANTIATE_TEST_SUITE_P(Cases, CheckFormats, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace hipwright::soft
