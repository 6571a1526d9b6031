// SPDX-License-Identifier: MIT
// 16-bit, packed and dot product instructions against exact integer arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "soft/vector_case.h"

namespace hipwright::soft {
namespace {

using u64 = std::uint64_t;
using i64 = std::int64_t;
using In = const VectorIn&;

// Element n of `bits` bits, as an unsigned or signed number.
i64 element(u64 value, unsigned n, unsigned bits, bool is_signed) {
  const i64 size = i64{1} << bits;
  const i64 field = static_cast<i64>((value >> (bits * n)) % static_cast<u64>(size));
  return is_signed && field >= size / 2 ? field - size : field;
}
i64 u(u64 value, unsigned half = 0) {
  return element(value, half, 16, false);
}
i64 s(u64 value, unsigned half = 0) {
  return element(value, half, 16, true);
}
u64 bits16(i64 value) {
  return static_cast<u64>(value) & 0xffff;
}
i64 clamp_u16(i64 value) {
  return std::clamp<i64>(value, 0, 65535);
}
i64 clamp_i16(i64 value) {
  return std::clamp<i64>(value, -32768, 32767);
}
u64 clamp_i32(i64 value) {
  return static_cast<u64>(std::clamp<i64>(value, std::numeric_limits<std::int32_t>::min(),
                                          std::numeric_limits<std::int32_t>::max())) &
         0xffffffff;
}
u64 clamp_u32(i64 value) {
  return static_cast<u64>(std::clamp<i64>(value, 0, std::numeric_limits<std::uint32_t>::max()));
}

// gfx9 zeroes the high half where it has no op_sel; all later targets keep it.
VectorOut half(In in, i64 value) {
  const u64 high = is_gfx9(in.isa) ? 0 : in.old & 0xffff0000;
  return {high | bits16(value), false};
}
VectorOut low_half(In in, i64 value) {
  return {(in.old & 0xffff0000) | bits16(value), false};
}
VectorOut high_half(In in, i64 value) {
  return {(in.old & 0xffff) | (bits16(value) << 16), false};
}
VectorOut word(i64 value) {
  return {static_cast<u64>(value) & 0xffffffff, false};
}

TEST(Integer16, HalvesOfRegisters) {
  const VectorCase kCases[] = {
      {"v_add_u16/v_add_nc_u16 {d}, {a}, {b}", [](In i) { return half(i, u(i.a) + u(i.b)); }},
      {"v_sub_u16/v_sub_nc_u16 {d}, {a}, {b}", [](In i) { return half(i, u(i.a) - u(i.b)); }},
      {"v_subrev_u16 {d}, {a}, {b}", [](In i) { return half(i, u(i.b) - u(i.a)); }, 4},
      {"v_add_u16/v_add_nc_u16 {d}, {a}, {b} clamp",
       [](In i) { return half(i, clamp_u16(u(i.a) + u(i.b))); }},
      {"v_sub_u16/v_sub_nc_u16 {d}, {a}, {b} clamp",
       [](In i) { return half(i, clamp_u16(u(i.a) - u(i.b))); }},
      {"v_add_i16/v_add_nc_i16 {d}, {a}, {b}", [](In i) { return low_half(i, s(i.a) + s(i.b)); }},
      {"v_sub_i16/v_sub_nc_i16 {d}, {a}, {b} clamp",
       [](In i) { return low_half(i, clamp_i16(s(i.a) - s(i.b))); }},
      {"v_mul_lo_u16 {d}, {a}, {b}", [](In i) { return half(i, u(i.a) * u(i.b)); }},
      {"v_lshlrev_b16 {d}, {a}, {b}", [](In i) { return half(i, u(i.b) << (i.a % 16)); }},
      {"v_lshrrev_b16 {d}, {a}, {b}", [](In i) { return half(i, u(i.b) >> (i.a % 16)); }},
      {"v_ashrrev_i16 {d}, {a}, {b}", [](In i) { return half(i, s(i.b) >> (i.a % 16)); }},
      {"v_min_u16 {d}, {a}, {b}", [](In i) { return half(i, std::min(u(i.a), u(i.b))); }},
      {"v_max_u16 {d}, {a}, {b}", [](In i) { return half(i, std::max(u(i.a), u(i.b))); }},
      {"v_min_i16 {d}, {a}, {b}", [](In i) { return half(i, std::min(s(i.a), s(i.b))); }},
      {"v_max_i16 {d}, {a}, {b}", [](In i) { return half(i, std::max(s(i.a), s(i.b))); }},
      {"v_mad_u16 {d}, {a}, {b}, {c}", [](In i) { return low_half(i, u(i.a) * u(i.b) + u(i.c)); }},
      {"v_mad_u16 {d}, {a}, {b}, {c} clamp",
       [](In i) { return low_half(i, clamp_u16(u(i.a) * u(i.b) + u(i.c))); }},
      {"v_mad_i16 {d}, {a}, {b}, {c}", [](In i) { return low_half(i, s(i.a) * s(i.b) + s(i.c)); }},
      {"v_mad_i16 {d}, {a}, {b}, {c} clamp",
       [](In i) { return low_half(i, clamp_i16(s(i.a) * s(i.b) + s(i.c))); }},
      {"v_mad_legacy_u16 {d}, {a}, {b}, {c}",
       [](In i) { return half(i, u(i.a) * u(i.b) + u(i.c)); }, 4},
      {"v_mad_legacy_i16 {d}, {a}, {b}, {c} clamp",
       [](In i) { return half(i, clamp_i16(s(i.a) * s(i.b) + s(i.c))); }, 4},
  };
  check_all(kCases);
}

TEST(Integer16, OpSelChoosesHalves) {
  const VectorCase kCases[] = {
      {"v_mad_u16 {d}, {a}, {b}, {c} op_sel:[1,0,1,0]",
       [](In i) { return low_half(i, u(i.a, 1) * u(i.b) + u(i.c, 1)); }},
      {"v_mad_u16 {d}, {a}, {b}, {c} op_sel:[0,1,0,1]",
       [](In i) { return high_half(i, u(i.a) * u(i.b, 1) + u(i.c)); }},
      {"v_add_i16/v_add_nc_i16 {d}, {a}, {b} op_sel:[0,1,1] clamp",
       [](In i) { return high_half(i, clamp_i16(s(i.a) + s(i.b, 1))); }},
      {"v_add_nc_u16 {d}, {a}, {b} op_sel:[1,1,0]",
       [](In i) { return low_half(i, u(i.a, 1) + u(i.b, 1)); }, 3},
      {"v_mad_u32_u16 {d}, {a}, {b}, {c} op_sel:[1,0,0,0]",
       [](In i) { return word(u(i.a, 1) * u(i.b) + static_cast<i64>(i.c)); }},
      {"v_max3_i16 {d}, {a}, {b}, {c} op_sel:[0,1,1,1]",
       [](In i) {
         return high_half(i, std::max({s(i.a), s(i.b, 1), s(i.c, 1)}));
       }},
      {"v_pack_b32_f16 {d}, {a}, {b} op_sel:[1,0,0]",
       [](In i) { return word(u(i.a, 1) | (u(i.b) << 16)); }},
      {"v_pack_b32_f16 {d}, -{a}, |{b}| op_sel:[0,1,0]",
       [](In i) { return word((u(i.a) ^ 0x8000) | ((u(i.b, 1) & 0x7fff) << 16)); }},
  };
  check_all(kCases);
}

TEST(Integer16, LogicAndSelect) {
  const VectorCase kCases[] = {
      {"v_and_b16 {d}, {a}, {b}", [](In i) { return low_half(i, u(i.a & i.b)); }, 2},
      {"v_or_b16 {d}, {a}, {b}", [](In i) { return low_half(i, u(i.a | i.b)); }, 2},
      {"v_xor_b16 {d}, {a}, {b}", [](In i) { return low_half(i, u(i.a ^ i.b)); }, 2},
      {"v_not_b16 {d}, {a}", [](In i) { return low_half(i, ~u(i.a)); }, 2},
      {"v_cndmask_b16 {d}, {a}, {b}, {m}",
       [](In i) { return low_half(i, i.mask ? u(i.b) : u(i.a)); }, 2},
  };
  check_all(kCases);
}

template <i64 (*Read)(u64, unsigned)>
std::array<i64, 3> sorted(In i) {
  std::array<i64, 3> values = {Read(i.a, 0), Read(i.b, 0), Read(i.c, 0)};
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Integer16, OrderOfThree) {
  const VectorCase kCases[] = {
      {"v_min3_u16 {d}, {a}, {b}, {c}", [](In i) { return low_half(i, sorted<u>(i)[0]); }},
      {"v_med3_u16 {d}, {a}, {b}, {c}", [](In i) { return low_half(i, sorted<u>(i)[1]); }},
      {"v_max3_u16 {d}, {a}, {b}, {c}", [](In i) { return low_half(i, sorted<u>(i)[2]); }},
      {"v_min3_i16 {d}, {a}, {b}, {c}", [](In i) { return low_half(i, sorted<s>(i)[0]); }},
      {"v_med3_i16 {d}, {a}, {b}, {c}", [](In i) { return low_half(i, sorted<s>(i)[1]); }},
      {"v_max3_i16 {d}, {a}, {b}, {c}", [](In i) { return low_half(i, sorted<s>(i)[2]); }},
  };
  check_all(kCases);
}

// The spelling of gfx11 and later that names halves: v0.l, v0.h.
TEST(Integer16, NamedHalves) {
  const VectorCase kCases[] = {
      {"v_lshlrev_b16 {d}.h, 8, {a}.l", [](In i) { return high_half(i, u(i.a) << 8); }, 2},
      {"v_lshlrev_b16 {d}.l, 8, {a}.h", [](In i) { return low_half(i, u(i.a, 1) << 8); }, 2},
      {"v_or_b16 {d}.h, {a}.l, {b}.h", [](In i) { return high_half(i, u(i.a) | u(i.b, 1)); }, 2},
      {"v_mov_b16_e32 {d}.h, {a}.l", [](In i) { return high_half(i, u(i.a)); }, 2},
      {"v_mov_b16_e32 {d}.l, {a}.h", [](In i) { return low_half(i, u(i.a, 1)); }, 2},
      {"v_add_nc_u16 {d}.h, {a}.l, {b}.h", [](In i) { return high_half(i, u(i.a) + u(i.b, 1)); },
       2},
      {"v_add_nc_u16 {d}.l, {a}.h, {b}.l", [](In i) { return low_half(i, u(i.a, 1) + u(i.b)); }, 2},
      {"v_cmp_lt_u16_e64 {f}, {a}.l, {b}.h",
       [](In i) {
         return VectorOut{0, u(i.a) < u(i.b, 1)};
       },
       2},
      {"v_alignbit_b32 {d}, {a}, {b}, {c}.h",
       [](In i) {
         return word(static_cast<i64>((((i.a << 32) | i.b) >> (u(i.c, 1) % 32)) & 0xffffffff));
       },
       2},
  };
  check_all(kCases);

  Lab lab("gfx1100");
  lab.wave().set_exec(0xffff);
  for (unsigned lane = 0; lane < 32; ++lane) {
    lab.set_v(0, lane, 0x11112222);
    lab.set_v(1, lane, 0x33334444);
  }
  lab.run("v_swap_b16 v0.h, v1.l");
  ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(lab.v(0, lane), lane < 16 ? 0x44442222U : 0x11112222U);
    EXPECT_EQ(lab.v(1, lane), lane < 16 ? 0x33331111U : 0x33334444U);
  }
}

// Both halves by the same function of (half of a, of b, of c).
template <class F>
std::function<VectorOut(In)> each(F f) {
  return [f](In i) {
    u64 result = 0;
    for (unsigned n = 0; n < 2; ++n) result |= bits16(f(i, n)) << (16 * n);
    return VectorOut{result, false};
  };
}

TEST(Integer16, PackedPairs) {
  const VectorCase kCases[] = {
      {"v_pk_add_u16 {d}, {a}, {b}", each([](In i, unsigned n) { return u(i.a, n) + u(i.b, n); })},
      {"v_pk_sub_u16 {d}, {a}, {b}", each([](In i, unsigned n) { return u(i.a, n) - u(i.b, n); })},
      {"v_pk_add_u16 {d}, {a}, {b} clamp",
       each([](In i, unsigned n) { return clamp_u16(u(i.a, n) + u(i.b, n)); })},
      {"v_pk_sub_u16 {d}, {a}, {b} clamp",
       each([](In i, unsigned n) { return clamp_u16(u(i.a, n) - u(i.b, n)); })},
      {"v_pk_add_i16 {d}, {a}, {b}", each([](In i, unsigned n) { return s(i.a, n) + s(i.b, n); })},
      {"v_pk_add_i16 {d}, {a}, {b} clamp",
       each([](In i, unsigned n) { return clamp_i16(s(i.a, n) + s(i.b, n)); })},
      {"v_pk_sub_i16 {d}, {a}, {b}", each([](In i, unsigned n) { return s(i.a, n) - s(i.b, n); })},
      {"v_pk_sub_i16 {d}, {a}, {b} clamp",
       each([](In i, unsigned n) { return clamp_i16(s(i.a, n) - s(i.b, n)); })},
      {"v_pk_mul_lo_u16 {d}, {a}, {b}",
       each([](In i, unsigned n) { return u(i.a, n) * u(i.b, n); })},
      {"v_pk_mad_u16 {d}, {a}, {b}, {c}",
       each([](In i, unsigned n) { return u(i.a, n) * u(i.b, n) + u(i.c, n); })},
      {"v_pk_mad_u16 {d}, {a}, {b}, {c} clamp",
       each([](In i, unsigned n) { return clamp_u16(u(i.a, n) * u(i.b, n) + u(i.c, n)); })},
      {"v_pk_mad_i16 {d}, {a}, {b}, {c}",
       each([](In i, unsigned n) { return s(i.a, n) * s(i.b, n) + s(i.c, n); })},
      {"v_pk_mad_i16 {d}, {a}, {b}, {c} clamp",
       each([](In i, unsigned n) { return clamp_i16(s(i.a, n) * s(i.b, n) + s(i.c, n)); })},
      {"v_pk_lshlrev_b16 {d}, {a}, {b}",
       each([](In i, unsigned n) { return u(i.b, n) << (u(i.a, n) % 16); })},
      {"v_pk_lshrrev_b16 {d}, {a}, {b}",
       each([](In i, unsigned n) { return u(i.b, n) >> (u(i.a, n) % 16); })},
      {"v_pk_ashrrev_i16 {d}, {a}, {b}",
       each([](In i, unsigned n) { return s(i.b, n) >> (u(i.a, n) % 16); })},
      {"v_pk_min_u16 {d}, {a}, {b}",
       each([](In i, unsigned n) { return std::min(u(i.a, n), u(i.b, n)); })},
      {"v_pk_max_u16 {d}, {a}, {b}",
       each([](In i, unsigned n) { return std::max(u(i.a, n), u(i.b, n)); })},
      {"v_pk_min_i16 {d}, {a}, {b}",
       each([](In i, unsigned n) { return std::min(s(i.a, n), s(i.b, n)); })},
      {"v_pk_max_i16 {d}, {a}, {b}",
       each([](In i, unsigned n) { return std::max(s(i.a, n), s(i.b, n)); })},
      {"v_pk_add_u16 {d}, {a}, {b} op_sel:[1,0] op_sel_hi:[0,1]",
       each([](In i, unsigned n) { return u(i.a, 1 - n) + u(i.b, n); })},
      {"v_pk_sub_i16 {d}, {a}, {b} op_sel:[1,1] op_sel_hi:[1,0]",
       each([](In i, unsigned n) { return s(i.a, 1) - s(i.b, 1 - n); })},
      // An inline integer is 32 bits wide, sign included.
      {"v_pk_add_u16 {d}, {a}, -3", each([](In i, unsigned n) { return u(i.a, n) - (n ? 1 : 3); })},
      {"v_pk_add_u16 {d}, {a}, 7", each([](In i, unsigned n) { return u(i.a, n) + (n ? 0 : 7); })},
      {"v_pk_add_u16 {d}, {a}, 7 op_sel_hi:[1,0]",
       each([](In i, unsigned n) { return u(i.a, n) + 7; })},
  };
  check_all(kCases);
}

i64 dot(u64 a, u64 b, unsigned bits, bool signed_a, bool signed_b) {
  i64 sum = 0;
  for (unsigned n = 0; n < 32 / bits; ++n)
    sum += element(a, n, bits, signed_a) * element(b, n, bits, signed_b);
  return sum;
}
i64 wide_u(u64 value) {
  return static_cast<i64>(value);
}
i64 wide_s(u64 value) {
  return static_cast<std::int32_t>(value);
}

TEST(Integer16, DotProducts) {
  const VectorCase kCases[] = {
      {"v_dot2_i32_i16 {d}, {a}, {b}, {c}",
       [](In i) { return word(dot(i.a, i.b, 16, true, true) + wide_s(i.c)); }, 5},
      {"v_dot2_i32_i16 {d}, {a}, {b}, {c} clamp",
       [](In i) { return VectorOut{clamp_i32(dot(i.a, i.b, 16, true, true) + wide_s(i.c))}; }, 5},
      {"v_dot2_u32_u16 {d}, {a}, {b}, {c}",
       [](In i) { return word(dot(i.a, i.b, 16, false, false) + wide_u(i.c)); }, 5},
      {"v_dot2_u32_u16 {d}, {a}, {b}, {c} clamp",
       [](In i) { return VectorOut{clamp_u32(dot(i.a, i.b, 16, false, false) + wide_u(i.c))}; }, 5},
      {"v_dot2_u32_u16 {d}, {a}, {b}, {c} op_sel:[0,1,0] op_sel_hi:[0,0,0]",
       [](In i) { return word(u(i.a) * u(i.b, 1) + u(i.a) * u(i.b) + wide_u(i.c)); }, 3},
      // Later assemblers take the _i8 and _i4 names for the _iu forms, signs and all left out.
      {"v_dot4_i32_i8 {d}, {a}, {b}, {c} clamp",
       [](In i) {
         const bool is_signed = is_gfx9(i.isa) || i.isa == Isa::kGfx10;
         return VectorOut{clamp_i32(dot(i.a, i.b, 8, is_signed, is_signed) + wide_s(i.c))};
       }},
      {"v_dot4_u32_u8 {d}, {a}, {b}, {c}",
       [](In i) { return word(dot(i.a, i.b, 8, false, false) + wide_u(i.c)); }},
      {"v_dot4_u32_u8 {d}, {a}, {b}, {c} clamp",
       [](In i) { return VectorOut{clamp_u32(dot(i.a, i.b, 8, false, false) + wide_u(i.c))}; }},
      {"v_dot8_i32_i4 {d}, {a}, {b}, {c}",
       [](In i) {
         const bool is_signed = is_gfx9(i.isa) || i.isa == Isa::kGfx10;
         return word(dot(i.a, i.b, 4, is_signed, is_signed) + wide_s(i.c));
       }},
      {"v_dot8_u32_u4 {d}, {a}, {b}, {c}",
       [](In i) { return word(dot(i.a, i.b, 4, false, false) + wide_u(i.c)); }},
      {"v_dot2c_i32_i16 {d}, {a}, {b}",
       [](In i) { return word(dot(i.a, i.b, 16, true, true) + wide_s(i.old)); }, 4},
      {"v_dot4c_i32_i8 {d}, {a}, {b}",
       [](In i) { return word(dot(i.a, i.b, 8, true, true) + wide_s(i.old)); }, 5},
      {"v_dot8c_i32_i4 {d}, {a}, {b}",
       [](In i) { return word(dot(i.a, i.b, 4, true, true) + wide_s(i.old)); }, 4},
      {"v_dot4_i32_iu8 {d}, {a}, {b}, {c}",
       [](In i) { return word(dot(i.a, i.b, 8, false, false) + wide_s(i.c)); }, 2},
      {"v_dot4_i32_iu8 {d}, {a}, {b}, {c} neg_lo:[1,0,0]",
       [](In i) { return word(dot(i.a, i.b, 8, true, false) + wide_s(i.c)); }, 2},
      {"v_dot4_i32_iu8 {d}, {a}, {b}, {c} neg_lo:[1,1,0] clamp",
       [](In i) { return VectorOut{clamp_i32(dot(i.a, i.b, 8, true, true) + wide_s(i.c))}; }, 2},
      {"v_dot8_i32_iu4 {d}, {a}, {b}, {c} neg_lo:[0,1,0]",
       [](In i) { return word(dot(i.a, i.b, 4, false, true) + wide_s(i.c)); }, 2},
  };
  check_all(kCases);
}

TEST(Integer16, WideningAndNarrowing) {
  const VectorCase kCases[] = {
      {"v_mad_u32_u16 {d}, {a}, {b}, {c}",
       [](In i) { return word(u(i.a) * u(i.b) + wide_u(i.c)); }},
      {"v_mad_u32_u16 {d}, {a}, {b}, {c} clamp",
       [](In i) { return VectorOut{clamp_u32(u(i.a) * u(i.b) + wide_u(i.c))}; }},
      {"v_mad_i32_i16 {d}, {a}, {b}, {c}",
       [](In i) { return word(s(i.a) * s(i.b) + wide_s(i.c)); }},
      {"v_mad_i32_i16 {d}, {a}, {b}, {c} clamp",
       [](In i) { return VectorOut{clamp_i32(s(i.a) * s(i.b) + wide_s(i.c))}; }},
      {"v_cvt_pk_u16_u32 {d}, {a}, {b}",
       [](In i) { return word(clamp_u16(wide_u(i.a)) | (clamp_u16(wide_u(i.b)) << 16)); }},
      {"v_cvt_pk_i16_i32 {d}, {a}, {b}",
       [](In i) {
         return word(static_cast<i64>(bits16(clamp_i16(wide_s(i.a))) |
                                      (bits16(clamp_i16(wide_s(i.b))) << 16)));
       }},
      {"v_sat_pk_u8_i16 {d}, {a}",
       [](In i) {
         return half(i,
                     std::clamp<i64>(s(i.a), 0, 255) | (std::clamp<i64>(s(i.a, 1), 0, 255) << 8));
       }},
      {"v_ashr_pk_i8_i32 {d}, {a}, {b}, {c}",
       [](In i) {
         const auto part = [&](u64 x) {
           return std::clamp<i64>(wide_s(x) >> (i.c % 32), -128, 127) & 0xff;
         };
         return low_half(i, part(i.a) | (part(i.b) << 8));
       },
       1},
      {"v_ashr_pk_u8_i32 {d}, {a}, {b}, {c}",
       [](In i) {
         const auto part = [&](u64 x) { return std::clamp<i64>(wide_s(x) >> (i.c % 32), 0, 255); };
         return low_half(i, part(i.a) | (part(i.b) << 8));
       },
       1},
  };
  check_all(kCases);
}

}  // namespace
}  // namespace hipwright::soft
