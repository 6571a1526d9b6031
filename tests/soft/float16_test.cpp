// SPDX-License-Identifier: MIT
// f16 arithmetic, packed and mixed, against MPFR.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <random>

#include "soft/float_oracle.h"

namespace hipwright::soft {
namespace {

struct Modes {
  unsigned round = 0;
  bool flush = false;
  bool saturate = false;
};
constexpr Modes kModes[] = {{0, false, false}, {1, false, false}, {2, false, false},
                            {3, false, false}, {0, true, false},  {0, false, true}};

void set_modes(Lab& lab, const Modes& modes) {
  FloatMode& mode = lab.wave().mode;
  mode = FloatMode{};
  mode.round_f32 = mode.round_f64_f16 = static_cast<std::uint8_t>(modes.round);
  mode.denormal_f32 = mode.denormal_f64_f16 = modes.flush ? 0 : 3;
  mode.fp16_overflow = modes.saturate;
}
std::uint64_t flushed(const Format& format, std::uint64_t value) {
  return format.is_denormal(value) ? value & format.sign() : value;
}

using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
int add(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t mode) {
  return mpfr_add(r, a, b, mode);
}
int sub(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t mode) {
  return mpfr_sub(r, a, b, mode);
}
int mul(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t mode) {
  return mpfr_mul(r, a, b, mode);
}
int fma(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_rnd_t mode) {
  return mpfr_fma(r, a, b, c, mode);
}
int floor_(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) {
  return mpfr_floor(r, a), 0;
}
int ceil_(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) {
  return mpfr_ceil(r, a), 0;
}
int trunc_(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) {
  return mpfr_trunc(r, a), 0;
}
int even(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) {
  return mpfr_rint_roundeven(r, a, MPFR_RNDN), 0;
}

struct Case {
  const char* text;
  unsigned sources;
  Function function;
  bool accumulates = false;
  bool packed = false;
  bool saturates = true;  // knows MODE.FP16_OVFL
};
constexpr Case kCases[] = {
    {"v_add_f16 D, A, B", 2, add},
    {"v_sub_f16 D, A, B", 2, sub},
    {"v_mul_f16 D, A, B", 2, mul},
    {"v_fma_f16 D, A, B, C", 3, fma},
    {"v_fmac_f16 D, A, B", 3, fma, true},
    {"v_pk_add_f16 D, A, B", 2, add, false, true},
    {"v_pk_mul_f16 D, A, B", 2, mul, false, true},
    {"v_pk_fma_f16 D, A, B, C", 3, fma, false, true},
    {"v_pk_fmac_f16 D, A, B", 3, fma, true, true},
    {"v_floor_f16 D, A", 1, floor_, false, false, false},
    {"v_ceil_f16 D, A", 1, ceil_, false, false, false},
    {"v_trunc_f16 D, A", 1, trunc_, false, false, false},
    {"v_rndne_f16 D, A", 1, even, false, false, false},
};

std::uint64_t expected(const Case& test, const Modes& modes, std::vector<std::uint64_t> values) {
  bool nan = false, infinite = false;
  for (std::uint64_t& value : values) {
    if (modes.flush) value = flushed(kHalf, value);
    nan = nan || kHalf.is_nan(value);
    infinite = infinite || (value & ~kHalf.sign()) == kHalf.infinity();
  }
  std::vector<Number> numbers;
  for (const std::uint64_t value : values) numbers.emplace_back(value, kHalf);
  numbers.resize(3);
  const std::uint64_t result = rounded(kHalf, modes.round, [&](mpfr_ptr r, mpfr_rnd_t mode) {
    return test.function(r, numbers[0].get(), numbers[1].get(), numbers[2].get(), mode);
  });
  if (nan || kHalf.is_nan(result)) {
    if (test.function == sub) return nan_of(kHalf, {values[0], values[1] ^ kHalf.sign()});
    return nan_of(kHalf, values);
  }
  if (modes.saturate && test.saturates && !infinite && (result & ~kHalf.sign()) == kHalf.infinity())
    return result - 1;
  return modes.flush ? flushed(kHalf, result) : result;
}

class Half : public ::testing::TestWithParam<Case> {};

TEST_P(Half, RoundsOnceInEveryMode) {
  const Case& test = GetParam();
  Operands operands = test.sources == 1   ? unary_operands(kHalf, 4096)
                      : test.sources == 2 ? binary_operands(kHalf, 3000)
                                          : ternary_operands(kHalf, 6000);
  // The other half of each register: another value where it is an operand, junk where not.
  std::mt19937_64 random(3);
  Operands doubled = operands;
  for (auto* values : {&doubled.a, &doubled.b, &doubled.c}) {
    std::vector<std::uint64_t>& list = *values;
    const std::vector<std::uint64_t> low = list;
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i] |= (test.packed ? low[(i * 7 + 1) % low.size()] : random() & 0xffff) << 16;
  }
  unsigned targets = 0;
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    if (!lab.accepts(sample(test.text, Shape{}))) continue;
    ++targets;
    for (const Modes& modes : kModes) {
      set_modes(lab, modes);
      const auto got = run_all(lab, test.text, Shape{}, doubled, test.accumulates);
      unsigned reported = 0;
      for (std::size_t i = 0; i < operands.size() && reported < 5; ++i) {
        for (unsigned part = 0; part < (test.packed ? 2U : 1U); ++part) {
          std::vector<std::uint64_t> values;
          for (const auto* list : {&doubled.a, &doubled.b, &doubled.c})
            if (!list->empty()) values.push_back(((*list)[i] >> (16 * part)) & 0xffff);
          const std::uint64_t want = expected(test, modes, values);
          const std::uint64_t result = (got[i] >> (16 * part)) & 0xffff;
          if (result == want) continue;
          ++reported;
          ADD_FAILURE() << gfx << " " << test.text << " mode " << modes.round
                        << (modes.flush ? " flush" : "") << (modes.saturate ? " saturate" : "")
                        << " part " << part << ": " << hex(values[0]) << " "
                        << (values.size() > 1 ? hex(values[1]) : "") << " "
                        << (values.size() > 2 ? hex(values[2]) : "") << ": got " << hex(result)
                        << ", want " << hex(want);
        }
      }
    }
  }
  EXPECT_GE(targets, 2U);
}
std::string case_name(const ::testing::TestParamInfo<Case>& param) {
  std::string name(param.param.text);
  return name.substr(0, name.find(' '));
}
INSTANTIATE_TEST_SUITE_P(Float16, Half, ::testing::ValuesIn(kCases), case_name);

// gfx9 clears the other half of the register, gfx10 and later keep it; three-operand
// instructions always keep it.
TEST(Float16, HighHalfOfTheDestination) {
  for (const std::string& gfx : all_targets()) {
    SCOPED_TRACE(gfx);
    Lab lab(gfx);
    const bool gfx9 = gfx.starts_with("gfx9");
    for (const auto& [text, keeps] : {std::pair{"v_add_f16 v0, v1, v2", !gfx9},
                                      {"v_max_f16 v0, v1, v2", !gfx9},
                                      {"v_fma_f16 v0, v1, v2, v3", true},
                                      {"v_med3_f16 v0, v1, v2, v3", true}}) {
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        lab.set_v(0, lane, 0xabcd1234);
        for (unsigned row = 1; row < 4; ++row) lab.set_v(row, lane, 0x77773c00);
      }
      lab.run(text);
      EXPECT_EQ(lab.v(0, 5) >> 16, keeps ? 0xabcdU : 0U) << text;
    }
    lab.run("v_fma_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]");
    EXPECT_EQ(lab.v(0, 5) >> 16, 0x4000U);
  }
}

// A small whole number as f16.
std::uint32_t half_of(int value) {
  const auto magnitude = static_cast<std::uint32_t>(std::abs(value));
  const auto exponent = static_cast<unsigned>(std::bit_width(magnitude)) - 1;
  return (value < 0 ? 0x8000U : 0U) | (15 + exponent) << 10 |
         ((magnitude << (10 - exponent)) & 0x3ffU);
}

// Halves are chosen and negated one by one, whether all lanes are numbers or one is a NaN.
TEST(Float16, PackedHalvesAreChosen) {
  struct Example {
    const char* modifiers;
    int low, high;  // 1 × 3 + 5 and 2 × 4 + 6 without modifiers
  };
  constexpr Example kExamples[] = {
      {"", 8, 14},
      {"op_sel_hi:[1,0,1]", 8, 12},
      {"op_sel_hi:[0,0,0]", 8, 8},
      {"op_sel:[1,0,0]", 11, 14},
      {"op_sel:[1,1,1] op_sel_hi:[0,0,0]", 14, 8},
      {"neg_lo:[1,0,0]", 2, 14},
      {"neg_hi:[0,0,1]", 8, 2},
      {"op_sel:[0,0,1] op_sel_hi:[1,1,0] neg_lo:[0,1,0] neg_hi:[0,1,1]", 3, -13},
  };
  for (const std::string& gfx : all_targets()) {
    SCOPED_TRACE(gfx);
    for (const bool with_nan : {false, true}) {
      Lab lab(gfx);
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        lab.set_v(1, lane, half_of(1) | half_of(2) << 16);
        lab.set_v(2, lane, half_of(3) | half_of(4) << 16);
        lab.set_v(3, lane, half_of(5) | half_of(6) << 16);
      }
      if (with_nan) lab.set_v(1, 7, 0x7e007e00);
      for (const Example& example : kExamples) {
        SCOPED_TRACE(example.modifiers);
        lab.run(fmt::format("v_pk_fma_f16 v0, v1, v2, v3 {}", example.modifiers));
        EXPECT_EQ(lab.v(0, 5), half_of(example.low) | half_of(example.high) << 16);
        if (with_nan) {
          EXPECT_GT(lab.v(0, 7) & 0x7fffU, 0x7c00U);
        }
      }
    }
  }
}

// --- fma_mix ---

struct Mix {
  const char* text;
  bool half[3];       // the source is an f16
  unsigned part[3];   // its half
  int negated = -1;   // a source
  int absolute = -1;  // a source
  bool to_half = false, high = false;
};
constexpr Mix kMixes[] = {
    {"v_fma_mix_f32 D, A, B, C", {false, false, false}, {0, 0, 0}},
    {"v_fma_mix_f32 D, A, B, C op_sel_hi:[1,0,0]", {true, false, false}, {0, 0, 0}},
    {"v_fma_mix_f32 D, A, B, C op_sel:[1,0,1] op_sel_hi:[1,1,1]", {true, true, true}, {1, 0, 1}},
    {"v_fma_mix_f32 D, -A, |B|, C op_sel_hi:[0,1,0]", {false, true, false}, {0, 0, 0}, 0, 1},
    {"v_fma_mixlo_f16 D, A, B, C op_sel_hi:[1,1,0]", {true, true, false}, {0, 0, 0}, -1, -1, true},
    {"v_fma_mixhi_f16 D, A, B, C op_sel:[0,1,0] op_sel_hi:[1,1,1]",
     {true, true, true},
     {0, 1, 0},
     -1,
     -1,
     true,
     true},
};

TEST(Float16, MixesHalvesAndSingles) {
  std::mt19937_64 random(5);
  for (const Mix& mix : kMixes) {
    Operands operands;
    for (unsigned i = 0; i < 2048; ++i) {
      const auto value = [&](unsigned source) {
        if (!mix.half[source])
          return std::uint64_t{interesting_f32(64, 1 + random() % 50)[random() % 64]};
        return std::uint64_t{interesting_f16(64, random() % 50)[random() % 64]} |
               (std::uint64_t{interesting_f16(64, random() % 50)[random() % 64]} << 16);
      };
      operands.a.push_back(value(0));
      operands.b.push_back(value(1));
      operands.c.push_back(value(2));
    }
    for (const std::string& gfx : all_targets()) {
      Lab lab(gfx);
      ASSERT_TRUE(lab.accepts(sample(mix.text, Shape{}))) << gfx << " " << mix.text;
      const auto got = run_all(lab, mix.text, Shape{}, operands);
      unsigned reported = 0;
      for (std::size_t i = 0; i < operands.size() && reported < 5; ++i) {
        const std::uint64_t given[] = {operands.a[i], operands.b[i], operands.c[i]};
        std::vector<std::uint64_t> singles;
        std::vector<Number> numbers;
        for (int s = 0; s < 3; ++s) {
          std::uint64_t bits = given[s];
          if (mix.half[s]) {
            const std::uint64_t half = (bits >> (16 * mix.part[s])) & 0xffff;
            const Number number(half, kHalf);
            bits = kHalf.is_nan(half)
                       ? ((half & 0x8000) << 16) | 0x7f800000 | ((half & 0x3ff) << 13)
                       : rounded(kSingle, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
                           return mpfr_set(r, number.get(), mode);
                         });
          }
          if (s == mix.absolute) bits &= 0x7fffffff;
          if (s == mix.negated) bits ^= 0x80000000;
          singles.push_back(bits);
          numbers.emplace_back(bits, kSingle);
        }
        std::uint64_t want = rounded(kSingle, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
          return mpfr_fma(r, numbers[0].get(), numbers[1].get(), numbers[2].get(), mode);
        });
        bool nan = kSingle.is_nan(want);
        for (const std::uint64_t bits : singles) nan = nan || kSingle.is_nan(bits);
        if (nan) want = nan_of(kSingle, singles);
        if (mix.to_half) {
          const Number single(want, kSingle);
          std::uint64_t half = rounded(kHalf, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
            return mpfr_set(r, single.get(), mode);
          });
          if (nan) half = ((want >> 16) & 0x8000) | 0x7e00 | ((want >> 13) & 0x3ff);
          const std::uint64_t before = 0x5a5a4321;
          want = mix.high ? (before & 0xffff) | (half << 16) : (before & 0xffff0000) | half;
        }
        if (got[i] == want) continue;
        ++reported;
        ADD_FAILURE() << gfx << " " << mix.text << ": " << hex(given[0]) << " " << hex(given[1])
                      << " " << hex(given[2]) << ": got " << hex(got[i]) << ", want " << hex(want);
      }
    }
  }
}

// --- dot products: within the stated bound ---

TEST(Float16, DotProducts) {
  struct Dot {
    const char* text;
    Format a, b, result;
    bool accumulates = false;
  };
  constexpr Format kE4m3{8, 3, 4}, kE5m2{8, 2, 5};  // OCP's: like IEEE's in the middle
  constexpr Dot kDots[] = {
      {"v_dot2_f32_f16 D, A, B, C", kHalf, kHalf, kSingle},
      {"v_dot2c_f32_f16 D, A, B", kHalf, kHalf, kSingle, true},
      {"v_dot2_f32_bf16 D, A, B, C", kBrain, kBrain, kSingle},
      {"v_dot2c_f32_bf16 D, A, B", kBrain, kBrain, kSingle, true},
      {"v_dot2_f16_f16 D, A, B, C", kHalf, kHalf, kHalf},
      {"v_dot2_bf16_bf16 D, A, B, C", kBrain, kBrain, kBrain},
      {"v_dot4_f32_fp8_fp8 D, A, B, C", kE4m3, kE4m3, kSingle},
      {"v_dot4_f32_fp8_bf8 D, A, B, C", kE4m3, kE5m2, kSingle},
      {"v_dot4_f32_bf8_fp8 D, A, B, C", kE5m2, kE4m3, kSingle},
      {"v_dot4_f32_bf8_bf8 D, A, B, C", kE5m2, kE5m2, kSingle},
  };
  std::mt19937_64 random(17);
  for (const Dot& dot : kDots) {
    // Ordinary numbers: fields around one.
    const auto value = [&](const Format& format) {
      const std::uint64_t bias = (std::uint64_t{1} << (format.exponent - 1)) - 1;
      const std::uint64_t field = bias - 4 + random() % 8;
      return (random() & ((std::uint64_t{1} << format.mantissa) - 1)) | (field << format.mantissa) |
             (random() & 1 ? format.sign() : 0);
    };
    const auto register_of = [&](const Format& format) {
      std::uint64_t bits = 0;
      for (int at = 0; at < 32; at += format.bits) bits |= value(format) << at;
      return bits;
    };
    Operands operands;
    for (unsigned i = 0; i < 2048; ++i) {
      operands.a.push_back(register_of(dot.a));
      operands.b.push_back(register_of(dot.b));
      operands.c.push_back(value(dot.result));
    }
    unsigned targets = 0;
    for (const std::string& gfx : all_targets()) {
      Lab lab(gfx);
      if (!lab.accepts(sample(dot.text, Shape{}))) continue;
      ++targets;
      const auto got = run_all(lab, dot.text, Shape{}, operands, dot.accumulates);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto part = [](std::uint64_t bits, int at, const Format& format) {
          return Number((bits >> at) & (2 * format.sign() - 1), format).to_double();
        };
        double exact = Number(operands.c[i], dot.result).to_double(), largest = std::abs(exact);
        for (int at = 0; at < 32; at += dot.a.bits) {
          exact += part(operands.a[i], at, dot.a) * part(operands.b[i], at, dot.b);
          largest = std::max(largest, std::abs(exact));
        }
        const std::uint64_t mask = dot.result.bits == 16 ? 0xffff : 0xffffffff;
        const double result = Number(got[i] & mask, dot.result).to_double();
        ASSERT_LE(std::abs(result - exact), largest * std::ldexp(1.0, -dot.result.mantissa))
            << gfx << " " << dot.text << " at " << i;
      }
    }
    EXPECT_GE(targets, 1U) << dot.text;
  }
}

}  // namespace
}  // namespace hipwright::soft
