// SPDX-License-Identifier: MIT
// Float instructions of the scalar unit (gfx12). Oracles: for f32 the host's own unit in the same
// rounding mode, for f16 exact arithmetic in __float128 and a search among all 16-bit values.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "soft/lab.h"

namespace hipwright::soft {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using quad = __float128;

constexpr int kHostModes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

float f32(u32 bits) {
  return std::bit_cast<float>(bits);
}
u32 bits_of(float value) {
  return std::bit_cast<u32>(value);
}
bool nan32(u32 bits) {
  return (bits & 0x7fffffff) > 0x7f800000;
}
bool nan16(u32 bits) {
  return (bits & 0x7fff) > 0x7c00;
}
u32 flush32(u32 bits, bool keep) {
  return !keep && (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}
u32 flush16(u32 bits, bool keep) {
  return !keep && (bits & 0x7c00) == 0 ? bits & 0x8000 : bits;
}

// --- f16 by search ---

quad magnitude16(u32 bits) {
  const int exponent = static_cast<int>(bits >> 10);
  quad value = exponent == 0 ? (bits & 0x3ff) : (bits & 0x3ff) + 0x400;
  for (int i = exponent == 0 ? 1 : exponent; i < 25; ++i) value /= 2;
  for (int i = 25; i < exponent; ++i) value *= 2;
  return value;
}
quad value16(u32 bits) {
  return (bits & 0x8000) ? -magnitude16(bits & 0x7fff) : magnitude16(bits);
}
// The finite value's rounding; `zero_negative` decides the sign of an exact zero.
u32 round16(quad exact, unsigned mode, bool zero_negative) {
  if (exact == 0) return zero_negative ? 0x8000 : 0;
  const bool negative = exact < 0;
  const quad size = negative ? -exact : exact;
  u32 low = 0, high = 0x7c00;  // low <= size < high, 0x7c00 standing for 65536
  while (high - low > 1) {
    const u32 middle = (low + high) / 2;
    (magnitude16(middle) <= size ? low : high) = middle;
  }
  const quad below = magnitude16(low), above = magnitude16(high);
  u32 picked = low;
  if (size != below) {
    const bool away = (mode == 1 && !negative) || (mode == 2 && negative);
    if (mode == 0)
      picked = size - below > above - size                            ? high
               : size - below == above - size && (low & 1)            ? high
               : low == 0x7bff && size >= below + (above - below) / 2 ? high
                                                                      : low;
    else
      picked = away ? high : low;
    if (size >= above) picked = mode == 0 || away ? 0x7c00 : 0x7bff;
  }
  return picked | (negative ? 0x8000U : 0U);
}

class ScalarFloat : public testing::Test {
 protected:
  ScalarFloat() : lab_("gfx1201") {}
  u32 run(const std::string& text, u32 a, u32 b = 0, u32 old = 0) {
    lab_.set_s(20, a);
    lab_.set_s(21, b);
    lab_.set_s(22, old);
    lab_.run(text);
    EXPECT_NE(lab_.wave().state, WaveState::kFault) << lab_.wave().fault.what;
    return lab_.s(22);
  }
  void set_modes(unsigned round, unsigned denormals) {
    FloatMode& mode = lab_.wave().mode;
    mode.round_f32 = mode.round_f64_f16 = static_cast<std::uint8_t>(round);
    mode.denormal_f32 = mode.denormal_f64_f16 = static_cast<std::uint8_t>(denormals);
  }
  Lab lab_;
};

u32 host(unsigned mode, auto compute) {
  std::fesetround(kHostModes[mode]);
  volatile float result = compute();  // done before the mode changes back
  std::fesetround(FE_TONEAREST);
  return bits_of(result);
}

// What NaN comes out: the first one among the sources, quieted, else the default one.
u32 nan_result32(std::initializer_list<u32> sources) {
  for (const u32 each : sources)
    if (nan32(each)) return each | 0x400000;
  return 0xffc00000;
}
u32 nan_result16(std::initializer_list<u32> sources) {
  for (const u32 each : sources)
    if (nan16(each)) return each | 0x200;
  return 0xfe00;
}

TEST_F(ScalarFloat, F32Arithmetic) {
  const auto values = interesting_f32(40);
  for (unsigned round = 0; round < 4; ++round)
    for (const unsigned denormals : {3U, 0U, 1U, 2U}) {
      set_modes(round, denormals);
      for (const u32 x : values)
        for (const u32 y : values) {
          const u32 z = values[(x ^ y) % values.size()];
          const u32 a = flush32(x, denormals & 1), b = flush32(y, denormals & 1),
                    c = flush32(z, denormals & 1);
          const auto check = [&](const char* text, u32 got, u32 expected, u32 nan) {
            if (nan32(expected)) expected = nan;
            expected = flush32(expected, denormals & 2);
            ASSERT_EQ(got, expected) << std::hex << text << " " << x << " " << y << " " << z
                                     << " round " << round << " denormals " << denormals;
          };
          volatile float va = f32(a), vb = f32(b), vc = f32(c);
          const u32 two = nan_result32({a, b});
          check("add", run("s_add_f32 s22, s20, s21", x, y), host(round, [&] { return va + vb; }),
                two);
          check("sub", run("s_sub_f32 s22, s20, s21", x, y), host(round, [&] { return va - vb; }),
                two);
          check("mul", run("s_mul_f32 s22, s20, s21", x, y), host(round, [&] { return va * vb; }),
                two);
          check("fmac", run("s_fmac_f32 s22, s20, s21", x, y, z),
                host(round, [&] { return std::fma(va, vb, vc); }), nan_result32({a, b, c}));
          if (HasFatalFailure()) return;
        }
    }
}

TEST_F(ScalarFloat, F32WithLiterals) {
  EXPECT_EQ(run("s_fmaak_f32 s22, s20, s21, 0x40400000", bits_of(2), bits_of(5)), bits_of(13));
  EXPECT_EQ(run("s_fmamk_f32 s22, s20, 0x40400000, s21", bits_of(2), bits_of(5)), bits_of(11));
  EXPECT_EQ(run("s_add_f32 s22, 1.0, s21", 0, bits_of(5)), bits_of(6));
  EXPECT_EQ(run("s_add_f16 s22, 1.0, s21", 0, 0x4000), 0x4200U);
}

TEST_F(ScalarFloat, F16Arithmetic) {
  const auto values = interesting_f16(36);
  for (unsigned round = 0; round < 4; ++round)
    for (const unsigned denormals : {3U, 0U}) {
      set_modes(round, denormals);
      for (const u32 x : values)
        for (const u32 y : values) {
          const u32 z = values[(x * 31 + y) % values.size()];
          const bool keep = denormals & 1;
          const u32 a = flush16(x, keep), b = flush16(y, keep), c = flush16(z, keep);
          const auto finite = [](u32 v) { return (v & 0x7c00) != 0x7c00; };
          const auto expect = [&](const char* text, u32 got, u32 expected) {
            ASSERT_EQ(got, flush16(expected, denormals & 2))
                << std::hex << text << " " << x << " " << y << " " << z << " round " << round;
          };
          const u32 dirty = 0xabcd0000;  // the upper half does not count
          const u32 sum = run("s_add_f16 s22, s20, s21", x | dirty, y);
          const u32 product = run("s_mul_f16 s22, s20, s21", x, y | dirty);
          const u32 fused = run("s_fmac_f16 s22, s20, s21", x, y, z);
          if (nan16(a) || nan16(b)) {
            expect("add", sum, nan_result16({a, b}));
            expect("mul", product, nan_result16({a, b}));
          } else if (finite(a) && finite(b)) {
            const quad exact = value16(a) + value16(b);
            expect("add", sum,
                   round16(exact, round, (a & b & 0x8000) || (round == 2 && ((a ^ b) & 0x8000))));
            expect("mul", product, round16(value16(a) * value16(b), round, (a ^ b) & 0x8000));
            if (finite(c)) {
              const quad part = value16(a) * value16(b);
              const bool part_negative = ((a ^ b) & 0x8000) != 0, c_negative = (c & 0x8000) != 0;
              expect("fmac", fused,
                     round16(part + value16(c), round,
                             (part_negative && c_negative) ||
                                 (round == 2 && part_negative != c_negative)));
            }
          }
          if (HasFatalFailure()) return;
        }
    }
}

TEST_F(ScalarFloat, MinimumAndMaximum) {
  const auto values = interesting_f32(40);
  for (const u32 x : values)
    for (const u32 y : values) {
      const bool x_first = f32(x) < f32(y) || (f32(x) == f32(y) && std::signbit(f32(x)));
      u32 low = x_first ? x : y, high = x_first ? y : x;
      u32 low_number = low, high_number = high;
      if (nan32(x) || nan32(y)) {
        const bool y_wins = nan32(y) && !(y & 0x400000) && !(nan32(x) && !(x & 0x400000));
        const u32 nan = (y_wins || !nan32(x) ? y : x) | 0x400000;
        low = high = nan;
        low_number = high_number = !nan32(x) ? x : !nan32(y) ? y : nan;
      }
      ASSERT_EQ(run("s_minimum_f32 s22, s20, s21", x, y), low) << std::hex << x << " " << y;
      ASSERT_EQ(run("s_maximum_f32 s22, s20, s21", x, y), high) << std::hex << x << " " << y;
      ASSERT_EQ(run("s_min_num_f32 s22, s20, s21", x, y), low_number) << std::hex << x << " " << y;
      ASSERT_EQ(run("s_max_num_f32 s22, s20, s21", x, y), high_number) << std::hex << x << " " << y;
    }
  EXPECT_EQ(run("s_min_num_f16 s22, s20, s21", 0x3c00, 0xc000), 0xc000U);
  EXPECT_EQ(run("s_max_num_f16 s22, s20, s21", 0x7e00, 0xc000), 0xc000U);
  EXPECT_EQ(run("s_minimum_f16 s22, s20, s21", 0x7d00, 0xc000), 0x7f00U);
  EXPECT_EQ(run("s_maximum_f16 s22, s20, s21", 0x8000, 0x0000), 0x0000U);
}

// As the vector instructions of the same target.
TEST(ScalarFloat11, MinimumAndMaximumAreThoseOfVectors) {
  Lab lab("gfx1151");
  for (const bool ieee : {false, true}) {
    lab.wave().mode.ieee = ieee;
    for (const char* name : {"min_f32", "max_f32", "min_f16", "max_f16"}) {
      const bool half = std::string_view(name).ends_with("f16");
      std::vector<u32> values;
      if (half)
        for (const u16 each : interesting_f16(50)) values.push_back(each);
      else
        values = interesting_f32(50);
      const std::string text = std::string("s_") + name + " s22, s20, s21\nv_mov_b32 v1, s20\nv_" +
                               name + (half ? " v2.l, v1.l, s21" : " v2, v1, s21");
      ASSERT_TRUE(lab.accepts(text)) << text;
      for (const u32 a : values)
        for (const u32 b : values) {
          lab.set_s(20, a);
          lab.set_s(21, b);
          lab.set_v(2, 0, 0);
          lab.run(text);
          ASSERT_EQ(lab.s(22), lab.v(2, 0)) << text << std::hex << " " << a << " " << b << ieee;
        }
    }
  }
}

TEST_F(ScalarFloat, RoundingToIntegers) {
  for (const u32 x : interesting_f32(200)) {
    const auto check = [&](const char* name, float expected) {
      ASSERT_EQ(run(std::string(name) + " s22, s20", x),
                nan32(x) ? x | 0x400000 : bits_of(expected))
          << name << std::hex << x;
    };
    check("s_ceil_f32", std::ceil(f32(x)));
    check("s_floor_f32", std::floor(f32(x)));
    check("s_trunc_f32", std::trunc(f32(x)));
    check("s_rndne_f32", std::nearbyint(f32(x)));
  }
  for (const u32 x : interesting_f16(200)) {
    if (nan16(x) || (x & 0x7c00) == 0x7c00) continue;
    const auto value = static_cast<double>(value16(x));
    const auto check = [&](const char* name, double expected) {
      ASSERT_EQ(run(std::string(name) + " s22, s20", x), round16(expected, 0, (x & 0x8000) != 0))
          << name << std::hex << x;
    };
    check("s_ceil_f16", std::ceil(value));
    check("s_floor_f16", std::floor(value));
    check("s_trunc_f16", std::trunc(value));
    check("s_rndne_f16", std::nearbyint(value));
  }
}

TEST_F(ScalarFloat, Conversions) {
  for (unsigned round = 0; round < 4; ++round) {
    set_modes(round, 3);
    for (const u32 x : interesting_i32(200)) {
      volatile auto as_int = static_cast<std::int32_t>(x);
      volatile u32 as_unsigned = x;
      ASSERT_EQ(run("s_cvt_f32_i32 s22, s20", x),
                host(round, [&] { return static_cast<float>(as_int); }));
      ASSERT_EQ(run("s_cvt_f32_u32 s22, s20", x),
                host(round, [&] { return static_cast<float>(as_unsigned); }));
    }
    for (const u32 x : interesting_f32(300)) {
      const u32 half = run("s_cvt_f16_f32 s22, s20", x);
      const u32 packed = run("s_cvt_pk_rtz_f16_f32 s22, s20, s21", x, 0x3f800000);
      if (nan32(x)) {
        ASSERT_EQ(half, ((x >> 16) & 0x8000) | 0x7e00 | ((x >> 13) & 0x3ff));
      } else if (std::isinf(f32(x))) {
        ASSERT_EQ(half, ((x >> 16) & 0x8000) | 0x7c00);
        ASSERT_EQ(packed, half | 0x3c000000);
      } else {
        ASSERT_EQ(half, round16(f32(x), round, x >> 31)) << std::hex << x << " " << round;
        ASSERT_EQ(packed, round16(f32(x), 3, x >> 31) | 0x3c000000) << std::hex << x;
      }
    }
  }
  for (const u32 x : interesting_f32(300)) {
    const double value = f32(x);
    const u32 as_int = run("s_cvt_i32_f32 s22, s20", x);
    const u32 as_unsigned = run("s_cvt_u32_f32 s22, s20", x);
    if (std::isnan(value)) {
      ASSERT_EQ(as_int, 0U);
      ASSERT_EQ(as_unsigned, 0U);
      continue;
    }
    ASSERT_EQ(
        as_int,
        static_cast<u32>(static_cast<std::int64_t>(std::clamp(value, -2147483648.0, 2147483647.0))))
        << value;
    ASSERT_EQ(as_unsigned, static_cast<u32>(std::clamp(value, 0.0, 4294967295.0))) << value;
  }
  for (unsigned x = 0; x < 0x10000; x += 7) {
    const u32 expected = nan16(x) ? ((x & 0x8000) << 16) | 0x7fc00000 | ((x & 0x3ff) << 13)
                         : (x & 0x7c00) == 0x7c00
                             ? ((x & 0x8000) << 16) | 0x7f800000
                             : bits_of(static_cast<float>(value16(x))) | ((x & 0x8000) << 16);
    ASSERT_EQ(run("s_cvt_f32_f16 s22, s20", x), expected) << std::hex << x;
    ASSERT_EQ(run("s_cvt_hi_f32_f16 s22, s20", x << 16), expected) << std::hex << x;
  }
}

TEST_F(ScalarFloat, Compares) {
  const struct {
    const char* name;
    bool (*holds)(double, double);
  } kCompares[] = {
      {"eq", [](double a, double b) { return a == b; }},
      {"lg", [](double a, double b) { return std::islessgreater(a, b) != 0; }},
      {"lt", [](double a, double b) { return a < b; }},
      {"le", [](double a, double b) { return a <= b; }},
      {"gt", [](double a, double b) { return a > b; }},
      {"ge", [](double a, double b) { return a >= b; }},
      {"o", [](double a, double b) { return !std::isunordered(a, b); }},
      {"u", [](double a, double b) { return std::isunordered(a, b) != 0; }},
      {"neq", [](double a, double b) { return a != b; }},
      {"nlg", [](double a, double b) { return !std::islessgreater(a, b); }},
      {"nlt", [](double a, double b) { return !std::isless(a, b); }},
      {"nle", [](double a, double b) { return !std::islessequal(a, b); }},
      {"ngt", [](double a, double b) { return !std::isgreater(a, b); }},
      {"nge", [](double a, double b) { return !std::isgreaterequal(a, b); }},
  };
  const auto singles = interesting_f32(30);
  const auto halves = interesting_f16(30);
  for (const auto& each : kCompares)
    for (unsigned i = 0; i < singles.size(); ++i)
      for (unsigned j = 0; j < singles.size(); ++j) {
        run("s_cmp_" + std::string(each.name) + "_f32 s20, s21", singles[i], singles[j]);
        ASSERT_EQ(lab_.s(kScc), u32{each.holds(f32(singles[i]), f32(singles[j]))})
            << each.name << std::hex << singles[i] << " " << singles[j];
        const u32 a = halves[i], b = halves[j];
        const auto wide = [](u32 h) {
          const double size = nan16(h) ? NAN
                              : (h & 0x7fff) == 0x7c00
                                  ? INFINITY
                                  : static_cast<double>(magnitude16(h & 0x7fff));
          return h & 0x8000 ? -size : size;
        };
        run("s_cmp_" + std::string(each.name) + "_f16 s20, s21", a, b);
        ASSERT_EQ(lab_.s(kScc), u32{each.holds(wide(a), wide(b))})
            << each.name << std::hex << a << " " << b;
      }
}

}  // namespace
}  // namespace hipwright::soft
