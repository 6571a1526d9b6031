// SPDX-License-Identifier: MIT
// Scalar integer instructions against oracles on wide integers.
#include <gtest/gtest.h>

#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "soft/lab.h"

namespace hipwright::soft {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using wide = __int128;

struct In {
  u64 a = 0, b = 0, old = 0, exec = 0;
  bool scc = false;
  unsigned bits = 32;  // of the instruction's name
};
struct Expected {
  u64 d = 0;
  int scc = -1;  // -1: stays
  bool writes_exec = false;
  u64 exec = 0;
};
// Registers: 0 none, else bits. `names`: with {} for the width where the oracle holds for both.
struct Case {
  const char* name;
  unsigned d, a, b;
  std::function<Expected(const In&)> oracle;
};

u64 mask(unsigned bits) {
  return bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
}
wide sext(u64 value, unsigned bits) {
  const wide v = value & mask(bits);
  return ((value >> (bits - 1)) & 1) ? v - (wide{1} << bits) : v;
}
Expected value(wide d) {
  return {.d = static_cast<u64>(d)};
}
Expected with_scc(wide d, bool scc) {
  return {.d = static_cast<u64>(d), .scc = scc};
}
Expected test(bool scc) {
  return {.scc = scc};
}
Expected nz(u64 d, unsigned bits) {
  return {.d = d & mask(bits), .scc = (d & mask(bits)) != 0};
}
u64 bit_by_bit(u64 a, u64 b, unsigned table) {
  u64 result = 0;
  for (unsigned i = 0; i < 64; ++i)
    result |= u64{(table >> (((a >> i) & 1) * 2 + ((b >> i) & 1))) & 1} << i;
  return result;
}
// Truth tables: bit (2a + b).
constexpr unsigned kAnd = 8, kOr = 14, kXor = 6, kAndN2 = 4, kOrN2 = 13, kNand = 7, kNor = 1,
                   kXnor = 9, kAndN1 = 2, kOrN1 = 11;

std::vector<Case> logic(const char* stem, unsigned table) {
  static std::vector<std::string> names;
  names.reserve(512);
  std::vector<Case> cases;
  for (const unsigned bits : {32U, 64U}) {
    names.push_back("s_" + std::string(stem) + "_b" + std::to_string(bits));
    cases.push_back({names.back().c_str(), bits, bits, bits, [table, bits](const In& in) {
                       return nz(bit_by_bit(in.a, in.b, table), bits);
                     }});
  }
  return cases;
}
std::vector<Case> exec_logic(const char* stem, unsigned table, bool new_to_dst) {
  static std::vector<std::string> names;
  names.reserve(512);
  std::vector<Case> cases;
  for (const unsigned bits : {32U, 64U}) {
    names.push_back("s_" + std::string(stem) + "_b" + std::to_string(bits));
    cases.push_back({names.back().c_str(), bits, bits, 0, [=](const In& in) {
                       const u64 now = bit_by_bit(in.a, in.exec, table) & mask(bits);
                       return Expected{.d = (new_to_dst ? now : in.exec) & mask(bits),
                                       .scc = now != 0,
                                       .writes_exec = true,
                                       .exec = bits == 32 ? (in.exec & ~mask(32)) | now : now};
                     }});
  }
  return cases;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&](std::vector<Case> more) {
    cases.insert(cases.end(), more.begin(), more.end());
  };
  const struct {
    const char* names[2];
    unsigned table;
  } kLogic[] = {{{"and", nullptr}, kAnd},     {{"or", nullptr}, kOr},
                {{"xor", nullptr}, kXor},     {{"andn2", "and_not1"}, kAndN2},
                {{"orn2", "or_not1"}, kOrN2}, {{"nand", nullptr}, kNand},
                {{"nor", nullptr}, kNor},     {{"xnor", nullptr}, kXnor}};
  for (const auto& each : kLogic)
    for (const char* name : each.names)
      if (name) {
        add(logic(name, each.table));
        static std::vector<std::string> stems;
        stems.reserve(64);
        stems.push_back(std::string(name) + "_saveexec");
        add(exec_logic(stems.back().c_str(), each.table, false));
      }
  for (const char* name : {"andn1_saveexec", "and_not0_saveexec"})
    add(exec_logic(name, kAndN1, false));
  for (const char* name : {"orn1_saveexec", "or_not0_saveexec"})
    add(exec_logic(name, kOrN1, false));
  for (const char* name : {"andn1_wrexec", "and_not0_wrexec"}) add(exec_logic(name, kAndN1, true));
  for (const char* name : {"andn2_wrexec", "and_not1_wrexec"}) add(exec_logic(name, kAndN2, true));

  const auto add_u = [](const In& in) {
    const wide sum = wide{in.a} + in.b;
    return with_scc(sum, sum >> 32 != 0);
  };
  const auto sub_u = [](const In& in) {
    return with_scc(wide{in.a} - in.b, wide{in.a} - in.b < 0);
  };
  const auto overflow = [](wide exact) {
    return with_scc(exact, exact != sext(static_cast<u64>(exact), 32));
  };
  const auto add_i = [=](const In& in) { return overflow(sext(in.a, 32) + sext(in.b, 32)); };
  const auto sub_i = [=](const In& in) { return overflow(sext(in.a, 32) - sext(in.b, 32)); };
  const auto addc = [](const In& in) {
    const wide sum = wide{in.a} + in.b + in.scc;
    return with_scc(sum, sum >> 32 != 0);
  };
  const auto subb = [](const In& in) {
    const wide exact = wide{in.a} - in.b - in.scc;
    return with_scc(exact, exact < 0);
  };
  add({{"s_add_u32", 32, 32, 32, add_u},
       {"s_add_co_u32", 32, 32, 32, add_u},
       {"s_sub_u32", 32, 32, 32, sub_u},
       {"s_sub_co_u32", 32, 32, 32, sub_u},
       {"s_add_i32", 32, 32, 32, add_i},
       {"s_add_co_i32", 32, 32, 32, add_i},
       {"s_sub_i32", 32, 32, 32, sub_i},
       {"s_sub_co_i32", 32, 32, 32, sub_i},
       {"s_addc_u32", 32, 32, 32, addc},
       {"s_add_co_ci_u32", 32, 32, 32, addc},
       {"s_subb_u32", 32, 32, 32, subb},
       {"s_sub_co_ci_u32", 32, 32, 32, subb},
       {"s_add_nc_u64", 64, 64, 64, [](const In& in) { return value(wide{in.a} + in.b); }},
       {"s_sub_nc_u64", 64, 64, 64, [](const In& in) { return value(wide{in.a} - in.b); }},
       {"s_mul_u64", 64, 64, 64, [](const In& in) { return value(wide{in.a} * in.b); }},
       {"s_mul_i32", 32, 32, 32, [](const In& in) { return value(wide{in.a} * in.b); }},
       {"s_mul_hi_u32", 32, 32, 32, [](const In& in) { return value((wide{in.a} * in.b) >> 32); }},
       {"s_mul_hi_i32", 32, 32, 32,
        [](const In& in) { return value((sext(in.a, 32) * sext(in.b, 32)) >> 32); }},
       {"s_min_i32", 32, 32, 32,
        [](const In& in) {
          const bool first = sext(in.a, 32) < sext(in.b, 32);
          return with_scc(first ? in.a : in.b, first);
        }},
       {"s_max_i32", 32, 32, 32,
        [](const In& in) {
          const bool first = sext(in.a, 32) > sext(in.b, 32);
          return with_scc(first ? in.a : in.b, first);
        }},
       {"s_min_u32", 32, 32, 32,
        [](const In& in) { return with_scc(std::min(in.a, in.b), in.a < in.b); }},
       {"s_max_u32", 32, 32, 32,
        [](const In& in) { return with_scc(std::max(in.a, in.b), in.a > in.b); }},
       {"s_cselect_b32", 32, 32, 32, [](const In& in) { return value(in.scc ? in.a : in.b); }},
       {"s_cselect_b64", 64, 64, 64, [](const In& in) { return value(in.scc ? in.a : in.b); }},
       {"s_absdiff_i32", 32, 32, 32, [](const In& in) {
          const wide difference = sext(static_cast<u64>(sext(in.a, 32) - sext(in.b, 32)), 32);
          return nz(static_cast<u64>(difference < 0 ? -difference : difference), 32);
        }}});
  for (const unsigned n : {1U, 2U, 3U, 4U}) {
    static const char* const names[] = {"", "s_lshl1_add_u32", "s_lshl2_add_u32", "s_lshl3_add_u32",
                                        "s_lshl4_add_u32"};
    add({{names[n], 32, 32, 32, [n](const In& in) {
            const wide sum = (wide{in.a} << n) + in.b;
            return with_scc(sum, sum > mask(32));
          }}});
  }
  const auto shl = [](const In& in) {
    return nz(static_cast<u64>(wide{in.a} << (in.b % in.bits)), in.bits);
  };
  const auto shr = [](const In& in) { return nz(in.a >> (in.b % in.bits), in.bits); };
  const auto sar = [](const In& in) {
    return nz(static_cast<u64>(sext(in.a, in.bits) >> (in.b % in.bits)), in.bits);
  };
  const auto bfm = [](const In& in) {
    return value((((wide{1} << (in.a % in.bits)) - 1) << (in.b % in.bits)) & mask(in.bits));
  };
  const auto bfe_u = [](const In& in) {
    const unsigned width = (in.b >> 16) & 127;
    return nz(static_cast<u64>(wide{in.a >> (in.b % in.bits)} % (wide{1} << std::min(width, 64U))),
              in.bits);
  };
  const auto bfe_i = [](const In& in) {
    const unsigned width = std::min<unsigned>((in.b >> 16) & 127, in.bits);
    const u64 shifted = static_cast<u64>(sext(in.a, in.bits) >> (in.b % in.bits));
    return width == 0 ? nz(0, in.bits) : nz(static_cast<u64>(sext(shifted, width)), in.bits);
  };
  add({{"s_lshl_b32", 32, 32, 32, shl},
       {"s_lshl_b64", 64, 64, 32, shl},
       {"s_lshr_b32", 32, 32, 32, shr},
       {"s_lshr_b64", 64, 64, 32, shr},
       {"s_ashr_i32", 32, 32, 32, sar},
       {"s_ashr_i64", 64, 64, 32, sar},
       {"s_bfm_b32", 32, 32, 32, bfm},
       {"s_bfm_b64", 64, 32, 32, bfm},
       {"s_bfe_u32", 32, 32, 32, bfe_u},
       {"s_bfe_u64", 64, 64, 32, bfe_u},
       {"s_bfe_i32", 32, 32, 32, bfe_i},
       {"s_bfe_i64", 64, 64, 32, bfe_i}});
  const auto half = [](u64 v, bool high) { return high ? (v >> 16) & 0xffff : v & 0xffff; };
  add({{"s_pack_ll_b32_b16", 32, 32, 32,
        [=](const In& in) { return value(half(in.a, false) + half(in.b, false) * 65536); }},
       {"s_pack_lh_b32_b16", 32, 32, 32,
        [=](const In& in) { return value(half(in.a, false) + half(in.b, true) * 65536); }},
       {"s_pack_hh_b32_b16", 32, 32, 32,
        [=](const In& in) { return value(half(in.a, true) + half(in.b, true) * 65536); }},
       {"s_pack_hl_b32_b16", 32, 32, 32,
        [=](const In& in) { return value(half(in.a, true) + half(in.b, false) * 65536); }}});

  // SOP1
  const auto ones = [](const In& in) {
    return nz(std::bitset<64>(in.a & mask(in.bits)).count(), 32);
  };
  const auto zeros = [](const In& in) {
    return nz(in.bits - std::bitset<64>(in.a & mask(in.bits)).count(), 32);
  };
  // Index of the first bit that equals `wanted`, from the bottom or the top; -1: none.
  const auto find = [](const In& in, bool wanted, bool from_top) {
    for (unsigned i = 0; i < in.bits; ++i) {
      const unsigned bit = from_top ? in.bits - 1 - i : i;
      if (((in.a >> bit) & 1) == wanted) return value(i);
    }
    return value(-1);
  };
  const auto ff0 = [=](const In& in) { return find(in, false, false); };
  const auto ff1 = [=](const In& in) { return find(in, true, false); };
  const auto clz = [=](const In& in) { return find(in, true, true); };
  const auto cls = [](const In& in) {
    for (unsigned i = 1; i < in.bits; ++i)
      if (((in.a >> (in.bits - 1 - i)) & 1) != ((in.a >> (in.bits - 1)) & 1)) return value(i);
    return value(-1);
  };
  const auto brev = [](const In& in) {
    u64 result = 0;
    for (unsigned i = 0; i < in.bits; ++i)
      if ((in.a >> i) & 1) result += u64{1} << (in.bits - 1 - i);
    return value(result);
  };
  const auto quad = [](const In& in) {
    u64 result = 0;
    for (unsigned i = 0; i < in.bits; ++i)
      if ((in.a >> i) & 1) result |= u64{1} << (i / 4);
    return nz(result, in.bits);
  };
  const auto wqm = [](const In& in) {
    u64 result = 0;
    for (unsigned i = 0; i < in.bits; ++i)
      if ((in.a >> i) & 1) result |= u64{15} << (i / 4 * 4);
    return nz(result, in.bits);
  };
  const auto mov = [](const In& in) { return value(in.a); };
  const auto inv = [](const In& in) { return nz(mask(in.bits) - in.a, in.bits); };
  const auto cmov = [](const In& in) { return value(in.scc ? in.a : in.old); };
  const auto set0 = [](const In& in) {
    const u64 bit = u64{1} << (in.a % in.bits);
    return value((in.old | bit) - bit);
  };
  const auto set1 = [](const In& in) { return value(in.old | (u64{1} << (in.a % in.bits))); };
  add({{"s_mov_b32", 32, 32, 0, mov},
       {"s_mov_b64", 64, 64, 0, mov},
       {"s_cmov_b32", 32, 32, 0, cmov},
       {"s_cmov_b64", 64, 64, 0, cmov},
       {"s_not_b32", 32, 32, 0, inv},
       {"s_not_b64", 64, 64, 0, inv},
       {"s_wqm_b32", 32, 32, 0, wqm},
       {"s_wqm_b64", 64, 64, 0, wqm},
       {"s_quadmask_b32", 32, 32, 0, quad},
       {"s_quadmask_b64", 64, 64, 0, quad},
       {"s_brev_b32", 32, 32, 0, brev},
       {"s_brev_b64", 64, 64, 0, brev},
       {"s_bcnt0_i32_b32", 32, 32, 0, zeros},
       {"s_bcnt0_i32_b64", 32, 64, 0, zeros},
       {"s_bcnt1_i32_b32", 32, 32, 0, ones},
       {"s_bcnt1_i32_b64", 32, 64, 0, ones},
       {"s_ff0_i32_b32", 32, 32, 0, ff0},
       {"s_ff0_i32_b64", 32, 64, 0, ff0},
       {"s_ff1_i32_b32", 32, 32, 0, ff1},
       {"s_ff1_i32_b64", 32, 64, 0, ff1},
       {"s_ctz_i32_b32", 32, 32, 0, ff1},
       {"s_ctz_i32_b64", 32, 64, 0, ff1},
       {"s_flbit_i32_b32", 32, 32, 0, clz},
       {"s_flbit_i32_b64", 32, 64, 0, clz},
       {"s_clz_i32_u32", 32, 32, 0, clz},
       {"s_clz_i32_u64", 32, 64, 0, clz},
       {"s_flbit_i32", 32, 32, 0, cls},
       {"s_flbit_i32_i64", 32, 64, 0, cls},
       {"s_cls_i32", 32, 32, 0, cls},
       {"s_cls_i32_i64", 32, 64, 0, cls},
       {"s_sext_i32_i8", 32, 32, 0, [](const In& in) { return value(sext(in.a, 8)); }},
       {"s_sext_i32_i16", 32, 32, 0, [](const In& in) { return value(sext(in.a, 16)); }},
       {"s_bitset0_b32", 32, 32, 0, set0},
       {"s_bitset0_b64", 64, 32, 0, set0},
       {"s_bitset1_b32", 32, 32, 0, set1},
       {"s_bitset1_b64", 64, 32, 0, set1},
       {"s_abs_i32", 32, 32, 0,
        [](const In& in) {
          const wide v = sext(in.a, 32);
          return nz(static_cast<u64>(v < 0 ? -v : v), 32);
        }},
       {"s_bitreplicate_b64_b32", 64, 32, 0, [](const In& in) {
          u64 result = 0;
          for (unsigned i = 0; i < 64; ++i) result |= ((in.a >> (i / 2)) & 1) << i;
          return value(result);
        }}});

  // SOPC
  const auto bit = [](const In& in) { return (in.a >> (in.b % in.bits)) & 1; };
  add({{"s_cmp_eq_i32", 0, 32, 32, [](const In& in) { return test(in.a == in.b); }},
       {"s_cmp_lg_i32", 0, 32, 32, [](const In& in) { return test(in.a != in.b); }},
       {"s_cmp_gt_i32", 0, 32, 32,
        [](const In& in) { return test(sext(in.a, 32) > sext(in.b, 32)); }},
       {"s_cmp_ge_i32", 0, 32, 32,
        [](const In& in) { return test(sext(in.a, 32) >= sext(in.b, 32)); }},
       {"s_cmp_lt_i32", 0, 32, 32,
        [](const In& in) { return test(sext(in.a, 32) < sext(in.b, 32)); }},
       {"s_cmp_le_i32", 0, 32, 32,
        [](const In& in) { return test(sext(in.a, 32) <= sext(in.b, 32)); }},
       {"s_cmp_eq_u32", 0, 32, 32, [](const In& in) { return test(in.a == in.b); }},
       {"s_cmp_lg_u32", 0, 32, 32, [](const In& in) { return test(in.a != in.b); }},
       {"s_cmp_gt_u32", 0, 32, 32, [](const In& in) { return test(in.a > in.b); }},
       {"s_cmp_ge_u32", 0, 32, 32, [](const In& in) { return test(in.a >= in.b); }},
       {"s_cmp_lt_u32", 0, 32, 32, [](const In& in) { return test(in.a < in.b); }},
       {"s_cmp_le_u32", 0, 32, 32, [](const In& in) { return test(in.a <= in.b); }},
       {"s_cmp_eq_u64", 0, 64, 64, [](const In& in) { return test(in.a == in.b); }},
       {"s_cmp_lg_u64", 0, 64, 64, [](const In& in) { return test(in.a != in.b); }},
       {"s_bitcmp0_b32", 0, 32, 32, [=](const In& in) { return test(bit(in) == 0); }},
       {"s_bitcmp1_b32", 0, 32, 32, [=](const In& in) { return test(bit(in) == 1); }},
       {"s_bitcmp0_b64", 0, 64, 32, [=](const In& in) { return test(bit(in) == 0); }},
       {"s_bitcmp1_b64", 0, 64, 32, [=](const In& in) { return test(bit(in) == 1); }}});
  return cases;
}

std::string reg(unsigned index, unsigned bits) {
  return bits == 64 ? "s[" + std::to_string(index) + ":" + std::to_string(index + 1) + "]"
                    : "s" + std::to_string(index);
}

constexpr unsigned kA = 20, kB = 24, kD = 28;

std::string text_of(const Case& each) {
  std::string text = each.name;
  std::string separator = " ";
  const auto operand = [&](unsigned index, unsigned bits) {
    if (bits == 0) return;
    text += separator + reg(index, bits);
    separator = ", ";
  };
  operand(kD, each.d);
  operand(kA, each.a);
  operand(kB, each.b);
  return text;
}

u64 read_exec(Lab& lab) {
  return lab.s(kExecLo) | (u64{lab.s(kExecHi)} << 32);
}

void check(Lab& lab, const Case& each, const std::string& text, In in) {
  in.bits = std::max(each.a, each.d);
  if (std::string_view(each.name).starts_with("s_bfm_b64")) in.bits = 64;
  if (each.d == 32 && each.a != 0) in.bits = each.a;  // counts of 64-bit values
  in.a &= mask(each.a);
  in.b &= mask(each.b == 0 ? 32 : each.b);
  in.old &= mask(each.d == 0 ? 32 : each.d);
  lab.set_s64(kA, in.a | (each.a == 32 ? u64{0xdeadbeef} << 32 : 0));
  lab.set_s64(kB, in.b | (each.b == 32 ? u64{0xdeadbeef} << 32 : 0));
  lab.set_s64(kD, in.old | (each.d == 32 ? u64{0x12345678} << 32 : 0));
  lab.set_s(kScc, in.scc);
  lab.wave().set_exec(in.exec);
  in.exec = lab.lanes() == 64 ? in.exec : u64{lab.s(kExecLo)} | (u64{lab.s(kExecHi)} << 32);
  lab.run(text);
  ASSERT_NE(lab.wave().state, WaveState::kFault) << lab.wave().fault.what;
  const Expected expected = each.oracle(in);
  if (each.d != 0) {
    ASSERT_EQ(lab.s64(kD) & mask(each.d), expected.d & mask(each.d))
        << std::hex << text << " a=" << in.a << " b=" << in.b << " old=" << in.old
        << " scc=" << in.scc;
    if (each.d == 32) {
      ASSERT_EQ(lab.s(kD + 1), 0x12345678U) << text;
    }
  }
  ASSERT_EQ(lab.s(kScc), expected.scc < 0 ? in.scc : static_cast<u32>(expected.scc))
      << std::hex << text << " a=" << in.a << " b=" << in.b;
  if (expected.writes_exec) {
    ASSERT_EQ(read_exec(lab), expected.exec) << text;
    ASSERT_EQ(lab.wave().exec, expected.exec & lab.wave().full_exec) << text;
  }
}

class Scalar : public testing::TestWithParam<std::string> {};

TEST_P(Scalar, AgreesWithWideIntegers) {
  Lab lab(GetParam());
  const std::vector<u64> values = interesting_i64(14);
  const std::vector<u32> small = interesting_i32(14);
  const std::vector<u64> random = interesting_i64(120, 7);
  unsigned accepted = 0;
  for (const Case& each : all_cases()) {
    const std::string text = text_of(each);
    if (!lab.accepts(text)) continue;
    ++accepted;
    unsigned turn = 0;
    const auto value_of = [&](unsigned i, unsigned bits) {
      return bits == 64 ? values[i] : u64{small[i]};
    };
    for (unsigned i = 0; i < values.size(); ++i)
      for (unsigned j = 0; j < (each.b ? small.size() : 1U); ++j)
        check(lab, each, text,
              {.a = value_of(i, each.a),
               .b = value_of(j, each.b),
               .old = random[++turn % random.size()],
               .exec = random[(turn * 7) % random.size()],
               .scc = turn % 2 == 1});
    for (unsigned i = 0; i + 1 < random.size(); ++i)
      check(lab, each, text,
            {.a = random[i],
             .b = random[i + 1],
             .old = random[(i * 5) % random.size()],
             .exec = random[(i * 3) % random.size()],
             .scc = i % 2 == 0});
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(accepted, 100U);
}

// Immediates of 16 bits: moves, sums, products and compares.
TEST_P(Scalar, Immediates) {
  Lab lab(GetParam());
  const bool gfx12 = lab.wave().isa == Isa::kGfx12;
  struct Compare {
    const char* name;
    bool (*holds)(i64, i64);
  };
  static constexpr Compare kCompares[] = {
      {"eq", [](i64 a, i64 b) { return a == b; }}, {"lg", [](i64 a, i64 b) { return a != b; }},
      {"gt", [](i64 a, i64 b) { return a > b; }},  {"ge", [](i64 a, i64 b) { return a >= b; }},
      {"lt", [](i64 a, i64 b) { return a < b; }},  {"le", [](i64 a, i64 b) { return a <= b; }}};
  for (const int imm : {0, 1, -1, 0x7fff, -0x8000, 100}) {
    const std::string hex = std::to_string(imm);
    for (const u32 a : interesting_i32(20)) {
      for (const bool scc : {false, true}) {
        lab.set_s(kScc, scc);
        lab.run("s_movk_i32 s28, " + hex);
        ASSERT_EQ(lab.s(28), static_cast<u32>(imm));
        ASSERT_EQ(lab.s(kScc), u32{scc});
        lab.set_s(28, a);
        lab.run("s_cmovk_i32 s28, " + hex);
        ASSERT_EQ(lab.s(28), scc ? static_cast<u32>(imm) : a);
        lab.set_s(28, a);
        lab.run("s_mulk_i32 s28, " + hex);
        ASSERT_EQ(lab.s(28), static_cast<u32>(wide{a} * imm));
        ASSERT_EQ(lab.s(kScc), u32{scc});
        lab.set_s(28, a);
        lab.run((gfx12 ? "s_addk_co_i32 s28, " : "s_addk_i32 s28, ") + hex);
        const wide sum = sext(a, 32) + imm;
        ASSERT_EQ(lab.s(28), static_cast<u32>(sum));
        ASSERT_EQ(lab.s(kScc), u32{sum != sext(static_cast<u32>(sum), 32)}) << a << " + " << imm;
      }
      if (gfx12) continue;
      lab.set_s(28, a);
      for (const Compare& each : kCompares) {
        lab.run("s_cmpk_" + std::string(each.name) + "_i32 s28, " + hex);
        ASSERT_EQ(lab.s(kScc), u32{each.holds(static_cast<i64>(sext(a, 32)), imm)}) << each.name;
        lab.run("s_cmpk_" + std::string(each.name) + "_u32 s28, " + std::to_string(imm & 0xffff));
        ASSERT_EQ(lab.s(kScc), u32{each.holds(a, imm & 0xffff)}) << each.name << a << " " << imm;
      }
    }
  }
}

TEST_P(Scalar, RelativeMoves) {
  Lab lab(GetParam());
  for (unsigned i = 0; i < 40; ++i) lab.set_s(i, 0x100 + i);
  lab.set_s(kM0, 6);
  lab.run("s_movrels_b32 s50, s3");
  EXPECT_EQ(lab.s(50), 0x109U);
  lab.run("s_movrels_b64 s[50:51], s[4:5]");
  EXPECT_EQ(lab.s64(50), 0x10b'0000'010aULL);
  lab.run("s_movreld_b32 s10, s2");
  EXPECT_EQ(lab.s(16), 0x102U);
  lab.run("s_movreld_b64 s[20:21], s[2:3]");
  EXPECT_EQ(lab.s64(26), 0x103'0000'0102ULL);
  if (lab.accepts("s_movrelsd_2_b32 s30, s0")) {
    lab.set_s(kM0, (3U << 16) | 5U);
    lab.run("s_movrelsd_2_b32 s30, s0");
    EXPECT_EQ(lab.s(33), 0x105U);
  }
  lab.set_s(kM0, 5000);
  lab.run("s_movrels_b32 s50, s3");
  EXPECT_EQ(lab.wave().state, WaveState::kFault);
}

// Constants and special registers as sources.
TEST_P(Scalar, Constants) {
  Lab lab(GetParam());
  lab.run("s_mov_b64 s[28:29], -1");
  EXPECT_EQ(lab.s64(28), ~u64{0});
  lab.run("s_mov_b64 s[28:29], 64");
  EXPECT_EQ(lab.s64(28), 64U);
  lab.run("s_mov_b32 s28, 0x12345678");
  EXPECT_EQ(lab.s(28), 0x12345678U);
  lab.run("s_mov_b32 s28, 0.5");
  EXPECT_EQ(lab.s(28), 0x3f000000U);
  lab.run("s_mov_b64 s[28:29], 1.0");
  EXPECT_EQ(lab.s64(28), 0x3ff0000000000000ULL);
  lab.run("s_and_b64 s[28:29], exec, -1");
  EXPECT_EQ(lab.s(28), lab.s(kExecLo));
  lab.set_s(kScc, 1);
  lab.run("s_mov_b32 s28, src_scc");
  EXPECT_EQ(lab.s(28), 1U);
}

INSTANTIATE_TEST_SUITE_P(Targets, Scalar, testing::ValuesIn(all_targets()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace hipwright::soft
