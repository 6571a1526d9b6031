// SPDX-License-Identifier: MIT
// What modifiers do: DPP, SDWA, op_sel, signs, clamp, omod, denormals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "soft/vector_case.h"

namespace hipwright::soft {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using In = const VectorIn&;

// --- DPP ---

struct Pattern {
  const char* text;
  // The lane that `lane` reads; none: it has no source.
  std::function<std::optional<int>(int lane, int lanes)> source;
  bool gfx9, later;  // which targets have it
};

std::optional<int> in_row(int lane, int from) {
  if (from < 0 || lane / 16 != from / 16) return std::nullopt;
  return from;
}

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> kPatterns = {
      {"quad_perm:[3,0,2,2]",
       [](int lane, int) {
         return lane / 4 * 4 + std::array{3, 0, 2, 2}[lane % 4];
       },
       true, true},
      {"row_shl:3", [](int lane, int) { return in_row(lane, lane + 3); }, true, true},
      {"row_shr:1", [](int lane, int) { return in_row(lane, lane - 1); }, true, true},
      {"row_shr:15", [](int lane, int) { return in_row(lane, lane - 15); }, true, true},
      {"row_ror:5", [](int lane, int) { return lane / 16 * 16 + (lane % 16 + 11) % 16; }, true,
       true},
      {"row_mirror", [](int lane, int) { return lane / 16 * 16 + 15 - lane % 16; }, true, true},
      {"row_half_mirror", [](int lane, int) { return lane / 8 * 8 + 7 - lane % 8; }, true, true},
      {"wave_shl:1",
       [](int lane, int lanes) {
         return lane + 1 < lanes ? std::optional(lane + 1) : std::nullopt;
       },
       true, false},
      {"wave_rol:1", [](int lane, int lanes) { return (lane + 1) % lanes; }, true, false},
      {"wave_shr:1",
       [](int lane, int) { return lane > 0 ? std::optional(lane - 1) : std::nullopt; }, true,
       false},
      {"wave_ror:1", [](int lane, int lanes) { return (lane + lanes - 1) % lanes; }, true, false},
      {"row_bcast:15", [](int lane, int) { return lane < 16 ? lane : lane / 16 * 16 - 1; }, true,
       false},
      {"row_bcast:31", [](int lane, int) { return lane < 32 ? lane : 31; }, true, false},
      {"row_newbcast:6", [](int lane, int) { return lane / 16 * 16 + 6; }, true, false},
      {"row_share:6", [](int lane, int) { return lane / 16 * 16 + 6; }, false, true},
      {"row_xmask:5", [](int lane, int) { return lane ^ 5; }, false, true},
  };
  return kPatterns;
}

struct DppCase {
  const Pattern* pattern;
  unsigned row_mask, bank_mask;
  bool bound_ctrl, fetch_inactive;
  u64 exec;
};

void check_dpp(const std::string& gfx, unsigned lanes, const DppCase& test) {
  Lab lab(gfx, lanes);
  const u64 exec = test.exec & lab.wave().full_exec;
  lab.wave().set_exec(exec);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    lab.set_v(0, lane, 5000 + lane);
    lab.set_v(1, lane, 1000 + lane * lane);
    lab.set_v(2, lane, 1U << (lane % 32));
  }
  const std::string text =
      fmt::format("v_xor_b32_dpp v0, v1, v2 {} row_mask:{:#x} bank_mask:{:#x}{}{}",
                  test.pattern->text, test.row_mask, test.bank_mask,
                  test.bound_ctrl ? " bound_ctrl:1" : "", test.fetch_inactive ? " fi:1" : "");
  SCOPED_TRACE(fmt::format("{} {} lanes, exec {:#x}: {}", gfx, lanes, exec, text));
  lab.run(text);
  ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto own = static_cast<int>(lane);
    std::optional<int> from = test.pattern->source(own, static_cast<int>(lanes));
    if (from && !test.fetch_inactive && !((exec >> *from) & 1)) from = std::nullopt;
    const bool writes = ((exec >> lane) & 1) && ((test.row_mask >> (lane / 16)) & 1) &&
                        ((test.bank_mask >> (lane / 4 % 4)) & 1) && (from || test.bound_ctrl);
    const u32 moved = from ? 1000U + static_cast<u32>(*from * *from) : 0;
    ASSERT_EQ(lab.v(0, lane), writes ? moved ^ (1U << (lane % 32)) : 5000 + lane) << lane;
  }
}

TEST(Valu, DppMovesSourceZero) {
  for (const std::string& gfx : all_targets()) {
    const bool gfx9 = is_gfx9(*isa_of(gfx));
    for (const unsigned lanes : {32U, 64U}) {
      if (lanes == 32 && gfx9) continue;
      for (const Pattern& pattern : patterns()) {
        if (!(gfx9 ? pattern.gfx9 : pattern.later)) continue;
        if (gfx == "gfx908" && std::string_view(pattern.text).starts_with("row_newbcast")) continue;
        for (const u64 exec : {~0ULL, 0x8421'fedc'9f3c'7ea5ULL})
          for (const bool bound_ctrl : {false, true})
            check_dpp(gfx, lanes, {&pattern, 0xf, 0xf, bound_ctrl, false, exec});
        check_dpp(gfx, lanes, {&pattern, 0xa, 0x7, true, false, ~0ULL});
        if (!gfx9)
          check_dpp(gfx, lanes, {&pattern, 0xf, 0xf, false, true, 0x8421'fedc'9f3c'7ea5ULL});
      }
    }
  }
}

TEST(Valu, Dpp8MovesWithinEightLanes) {
  for (const std::string gfx : {"gfx1030", "gfx1100", "gfx1201"})
    for (const unsigned lanes : {32U, 64U})
      for (const bool inactive : {false, true}) {
        SCOPED_TRACE(gfx);
        Lab lab(gfx, lanes);
        const u64 exec = 0x8421'fedc'9f3c'7ea5ULL & lab.wave().full_exec;
        lab.wave().set_exec(exec);
        for (unsigned lane = 0; lane < lanes; ++lane) {
          lab.set_v(0, lane, 77);
          lab.set_v(1, lane, 100 + lane);
        }
        lab.run(std::string("v_mov_b32_dpp v0, v1 dpp8:[7,0,1,1,4,6,2,3]") +
                (inactive ? " fi:1" : ""));
        ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
        for (unsigned lane = 0; lane < lanes; ++lane) {
          const unsigned from = lane / 8 * 8 + std::array{7U, 0U, 1U, 1U, 4U, 6U, 2U, 3U}[lane % 8];
          const bool reads = inactive || ((exec >> from) & 1);
          EXPECT_EQ(lab.v(0, lane), !((exec >> lane) & 1) ? 77 : reads ? 100 + from : 0) << lane;
        }
      }
}

TEST(Valu, DppOn64BitsAndMasks) {
  for (const std::string gfx : {"gfx942", "gfx950"}) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    for (unsigned lane = 0; lane < 64; ++lane) lab.set_v64(2, lane, 0x1'0000'0003ULL * lane);
    lab.run("v_mov_b64_dpp v[0:1], v[2:3] row_newbcast:9 row_mask:0xf bank_mask:0xf");
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(lab.v64(0, lane), 0x1'0000'0003ULL * (lane / 16 * 16 + 9));
  }
  for (const std::string gfx : {"gfx1100", "gfx1201"}) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    for (unsigned lane = 0; lane < 32; ++lane) {
      lab.set_v(1, lane, lane);
      lab.set_v(2, lane, 6);
    }
    lab.run("v_cmp_lt_u32_e64_dpp s4, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf");
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    // Lanes 0 and 16 have no source: they do not run.
    EXPECT_EQ(lab.s(4), 0x0000007eU);
  }
}

// --- SDWA ---

u64 part(u64 value, const std::string& name, bool sext) {
  if (name == "DWORD") return value & 0xffffffff;
  const bool byte = name.starts_with("BYTE");
  const auto n = static_cast<unsigned>(name.back() - '0');
  const u64 size = byte ? 256 : 65536;
  const u64 field = (value >> (n * (byte ? 8 : 16))) % size;
  return (sext && field >= size / 2 ? field - size : field) & 0xffffffff;
}

constexpr const char* kParts[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                  "WORD_0", "WORD_1", "DWORD"};

TEST(Valu, SdwaSelectsSources) {
  for (const char* first : kParts)
    for (const char* second : {"BYTE_3", "WORD_1"})
      for (const bool sext : {false, true})
        check({.text = fmt::format(
                   "v_add_u32_sdwa {{d}}, {} , {} dst_sel:DWORD src0_sel:{} src1_sel:{}",
                   sext ? "sext({a})" : "{a}", sext ? "{b}" : "sext({b})", first, second),
               .oracle =
                   [=](In in) {
                     return VectorOut{(part(in.a, first, sext) + part(in.b, second, !sext)) &
                                      0xffffffff};
                   },
               .targets = 4});
}

TEST(Valu, SdwaPlacesResults) {
  for (const char* to : kParts)
    for (const char* unused : {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"}) {
      const std::string name = to, rest = unused;
      check({.text = fmt::format("v_xor_b32_sdwa {{d}}, {{a}}, {{b}} dst_sel:{} dst_unused:{} "
                                 "src0_sel:DWORD src1_sel:DWORD",
                                 to, unused),
             .oracle =
                 [=](In in) {
                   const u64 value = in.a ^ in.b;
                   if (name == "DWORD") return VectorOut{value};
                   const unsigned bits = name.starts_with("BYTE") ? 8 : 16;
                   const unsigned at = bits * static_cast<unsigned>(name.back() - '0');
                   const u64 mask = (u64{1} << bits) - 1;
                   u64 result = (value & mask) << at;
                   if (rest == "UNUSED_PRESERVE") result |= in.old & ~(mask << at);
                   if (rest == "UNUSED_SEXT" && (value >> (bits - 1)) & 1)
                     result |= ~0ULL << (at + bits);
                   return VectorOut{result & 0xffffffff};
                 },
             .targets = 5});
    }
}

TEST(Valu, SdwaOnHalvesAndMasks) {
  const VectorCase kCases[] = {
      {"v_add_u16_sdwa {d}, {a}, {b} dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 "
       "src1_sel:BYTE_2",
       [](In in) {
         const u64 sum = (in.a >> 16) + ((in.b >> 16) & 0xff);
         return VectorOut{(in.old & 0xffff) | ((sum & 0xffff) << 16)};
       },
       4},
      {"v_cmp_eq_u32_sdwa {f}, {a}, {b} src0_sel:BYTE_0 src1_sel:BYTE_0",
       [](In in) {
         return VectorOut{0, (in.a & 0xff) == (in.b & 0xff)};
       },
       5},
      {"v_cmp_lt_i32_sdwa {f}, sext({a}), {b} src0_sel:WORD_1 src1_sel:BYTE_3",
       [](In in) {
         const auto a = static_cast<int>(static_cast<std::int16_t>(in.a >> 16));
         return VectorOut{0, a < static_cast<int>(in.b >> 24)};
       },
       5},
  };
  check_all(kCases);
}

// --- moves ---

TEST(Valu, Moves) {
  const VectorCase kCases[] = {
      {"v_mov_b32 {d}, {a}", [](In in) { return VectorOut{in.a}; }},
      {"v_mov_b32 {d}, 0x12345678", [](In) { return VectorOut{0x12345678}; }},
      {"v_mov_b32 {d}, -1.0", [](In) { return VectorOut{0xbf800000}; }},
      {"v_mov_b64 {D}, {A}", [](In in) { return VectorOut{in.a}; }, 2},
      {"v_mov_b64 {D}, -5", [](In) { return VectorOut{~u64{4}}; }, 2},
      {"v_cndmask_b32 {d}, {a}, {b}, {m}", [](In in) { return VectorOut{in.mask ? in.b : in.a}; }},
      {"v_cndmask_b32 {d}, -{a}, |{b}|, {m}",
       [](In in) { return VectorOut{in.mask ? in.b & 0x7fffffff : in.a ^ 0x80000000}; }},
      {"v_pk_mov_b32 {D}, {A}, {B} op_sel:[0,1]",
       [](In in) { return VectorOut{(in.a & 0xffffffff) | (in.b >> 32 << 32)}; }, 3},
      {"v_pk_mov_b32 {D}, {A}, {B} op_sel:[1,0]",
       [](In in) { return VectorOut{(in.a >> 32) | (in.b << 32)}; }, 3},
  };
  check_all(kCases);
}

TEST(Valu, Swaps) {
  for (const std::string& gfx : all_targets()) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    const u64 exec = 0x5555'1234'8765'0ff0ULL & lab.wave().full_exec;
    lab.wave().set_exec(exec);
    for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
      lab.set_v(1, lane, lane);
      lab.set_v(2, lane, 100 + lane);
    }
    lab.run("v_swap_b32 v1, v2");
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
      const bool active = (exec >> lane) & 1;
      EXPECT_EQ(lab.v(1, lane), active ? 100 + lane : lane);
      EXPECT_EQ(lab.v(2, lane), active ? lane : 100 + lane);
    }
  }
}

TEST(Valu, RelativeMoves) {
  struct Case {
    const char* text;
    u32 m0;
    unsigned to, from;
  };
  constexpr Case kCases[] = {
      {"v_movreld_b32 v10, v1", 3, 13, 1},
      {"v_movrels_b32 v10, v1", 3, 10, 4},
      {"v_movrelsd_b32 v10, v1", 3, 13, 4},
      {"v_movrelsd_2_b32 v10, v1", 0x0005'0002, 15, 3},
  };
  for (const std::string gfx : {"gfx1030", "gfx1100", "gfx1201"})
    for (const Case& test : kCases) {
      SCOPED_TRACE(gfx + ": " + test.text);
      Lab lab(gfx);
      lab.wave().set_exec(0x0fff'fff0);
      for (unsigned row = 0; row < 20; ++row)
        for (unsigned lane = 0; lane < lab.lanes(); ++lane) lab.set_v(row, lane, row * 100 + lane);
      lab.set_s(kM0, test.m0);
      lab.run(test.text);
      ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      for (unsigned row = 0; row < 20; ++row)
        for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
          const bool written = row == test.to && lane >= 4 && lane < 28;
          EXPECT_EQ(lab.v(row, lane), (written ? test.from : row) * 100 + lane);
        }
    }
}

TEST(Valu, RelativeSwap) {
  for (const std::string gfx : {"gfx1030", "gfx1100", "gfx1201"}) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    for (unsigned row = 0; row < 20; ++row) lab.set_v(row, 7, row);
    lab.set_s(kM0, 0x0005'0002);
    lab.run("v_swaprel_b32 v10, v1");
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    EXPECT_EQ(lab.v(15, 7), 3U);
    EXPECT_EQ(lab.v(3, 7), 15U);
    EXPECT_EQ(lab.v(10, 7), 10U);
  }
}

TEST(Valu, RelativeMovesStayInsideTheRegisters) {
  Lab lab("gfx1100");
  lab.set_s(kM0, 0xfffffff0);
  lab.run("v_movreld_b32 v1, v2");
  EXPECT_EQ(lab.wave().state, WaveState::kFault);
}

TEST(Valu, IndexModeMovesOperands) {
  for (const std::string gfx : {"gfx908", "gfx90a", "gfx942", "gfx950"}) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    for (unsigned row = 0; row < 20; ++row)
      for (unsigned lane = 0; lane < 64; ++lane) lab.set_v(row, lane, row * 100 + lane);
    lab.set_s(4, 3);
    lab.run(
        "s_set_gpr_idx_on s4, gpr_idx(SRC0)\nv_mov_b32 v10, v1\ns_set_gpr_idx_off\n"
        "s_set_gpr_idx_on s4, gpr_idx(DST)\nv_add_u32 v11, v2, v2\ns_set_gpr_idx_off\n"
        "v_mov_b32 v12, v5");
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    for (unsigned lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(lab.v(10, lane), 400 + lane);
      EXPECT_EQ(lab.v(14, lane), 2 * (200 + lane));
      EXPECT_EQ(lab.v(11, lane), 1100 + lane);
      EXPECT_EQ(lab.v(12, lane), 500 + lane);
    }
  }
}

// --- floats ---

u32 bits(float value) {
  return std::bit_cast<u32>(value);
}
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kDenormal = 0x1p-140F;

struct Modified {
  const char* text;  // v1 is the operand, v0 the result
  float in, out;
  FloatMode mode = {};
};

TEST(Valu, FloatModifiers) {
  const FloatMode flush_in{.denormal_f32 = 2}, flush_out{.denormal_f32 = 1};
  const FloatMode legacy{.dx10_clamp = false};
  const FloatMode scaling{.denormal_f32 = 0, .ieee = false};
  const Modified kCases[] = {
      {"v_mul_f32_e64 v0, 1.0, -v1", 2.5F, -2.5F},
      {"v_mul_f32_e64 v0, 1.0, |v1|", -2.5F, 2.5F},
      {"v_mul_f32_e64 v0, 1.0, -|v1|", -2.5F, -2.5F},
      {"v_mul_f32_e64 v0, 1.0, v1 clamp", 2.5F, 1.0F},
      {"v_mul_f32_e64 v0, 1.0, v1 clamp", -2.5F, 0.0F},
      {"v_mul_f32_e64 v0, 1.0, v1 clamp", -0.0F, 0.0F},
      {"v_mul_f32_e64 v0, 1.0, v1 clamp", 0.25F, 0.25F},
      {"v_mul_f32_e64 v0, 1.0, v1 clamp", kInfinity, 1.0F},
      {"v_mul_f32_e64 v0, 1.0, v1 clamp", kNan, 0.0F},
      {"v_mul_f32_e64 v0, 1.0, v1 clamp", kNan, kNan, legacy},
      {"v_mul_f32_e64 v0, 1.0, v1", kDenormal, kDenormal},
      {"v_mul_f32_e64 v0, 1.0, v1", -kDenormal, -0.0F, flush_in},
      {"v_mul_f32_e64 v0, 0.5, v1", 0x1.8p-126F, 0.0F, flush_out},
      {"v_mul_f32_e64 v0, 0.5, v1", -0x1.8p-126F, -0.0F, flush_out},
      {"v_mul_f32_e64 v0, 1.0, v1 mul:2", 3.0F, 6.0F, scaling},
      {"v_mul_f32_e64 v0, 1.0, v1 mul:4", 3.0F, 12.0F, scaling},
      {"v_mul_f32_e64 v0, 1.0, v1 div:2", 3.0F, 1.5F, scaling},
      {"v_mul_f32_e64 v0, 1.0, v1 div:2", -0.0F, 0.0F, scaling},
      {"v_mul_f32_e64 v0, 1.0, v1 clamp mul:4", 0.2F, 0.2F * 4, scaling},
      {"v_mul_f32_e64 v0, 1.0, v1 clamp mul:4", 0.3F, 1.0F, scaling},
      // Where denormals are kept the scale does nothing.
      {"v_mul_f32_e64 v0, 1.0, v1 mul:2", 3.0F, 3.0F, {.ieee = false}},
  };
  for (const std::string& gfx : all_targets())
    for (const Modified& test : kCases) {
      SCOPED_TRACE(fmt::format("{}: {} of {}", gfx, test.text, test.in));
      Lab lab(gfx);
      lab.wave().mode = test.mode;
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) lab.set_v(1, lane, bits(test.in));
      lab.run(test.text);
      ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        if (std::isnan(test.out)) {
          EXPECT_TRUE(std::isnan(std::bit_cast<float>(lab.v(0, lane))));
        } else {
          EXPECT_EQ(lab.v(0, lane), bits(test.out));
        }
      }
    }
}

struct Modified16 {
  const char* text;
  u32 in, out;  // of the low half
  FloatMode mode = {};
};

TEST(Valu, HalfModifiers) {
  const FloatMode scaling{.denormal_f64_f16 = 0, .ieee = false};
  const Modified16 kCases[] = {
      {"v_mul_f16_e64 v0, 1.0, -v1", 0x3c00, 0xbc00},
      {"v_mul_f16_e64 v0, 1.0, |v1|", 0xc100, 0x4100},
      {"v_mul_f16_e64 v0, 1.0, v1 clamp", 0x4100, 0x3c00},
      {"v_mul_f16_e64 v0, 1.0, v1 clamp", 0x7e00, 0x0000},
      {"v_mul_f16_e64 v0, 1.0, v1", 0x8001, 0x8001},
      {"v_mul_f16_e64 v0, 1.0, v1", 0x8001, 0x8000, {.denormal_f64_f16 = 2}},
      {"v_mul_f16_e64 v0, 1.0, v1 mul:4", 0x3c01, 0x4401, scaling},
      {"v_mul_f16_e64 v0, 1.0, v1 mul:2", 0x7bff, 0x7c00, scaling},
      {"v_mul_f16_e64 v0, 1.0, v1 div:2", 0x0400, 0x0000, scaling},
  };
  for (const std::string& gfx : all_targets())
    for (const Modified16& test : kCases) {
      SCOPED_TRACE(fmt::format("{}: {} of {:#x}", gfx, test.text, test.in));
      Lab lab(gfx);
      if (!lab.accepts(test.text)) continue;
      lab.wave().mode = test.mode;
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        lab.set_v(0, lane, 0xabcd0000);
        lab.set_v(1, lane, 0x55550000 | test.in);
      }
      lab.run(test.text);
      ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      const u32 high = is_gfx9(lab.wave().isa) ? 0 : 0xabcd0000;
      EXPECT_EQ(lab.v(0, 5), high | test.out);
    }
}

TEST(Valu, DoubleModifiers) {
  Lab lab("gfx942");
  const auto run = [&](const char* text, double in) {
    for (unsigned lane = 0; lane < 64; ++lane) lab.set_v64(2, lane, std::bit_cast<u64>(in));
    lab.run(text);
    EXPECT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    return std::bit_cast<double>(lab.v64(0, 17));
  };
  EXPECT_EQ(run("v_mul_f64 v[0:1], 1.0, -v[2:3]", 1.75), -1.75);
  EXPECT_EQ(run("v_mul_f64 v[0:1], 1.0, -|v[2:3]|", 1.75), -1.75);
  EXPECT_EQ(run("v_mul_f64 v[0:1], 1.0, v[2:3] clamp", 1.75), 1.0);
  EXPECT_EQ(run("v_mul_f64 v[0:1], 1.0, v[2:3] clamp", 0x1.123456789abcdp-3), 0x1.123456789abcdp-3);
  EXPECT_EQ(run("v_mul_f64 v[0:1], 1.0, v[2:3] clamp", std::nan("")), 0.0);
  lab.wave().mode.denormal_f64_f16 = 0;
  EXPECT_EQ(run("v_mul_f64 v[0:1], 1.0, v[2:3]", 0x1p-1060), 0.0);
  lab.wave().mode.ieee = false;
  EXPECT_EQ(run("v_mul_f64 v[0:1], 1.0, v[2:3] mul:4", 1.25), 5.0);
}

}  // namespace
}  // namespace hipwright::soft
