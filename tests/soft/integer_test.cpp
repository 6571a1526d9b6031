// SPDX-License-Identifier: MIT
// Integer and bit instructions against the pseudocode of the ISA manuals in wide arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "soft/vector_case.h"

namespace hipwright::soft {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using i128 = __int128;
using In = const VectorIn&;

u32 low(i128 value) {
  return static_cast<u32>(static_cast<unsigned __int128>(value));
}
i32 s(u64 value) {
  return static_cast<i32>(value);
}
i128 signed24(u64 value) {
  const auto bits = static_cast<i32>(value & 0xffffff);
  return bits >= 0x800000 ? bits - 0x1000000 : bits;
}
i128 unsigned24(u64 value) {
  return static_cast<i128>(value % 0x1000000);
}
VectorOut exactly(u64 value) {
  return {value, false};
}
VectorOut wrapped(i128 value) {
  return {low(value), false};
}
VectorOut within(i128 value, i128 least, i128 most) {
  return {low(std::clamp(value, least, most)), false};
}
VectorOut clamp_u32(i128 value) {
  return within(value, 0, std::numeric_limits<u32>::max());
}
VectorOut clamp_i32(i128 value) {
  return within(value, std::numeric_limits<i32>::min(), std::numeric_limits<i32>::max());
}
VectorOut carried(i128 value) {
  return {low(value), value < 0 || value > std::numeric_limits<u32>::max()};
}
unsigned byte_of(u64 value, unsigned n) {
  return static_cast<unsigned>((value >> (8 * n)) % 256);
}
i128 byte_distances(u64 a, u64 b, bool masked) {
  i128 sum = 0;
  for (unsigned n = 0; n < 4; ++n) {
    if (masked && byte_of(b, n) == 0) continue;
    sum += std::abs(static_cast<int>(byte_of(a, n)) - static_cast<int>(byte_of(b, n)));
  }
  return sum;
}

TEST(Integer, Logic) {
  const VectorCase kCases[] = {
      {"v_not_b32 {d}, {a}", [](In i) { return exactly(i.a ^ 0xffffffff); }},
      {"v_and_b32 {d}, {a}, {b}", [](In i) { return exactly(i.a & i.b); }},
      {"v_or_b32 {d}, {a}, {b}", [](In i) { return exactly(i.a | i.b); }},
      {"v_xor_b32 {d}, {a}, {b}", [](In i) { return exactly(i.a ^ i.b); }},
      {"v_xnor_b32 {d}, {a}, {b}", [](In i) { return exactly(i.a ^ i.b ^ 0xffffffff); }},
      {"v_and_or_b32 {d}, {a}, {b}, {c}", [](In i) { return exactly((i.a & i.b) | i.c); }},
      {"v_or3_b32 {d}, {a}, {b}, {c}", [](In i) { return exactly(i.a | i.b | i.c); }},
      {"v_xor3_b32 {d}, {a}, {b}, {c}", [](In i) { return exactly(i.a ^ i.b ^ i.c); }, 3},
      {"v_xad_u32 {d}, {a}, {b}, {c}", [](In i) { return wrapped(i128(i.a ^ i.b) + i.c); }},
      {"v_bitop3_b32 {d}, {a}, {b}, {c} bitop3:0xd8",
       [](In i) {
         u64 result = 0;
         for (unsigned bit = 0; bit < 32; ++bit) {
           const unsigned entry =
               ((i.a >> bit) & 1) * 4 + ((i.b >> bit) & 1) * 2 + ((i.c >> bit) & 1);
           result |= u64{(0xd8U >> entry) & 1} << bit;
         }
         return exactly(result);
       },
       1},
      {"v_bitop3_b16 {d}, {a}, {b}, {c} bitop3:0x96",
       [](In i) { return exactly((i.old & 0xffff0000) | ((i.a ^ i.b ^ i.c) & 0xffff)); }, 1},
  };
  check_all(kCases);
}

TEST(Integer, Shifts) {
  const VectorCase kCases[] = {
      {"v_lshlrev_b32 {d}, {a}, {b}", [](In i) { return wrapped(i128(i.b) << (i.a % 32)); }},
      {"v_lshrrev_b32 {d}, {a}, {b}", [](In i) { return exactly(i.b >> (i.a % 32)); }},
      {"v_ashrrev_i32 {d}, {a}, {b}", [](In i) { return wrapped(i128(s(i.b)) >> (i.a % 32)); }},
      {"v_lshlrev_b64 {D}, {a}, {B}",
       [](In i) { return exactly(static_cast<u64>((unsigned __int128){i.b} << (i.a % 64))); }},
      {"v_lshrrev_b64 {D}, {a}, {B}", [](In i) { return exactly(i.b >> (i.a % 64)); }},
      {"v_ashrrev_i64 {D}, {a}, {B}",
       [](In i) { return exactly(static_cast<u64>(static_cast<i64>(i.b) >> (i.a % 64))); }},
      {"v_lshl_add_u32 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped((i128(i.a) << (i.b % 32)) + i.c); }},
      {"v_add_lshl_u32 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped((i128(i.a) + i.b) << (i.c % 32)); }},
      {"v_lshl_or_b32 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped((i128(i.a) << (i.b % 32)) | i.c); }},
      {"v_lshl_add_u64 {D}, {A}, 4, {C}", [](In i) { return exactly(i.a * 16 + i.c); }, 2},
      {"v_lshl_add_u64 {D}, {A}, {b}, {C}", [](In i) { return exactly((i.a << (i.b % 8)) + i.c); },
       2},
      {"v_alignbit_b32 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(((i128(i.a) << 32) | i.b) >> (i.c % 32)); }},
      {"v_alignbyte_b32 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(((i128(i.a) << 32) | i.b) >> (8 * (i.c % 4))); }},
  };
  check_all(kCases);
}

TEST(Integer, FieldsAndCounts) {
  const VectorCase kCases[] = {
      {"v_bfe_u32 {d}, {a}, {b}, {c}",
       [](In i) { return exactly((i.a >> (i.b % 32)) % (u64{1} << (i.c % 32))); }},
      {"v_bfe_i32 {d}, {a}, {b}, {c}",
       [](In i) {
         const unsigned width = i.c % 32;
         if (width == 0) return exactly(0);
         // As the shift is arithmetic, a field past bit 31 is filled with the sign.
         const i128 field = (i128(s(i.a)) >> (i.b % 32)) & ((i128(1) << width) - 1);
         return wrapped(field >> (width - 1) ? field - (i128(1) << width) : field);
       }},
      {"v_bfi_b32 {d}, {a}, {b}, {c}",
       [](In i) {
         u64 result = 0;
         for (unsigned bit = 0; bit < 32; ++bit)
           result |= (((i.a >> bit) & 1 ? i.b : i.c) & (u64{1} << bit));
         return exactly(result);
       }},
      {"v_bfm_b32 {d}, {a}, {b}",
       [](In i) { return wrapped(((i128(1) << (i.a % 32)) - 1) << (i.b % 32)); }},
      {"v_bfrev_b32 {d}, {a}",
       [](In i) {
         u64 result = 0;
         for (unsigned bit = 0; bit < 32; ++bit) result |= ((i.a >> bit) & 1) << (31 - bit);
         return exactly(result);
       }},
      {"v_ffbh_u32/v_clz_i32_u32 {d}, {a}",
       [](In i) {
         for (int n = 0; n < 32; ++n)
           if ((i.a >> (31 - n)) & 1) return wrapped(n);
         return wrapped(-1);
       }},
      {"v_ffbh_i32/v_cls_i32 {d}, {a}",
       [](In i) {
         for (int n = 1; n < 32; ++n)
           if (((i.a >> (31 - n)) & 1) != (i.a >> 31)) return wrapped(n);
         return wrapped(-1);
       }},
      {"v_ffbl_b32/v_ctz_i32_b32 {d}, {a}",
       [](In i) {
         for (int n = 0; n < 32; ++n)
           if ((i.a >> n) & 1) return wrapped(n);
         return wrapped(-1);
       }},
      {"v_bcnt_u32_b32 {d}, {a}, {b}",
       [](In i) { return wrapped(i128(std::popcount(i.a)) + i.b); }},
      {"v_mbcnt_lo_u32_b32 {d}, {a}, {b}",
       [](In i) {
         i128 count = i.b;
         for (unsigned n = 0; n < i.lane && n < 32; ++n) count += (i.a >> n) & 1;
         return wrapped(count);
       }},
      {"v_mbcnt_hi_u32_b32 {d}, {a}, {b}",
       [](In i) {
         i128 count = i.b;
         for (unsigned n = 32; n < i.lane; ++n) count += (i.a >> (n - 32)) & 1;
         return wrapped(count);
       }},
      {"v_prng_b32 {d}, {a}", [](In i) { return wrapped(i128(2 * i.a) ^ (i.a >> 31 ? 197 : 0)); },
       1},
  };
  check_all(kCases);
}

VectorOut permuted(In i) {
  const u64 bytes = (i.a << 32) | i.b;
  u64 result = 0;
  for (unsigned n = 0; n < 4; ++n) {
    const unsigned selector = byte_of(i.c, n);
    u64 byte = 0;
    if (selector <= 7)
      byte = byte_of(bytes, selector);
    else if (selector <= 11)
      byte = (bytes >> (16 * (selector - 8) + 15)) & 1 ? 0xff : 0;
    else if (selector >= 13)
      byte = 0xff;
    result |= byte << (8 * n);
  }
  return exactly(result);
}

TEST(Integer, Bytes) {
  const VectorCase kCases[] = {
      {"v_perm_b32 {d}, {a}, {b}, {c}", permuted},
      {"v_lerp_u8 {d}, {a}, {b}, {c}",
       [](In i) {
         u64 result = 0;
         for (unsigned n = 0; n < 4; ++n) {
           const unsigned sum = byte_of(i.a, n) + byte_of(i.b, n) + byte_of(i.c, n) % 2;
           result |= u64{sum / 2} << (8 * n);
         }
         return exactly(result);
       }},
      {"v_sad_u8 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(byte_distances(i.a, i.b, false) + i.c); }},
      {"v_sad_u8 {d}, {a}, {b}, {c} clamp",
       [](In i) { return clamp_u32(byte_distances(i.a, i.b, false) + i.c); }},
      {"v_msad_u8 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(byte_distances(i.a, i.b, true) + i.c); }},
      {"v_sad_hi_u8 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(byte_distances(i.a, i.b, false) * 65536 + i.c); }},
      {"v_sad_u16 {d}, {a}, {b}, {c}",
       [](In i) {
         const auto part = [](u64 a, u64 b) { return a > b ? a - b : b - a; };
         return wrapped(i128(part(i.a % 65536, i.b % 65536)) + part(i.a / 65536, i.b / 65536) +
                        i.c);
       }},
      {"v_sad_u32 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(i128(i.a > i.b ? i.a - i.b : i.b - i.a) + i.c); }},
      {"v_qsad_pk_u16_u8 {D}, {A}, {b}, {C}",
       [](In i) {
         u64 result = 0;
         for (unsigned n = 0; n < 4; ++n) {
           const i128 sum =
               byte_distances(i.a >> (8 * n), i.b, false) + i128((i.c >> (16 * n)) % 65536);
           result |= (low(sum) % u64{65536}) << (16 * n);
         }
         return exactly(result);
       }},
      {"v_mqsad_pk_u16_u8 {D}, {A}, {b}, {C}",
       [](In i) {
         u64 result = 0;
         for (unsigned n = 0; n < 4; ++n) {
           const i128 sum =
               byte_distances(i.a >> (8 * n), i.b, true) + i128((i.c >> (16 * n)) % 65536);
           result |= (low(sum) % u64{65536}) << (16 * n);
         }
         return exactly(result);
       }},
  };
  check_all(kCases);
}

// Random selectors are mostly above 12; compilers write small ones.
TEST(Integer, PermuteWithOrdinarySelectors) {
  for (const std::string& gfx : all_targets()) {
    SCOPED_TRACE(gfx);
    for (const u32 selectors : {0x07060504U, 0x03020100U, 0x0c0c0105U, 0x0c020c00U, 0x0d070c02U,
                                0x080a090bU, 0x05040100U, 0xff0c0807U}) {
      Lab lab(gfx);
      lab.wave().set_exec(0xfffffffbfULL);
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        lab.set_v(0, lane, 0x5a5a5a5a);
        lab.set_v(1, lane, 0x80f1e2d3 + 0x01234567 * lane);
        lab.set_v(2, lane, 0x34a5967f - 0x0fedcba9 * lane);
      }
      lab.set_s(4, selectors);
      lab.run("v_perm_b32 v0, v1, v2, s4");
      ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        const bool active = (0xfffffffbfULL >> lane) & 1;
        const VectorIn in{.a = lab.v(1, lane), .b = lab.v(2, lane), .c = selectors};
        EXPECT_EQ(lab.v(0, lane), active ? permuted(in).value : 0x5a5a5a5a) << lane;
      }
    }
  }
}

TEST(Integer, Sums) {
  const VectorCase kCases[] = {
      {"v_add_u32/v_add_nc_u32 {d}, {a}, {b}", [](In i) { return wrapped(i128(i.a) + i.b); }},
      {"v_sub_u32/v_sub_nc_u32 {d}, {a}, {b}", [](In i) { return wrapped(i128(i.a) - i.b); }},
      {"v_subrev_u32/v_subrev_nc_u32 {d}, {a}, {b}", [](In i) { return wrapped(i128(i.b) - i.a); }},
      {"v_add_u32/v_add_nc_u32 {d}, {a}, {b} clamp",
       [](In i) { return clamp_u32(i128(i.a) + i.b); }},
      {"v_sub_u32/v_sub_nc_u32 {d}, {a}, {b} clamp",
       [](In i) { return clamp_u32(i128(i.a) - i.b); }},
      {"v_subrev_u32/v_subrev_nc_u32 {d}, {a}, {b} clamp",
       [](In i) { return clamp_u32(i128(i.b) - i.a); }},
      {"v_add_i32/v_add_nc_i32 {d}, {a}, {b}", [](In i) { return wrapped(i128(i.a) + i.b); }},
      {"v_sub_i32/v_sub_nc_i32 {d}, {a}, {b}", [](In i) { return wrapped(i128(i.a) - i.b); }},
      {"v_add_i32/v_add_nc_i32 {d}, {a}, {b} clamp",
       [](In i) { return clamp_i32(i128(s(i.a)) + s(i.b)); }},
      {"v_sub_i32/v_sub_nc_i32 {d}, {a}, {b} clamp",
       [](In i) { return clamp_i32(i128(s(i.a)) - s(i.b)); }},
      {"v_add3_u32 {d}, {a}, {b}, {c}", [](In i) { return wrapped(i128(i.a) + i.b + i.c); }},
      {"v_add_co_u32 {d}, {f}, {a}, {b}", [](In i) { return carried(i128(i.a) + i.b); }},
      {"v_sub_co_u32 {d}, {f}, {a}, {b}", [](In i) { return carried(i128(i.a) - i.b); }},
      {"v_subrev_co_u32 {d}, {f}, {a}, {b}", [](In i) { return carried(i128(i.b) - i.a); }},
      {"v_addc_co_u32/v_add_co_ci_u32 {d}, {f}, {a}, {b}, {m}",
       [](In i) { return carried(i128(i.a) + i.b + i.mask); }},
      {"v_subb_co_u32/v_sub_co_ci_u32 {d}, {f}, {a}, {b}, {m}",
       [](In i) { return carried(i128(i.a) - i.b - i.mask); }},
      {"v_subbrev_co_u32/v_subrev_co_ci_u32 {d}, {f}, {a}, {b}, {m}",
       [](In i) { return carried(i128(i.b) - i.a - i.mask); }},
      {"v_addc_co_u32/v_add_co_ci_u32 {d}, {f}, {a}, {b}, {m} clamp",
       [](In i) {
         const i128 sum = i128(i.a) + i.b + i.mask;
         return VectorOut{clamp_u32(sum).value, carried(sum).flag};
       }},
  };
  check_all(kCases);
}

// The short encodings read and write VCC; a carry belongs to its lane even where DPP moves the
// operand.
TEST(Integer, CarriesInVcc) {
  for (const std::string& gfx : all_targets()) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    const bool gfx9 = is_gfx9(lab.wave().isa), wide = lab.lanes() == 64;
    const std::string name = gfx9 ? "v_addc_co_u32" : "v_add_co_ci_u32";
    const std::string vcc = wide ? "vcc" : "vcc_lo";
    const u64 exec = 0xfedc'ba98'7654'3210ULL & lab.wave().full_exec;
    const u64 carries = 0x0f0f'3c3c'5555'9669ULL & lab.wave().full_exec;
    for (const bool dpp : {false, true}) {
      lab.wave().set_exec(exec);
      lab.set_s64(kVccLo, carries);
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        lab.set_v(1, lane, 0xffffffff - lane % 3);
        lab.set_v(2, lane, lane % 2);
        lab.set_v(0, lane, 9);
      }
      lab.run(name + (dpp ? "_dpp" : "_e32") + " v0, " + vcc + ", v1, v2, " + vcc +
              (dpp ? " row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1" : ""));
      ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      u64 want_flags = 0;
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        const unsigned from = dpp ? lane / 16 * 16 + 15 - lane % 16 : lane;
        const bool reads = (exec >> from) & 1, active = (exec >> lane) & 1;
        const i128 sum =
            (reads ? i128{0xffffffff - from % 3} : 0) + lane % 2 + ((carries >> lane) & 1);
        EXPECT_EQ(lab.v(0, lane), active ? low(sum) : 9) << lane;
        want_flags |= u64{active && carried(sum).flag} << lane;
      }
      EXPECT_EQ(lab.s64(kVccLo) & lab.wave().full_exec, want_flags);
    }
  }
}

TEST(Integer, Products) {
  const VectorCase kCases[] = {
      {"v_mul_lo_u32 {d}, {a}, {b}", [](In i) { return wrapped(i128(i.a) * i.b); }},
      {"v_mul_hi_u32 {d}, {a}, {b}", [](In i) { return wrapped((i128(i.a) * i.b) >> 32); }},
      {"v_mul_hi_i32 {d}, {a}, {b}", [](In i) { return wrapped((i128(s(i.a)) * s(i.b)) >> 32); }},
      {"v_mul_u32_u24 {d}, {a}, {b}",
       [](In i) { return wrapped(unsigned24(i.a) * unsigned24(i.b)); }},
      {"v_mul_i32_i24 {d}, {a}, {b}", [](In i) { return wrapped(signed24(i.a) * signed24(i.b)); }},
      {"v_mul_hi_u32_u24 {d}, {a}, {b}",
       [](In i) { return wrapped((unsigned24(i.a) * unsigned24(i.b)) >> 32); }},
      {"v_mul_hi_i32_i24 {d}, {a}, {b}",
       [](In i) { return wrapped((signed24(i.a) * signed24(i.b)) >> 32); }},
      {"v_mad_u32_u24 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(unsigned24(i.a) * unsigned24(i.b) + i.c); }},
      {"v_mad_i32_i24 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(signed24(i.a) * signed24(i.b) + s(i.c)); }},
      {"v_mad_u32_u24 {d}, {a}, {b}, {c} clamp",
       [](In i) { return clamp_u32(unsigned24(i.a) * unsigned24(i.b) + i.c); }},
      {"v_mad_i32_i24 {d}, {a}, {b}, {c} clamp",
       [](In i) { return clamp_i32(signed24(i.a) * signed24(i.b) + s(i.c)); }},
      {"v_mad_u64_u32/v_mad_co_u64_u32 {D}, {f}, {a}, {b}, {C}",
       [](In i) {
         const i128 sum = i128(i.a) * i.b + i.c;
         return VectorOut{static_cast<u64>(sum), (sum >> 64) != 0};
       }},
      {"v_mad_i64_i32/v_mad_co_i64_i32 {D}, {f}, {a}, {b}, {C}",
       [](In i) {
         const i128 sum = i128(s(i.a)) * s(i.b) + static_cast<i64>(i.c);
         return VectorOut{static_cast<u64>(sum), ((sum >> 64) & 1) != 0};
       }},
  };
  check_all(kCases);
}

template <class T>
std::array<T, 3> sorted(In i) {
  std::array<T, 3> values = {static_cast<T>(i.a), static_cast<T>(i.b), static_cast<T>(i.c)};
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Integer, Order) {
  const VectorCase kCases[] = {
      {"v_min_u32 {d}, {a}, {b}", [](In i) { return exactly(i.a < i.b ? i.a : i.b); }},
      {"v_max_u32 {d}, {a}, {b}", [](In i) { return exactly(i.a < i.b ? i.b : i.a); }},
      {"v_min_i32 {d}, {a}, {b}", [](In i) { return exactly(s(i.a) < s(i.b) ? i.a : i.b); }},
      {"v_max_i32 {d}, {a}, {b}", [](In i) { return exactly(s(i.a) < s(i.b) ? i.b : i.a); }},
      {"v_min3_u32 {d}, {a}, {b}, {c}", [](In i) { return exactly(sorted<u32>(i)[0]); }},
      {"v_med3_u32 {d}, {a}, {b}, {c}", [](In i) { return exactly(sorted<u32>(i)[1]); }},
      {"v_max3_u32 {d}, {a}, {b}, {c}", [](In i) { return exactly(sorted<u32>(i)[2]); }},
      {"v_min3_i32 {d}, {a}, {b}, {c}", [](In i) { return wrapped(sorted<i32>(i)[0]); }},
      {"v_med3_i32 {d}, {a}, {b}, {c}", [](In i) { return wrapped(sorted<i32>(i)[1]); }},
      {"v_max3_i32 {d}, {a}, {b}, {c}", [](In i) { return wrapped(sorted<i32>(i)[2]); }},
      {"v_minmax_u32 {d}, {a}, {b}, {c}",
       [](In i) { return exactly(std::max(std::min(i.a, i.b), i.c)); }, 2},
      {"v_maxmin_u32 {d}, {a}, {b}, {c}",
       [](In i) { return exactly(std::min(std::max(i.a, i.b), i.c)); }, 2},
      {"v_minmax_i32 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(std::max(std::min(s(i.a), s(i.b)), s(i.c))); }, 2},
      {"v_maxmin_i32 {d}, {a}, {b}, {c}",
       [](In i) { return wrapped(std::min(std::max(s(i.a), s(i.b)), s(i.c))); }, 2},
  };
  check_all(kCases);
}

TEST(Integer, SumsOfBytesInFourRegisters) {
  for (const std::string& gfx : all_targets()) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    const auto values = interesting_i32(lab.lanes() * 8);
    for (unsigned lane = 0; lane < lab.lanes(); ++lane)
      for (unsigned row = 0; row < 7; ++row) lab.set_v(4 + row, lane, values[lane * 8 + row]);
    lab.run("v_mqsad_u32_u8 v[12:15], v[4:5], v6, v[8:11]");
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
    for (unsigned lane = 0; lane < lab.lanes(); ++lane)
      for (unsigned n = 0; n < 4; ++n) {
        const i128 sum = byte_distances(lab.v64(4, lane) >> (8 * n), lab.v(6, lane), true);
        EXPECT_EQ(lab.v(12 + n, lane), low(sum + lab.v(8 + n, lane)));
      }
  }
}

}  // namespace
}  // namespace hipwright::soft
