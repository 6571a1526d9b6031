// SPDX-License-Identifier: MIT
// All compares, and v_cmpx's effect on EXEC.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "soft/vector_case.h"

namespace hipwright::soft {
namespace {

using u64 = std::uint64_t;
using In = const VectorIn&;

enum class Order : std::uint8_t { kLess, kEqual, kGreater, kUnordered };

// The relations by what they answer to each order.
struct Relation {
  const char* name;
  bool less, equal, greater, unordered;
  bool answer(Order order) const {
    switch (order) {
      case Order::kLess:
        return less;
      case Order::kEqual:
        return equal;
      case Order::kGreater:
        return greater;
      default:
        return unordered;
    }
  }
};
constexpr Relation kFloatRelations[] = {
    {"f", false, false, false, false}, {"lt", true, false, false, false},
    {"eq", false, true, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"lg", true, false, true, false},
    {"ge", false, true, true, false},  {"o", true, true, true, false},
    {"u", false, false, false, true},  {"nge", true, false, false, true},
    {"nlg", false, true, false, true}, {"ngt", true, true, false, true},
    {"nle", false, false, true, true}, {"neq", true, false, true, true},
    {"nlt", false, true, true, true},  {"tru", true, true, true, true},
};
constexpr Relation kIntegerRelations[] = {
    {"f", false, false, false, false}, {"lt", true, false, false, false},
    {"eq", false, true, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"ne", true, false, true, false},
    {"ge", false, true, true, false},  {"t", true, true, true, false},
};

template <class T>
Order order_of(T a, T b) {
  return a < b    ? Order::kLess
         : a > b  ? Order::kGreater
         : a == b ? Order::kEqual
                  : Order::kUnordered;
}

// An f16's value; exact in double.
double half_value(u64 bits) {
  const int exponent = static_cast<int>((bits >> 10) & 31);
  const double fraction = static_cast<double>(bits & 1023);
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

struct Kind {
  const char* name;
  Pool pool;
  bool wide;
  Order (*order)(u64 a, u64 b);
};
constexpr Kind kIntegers[] = {
    {"i16", Pool::kIntegers, false,
     [](u64 a, u64 b) {
       return order_of(static_cast<std::int16_t>(a), static_cast<std::int16_t>(b));
     }},
    {"u16", Pool::kIntegers, false, [](u64 a, u64 b) { return order_of(a % 65536, b % 65536); }},
    {"i32", Pool::kIntegers, false,
     [](u64 a, u64 b) {
       return order_of(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
     }},
    {"u32", Pool::kIntegers, false, [](u64 a, u64 b) { return order_of(a, b); }},
    {"i64", Pool::kIntegers, true,
     [](u64 a, u64 b) {
       return order_of(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
     }},
    {"u64", Pool::kIntegers, true, [](u64 a, u64 b) { return order_of(a, b); }},
};
constexpr Kind kFloats[] = {
    {"f16", Pool::kF16, false, [](u64 a, u64 b) { return order_of(half_value(a), half_value(b)); }},
    {"f32", Pool::kF32, false,
     [](u64 a, u64 b) {
       return order_of(std::bit_cast<float>(static_cast<std::uint32_t>(a)),
                       std::bit_cast<float>(static_cast<std::uint32_t>(b)));
     }},
    {"f64", Pool::kF64, true,
     [](u64 a, u64 b) { return order_of(std::bit_cast<double>(a), std::bit_cast<double>(b)); }},
};

void check_relation(const Kind& kind, const Relation& relation, unsigned targets) {
  const std::string name = relation.name;
  const std::string mnemonic = name == "tru" ? fmt::format("v_cmp_tru_{0}/v_cmp_t_{0}", kind.name)
                                             : fmt::format("v_cmp_{}_{}", name, kind.name);
  check({.text = mnemonic + (kind.wide ? " {f}, {A}, {B}" : " {f}, {a}, {b}"),
         .oracle =
             [&](In in) {
               return VectorOut{0, relation.answer(kind.order(in.a, in.b))};
             },
         .targets = targets,
         .pool = kind.pool});
}

TEST(Compare, Integers) {
  for (const Kind& kind : kIntegers)
    for (const Relation& relation : kIntegerRelations) {
      const bool constant = relation.less == relation.greater && relation.less == relation.equal;
      const bool half = std::string(kind.name).ends_with("16");
      check_relation(kind, relation, !constant ? 7 : half ? 4 : 6);
    }
}

TEST(Compare, Floats) {
  for (const Kind& kind : kFloats)
    for (const Relation& relation : kFloatRelations) {
      const bool constant = relation.less == relation.unordered &&
                            relation.less == relation.equal && relation.less == relation.greater;
      check_relation(kind, relation, constant ? 6 : 7);
    }
}

TEST(Compare, SignsOfOperands) {
  const VectorCase kCases[] = {
      {"v_cmp_lt_f32 {f}, -{a}, |{b}|",
       [](In in) {
         const auto a = std::bit_cast<float>(static_cast<std::uint32_t>(in.a));
         const auto b = std::bit_cast<float>(static_cast<std::uint32_t>(in.b));
         return VectorOut{0, -a < std::abs(b)};
       },
       7, Pool::kF32},
      {"v_cmp_gt_f64 {f}, |{A}|, -|{B}|",
       [](In in) {
         const auto a = std::bit_cast<double>(in.a), b = std::bit_cast<double>(in.b);
         return VectorOut{0, std::abs(a) > -std::abs(b)};
       },
       7, Pool::kF64},
      {"v_cmp_le_f16 {f}, -{a}, {b}",
       [](In in) {
         return VectorOut{0, -half_value(in.a) <= half_value(in.b)};
       },
       7, Pool::kF16},
  };
  check_all(kCases);
}

// The bit of v_cmp_class's mask that a value belongs to.
unsigned class_bit(double value, bool quiet, double smallest_normal) {
  if (std::isnan(value)) return quiet ? 1 : 0;
  const bool negative = std::signbit(value);
  if (std::isinf(value)) return negative ? 2 : 9;
  if (value == 0) return negative ? 5 : 6;
  if (std::abs(value) < smallest_normal) return negative ? 4 : 7;
  return negative ? 3 : 8;
}

TEST(Compare, Classes) {
  const VectorCase kCases[] = {
      {"v_cmp_class_f16 {f}, {a}, {b}",
       [](In in) {
         const unsigned bit = class_bit(half_value(in.a), in.a & 0x200, 0x1p-14);
         return VectorOut{0, ((in.b >> bit) & 1) != 0};
       },
       7, Pool::kF16},
      {"v_cmp_class_f32 {f}, {a}, {b}",
       [](In in) {
         const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(in.a));
         const unsigned bit = class_bit(value, in.a & 0x400000, 0x1p-126);
         return VectorOut{0, ((in.b >> bit) & 1) != 0};
       },
       7, Pool::kF32},
      {"v_cmp_class_f64 {f}, {A}, {b}",
       [](In in) {
         const unsigned bit = class_bit(std::bit_cast<double>(in.a), (in.a >> 51) & 1, 0x1p-1022);
         return VectorOut{0, ((in.b >> bit) & 1) != 0};
       },
       7, Pool::kF64},
  };
  check_all(kCases);
}

// Each class alone, so that none hides behind another.
TEST(Compare, EachClass) {
  constexpr std::uint32_t kValues[] = {0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                                       0x80000000, 0x00000000, 0x007fffff, 0x00800000, 0x7f800000};
  for (const std::string& gfx : all_targets()) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx, 64);
    for (const bool flush : {false, true}) {
      // Denormals are seen as such even where arithmetic would flush them.
      lab.wave().mode.denormal_f32 = flush ? 0 : 3;
      for (unsigned lane = 0; lane < 64; ++lane) lab.set_v(1, lane, kValues[lane % 10]);
      for (unsigned bit = 0; bit < 10; ++bit) {
        lab.set_s(8, 1U << bit);
        lab.run("v_cmp_class_f32 s[4:5], v1, s8");
        for (unsigned lane = 0; lane < 64; ++lane)
          EXPECT_EQ((lab.s64(4) >> lane) & 1, u64{lane % 10 == bit}) << bit << " " << lane;
      }
    }
  }
}

TEST(Compare, CmpxNarrowsExec) {
  for (const std::string& gfx : all_targets())
    for (const unsigned lanes : {32U, 64U}) {
      if (lanes == 32 && is_gfx9(*isa_of(gfx))) continue;
      SCOPED_TRACE(gfx);
      Lab lab(gfx, lanes);
      for (unsigned lane = 0; lane < lanes; ++lane) {
        lab.set_v(1, lane, lane);
        lab.set_v(2, lane, 100);
      }
      const u64 before = 0xf0f0'ffff'1234'ffffULL & lab.wave().full_exec;
      lab.wave().set_exec(before);
      lab.set_s(8, 21);
      const bool gfx9 = is_gfx9(lab.wave().isa);
      lab.run(std::string(gfx9 ? "v_cmpx_gt_u32 s[4:5], s8, v1" : "v_cmpx_gt_u32 s8, v1") +
              "\nv_mov_b32 v2, 7");
      ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
      const u64 want = before & ((u64{1} << 21) - 1);
      EXPECT_EQ(lab.wave().exec, want);
      EXPECT_EQ(lab.s64(kExecLo) & lab.wave().full_exec, want);
      if (gfx9) {
        EXPECT_EQ(lab.s64(4), want);
      }
      for (unsigned lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(lab.v(2, lane), (want >> lane) & 1 ? 7U : 100U) << lane;
    }
}

}  // namespace
}  // namespace hipwright::soft
