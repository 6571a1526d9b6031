// SPDX-License-Identifier: MIT
// f32 and f64 arithmetic against MPFR: special and random operands, four rounding modes, denormals
// kept and flushed, partial EXEC, every target.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "soft/float_oracle.h"

namespace hipwright::soft {
namespace {

std::uint64_t flushed(const Format& format, std::uint64_t value) {
  return format.is_denormal(value) ? value & format.sign() : value;
}

struct Modes {
  unsigned round = 0;
  bool flush = false;
  bool partial = false;
};
constexpr Modes kModes[] = {{0, false, false}, {0, false, true},  {1, false, false},
                            {2, false, true},  {3, false, false}, {0, true, false}};

void set_modes(Lab& lab, const Modes& modes) {
  FloatMode& mode = lab.wave().mode;
  mode = FloatMode{};
  mode.round_f32 = mode.round_f64_f16 = static_cast<std::uint8_t>(modes.round);
  mode.denormal_f32 = mode.denormal_f64_f16 = modes.flush ? 0 : 3;
}

// An arithmetic instruction: the exact result as an MPFR call on its operands.
struct Case {
  const char* text;
  Format format;
  unsigned sources;
  int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  bool accumulates = false;
};
int add(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t mode) {
  return mpfr_add(r, a, b, mode);
}
int sub(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t mode) {
  return mpfr_sub(r, a, b, mode);
}
int subrev(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t mode) {
  return mpfr_sub(r, b, a, mode);
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

constexpr Case kArithmetic[] = {
    {"v_add_f32 D, A, B", kSingle, 2, add},       {"v_sub_f32 D, A, B", kSingle, 2, sub},
    {"v_subrev_f32 D, A, B", kSingle, 2, subrev}, {"v_mul_f32 D, A, B", kSingle, 2, mul},
    {"v_fma_f32 D, A, B, C", kSingle, 3, fma},    {"v_fmac_f32 D, A, B", kSingle, 3, fma, true},
    {"v_add_f64 D, A, B", kDouble, 2, add},       {"v_mul_f64 D, A, B", kDouble, 2, mul},
    {"v_fma_f64 D, A, B, C", kDouble, 3, fma},    {"v_fmac_f64 D, A, B", kDouble, 3, fma, true},
    {"v_floor_f32 D, A", kSingle, 1, floor_},     {"v_ceil_f32 D, A", kSingle, 1, ceil_},
    {"v_trunc_f32 D, A", kSingle, 1, trunc_},     {"v_rndne_f32 D, A", kSingle, 1, even},
    {"v_floor_f64 D, A", kDouble, 1, floor_},     {"v_ceil_f64 D, A", kDouble, 1, ceil_},
    {"v_trunc_f64 D, A", kDouble, 1, trunc_},     {"v_rndne_f64 D, A", kDouble, 1, even},
};

// The sign of a NaN that a subtraction passes on changes with the operand that is negated.
std::uint64_t expected(const Case& test, const Modes& modes, std::uint64_t a, std::uint64_t b,
                       std::uint64_t c) {
  const Format& format = test.format;
  std::vector<std::uint64_t> values = {a, b, c};
  values.resize(test.sources);
  if (modes.flush)
    for (std::uint64_t& value : values) value = flushed(format, value);
  std::vector<Number> numbers;
  for (const std::uint64_t value : values) numbers.emplace_back(value, format);
  numbers.resize(3);
  bool nan = false;
  for (const std::uint64_t value : values) nan = nan || format.is_nan(value);
  const std::uint64_t result = rounded(format, modes.round, [&](mpfr_ptr r, mpfr_rnd_t mode) {
    return test.function(r, numbers[0].get(), numbers[1].get(), numbers[2].get(), mode);
  });
  if (nan || format.is_nan(result)) {
    if (test.function == sub) return nan_of(format, {values[0], values[1] ^ format.sign()});
    if (test.function == subrev) return nan_of(format, {values[1], values[0] ^ format.sign()});
    return nan_of(format, values);
  }
  return modes.flush ? flushed(format, result) : result;
}

class Arithmetic : public ::testing::TestWithParam<Case> {};

TEST_P(Arithmetic, RoundsOnceInEveryMode) {
  const Case& test = GetParam();
  const unsigned dwords = test.format.bits == 64 ? 2 : 1;
  const Shape shape{dwords, dwords, dwords, dwords};
  const Operands operands = test.sources == 1   ? unary_operands(test.format, 2048)
                            : test.sources == 2 ? binary_operands(test.format, 1000)
                                                : ternary_operands(test.format, 1000);
  unsigned targets = 0;
  std::vector<std::vector<std::uint64_t>> wanted;
  for (const Modes& modes : kModes) {
    std::vector<std::uint64_t>& results = wanted.emplace_back();
    for (std::size_t i = 0; i < operands.size(); ++i)
      results.push_back(expected(test, modes, operands.a[i], operands.b.empty() ? 0 : operands.b[i],
                                 operands.c.empty() ? 0 : operands.c[i]));
  }
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    if (!lab.accepts(sample(test.text, shape))) continue;
    ++targets;
    for (std::size_t m = 0; m < std::size(kModes); ++m) {
      const Modes& modes = kModes[m];
      set_modes(lab, modes);
      const auto got = run_all(lab, test.text, shape, operands, test.accumulates, modes.partial);
      unsigned reported = 0;
      for (std::size_t i = 0; i < operands.size() && reported < 5; ++i) {
        if (modes.partial && got[i] == ~std::uint64_t{0}) continue;
        if (got[i] == wanted[m][i]) continue;
        ++reported;
        ADD_FAILURE() << gfx << " " << test.text << " mode " << modes.round
                      << (modes.flush ? " flush " : " ") << hex(operands.a[i]) << " "
                      << (operands.b.empty() ? "" : hex(operands.b[i])) << " "
                      << (operands.c.empty() ? "" : hex(operands.c[i])) << ": got " << hex(got[i])
                      << ", want " << hex(wanted[m][i]);
      }
    }
  }
  EXPECT_GE(targets, 3U);
}

std::string case_name(const ::testing::TestParamInfo<Case>& param) {
  std::string name(param.param.text);
  return name.substr(0, name.find(' '));
}
INSTANTIATE_TEST_SUITE_P(Float, Arithmetic, ::testing::ValuesIn(kArithmetic), case_name);

// --- minimum and maximum, by each manual's pseudocode ---

bool is_gfx9_name(std::string_view gfx) {
  return gfx.starts_with("gfx9");
}

std::uint64_t numeric(const Format& f, bool max, std::uint64_t a, std::uint64_t b) {
  const Number x(a, f), y(b, f);
  const int order = mpfr_cmp(x.get(), y.get());
  if (order == 0) return max == ((a & f.sign()) != 0) ? b : a;  // -0 is below +0
  return max == (order > 0) ? a : b;
}
std::uint64_t extremum(const Format& f, std::string_view gfx, bool ieee, bool max, std::uint64_t a,
                       std::uint64_t b) {
  if (gfx.starts_with("gfx12")) {
    if (f.is_nan(a) && f.is_nan(b)) return a | f.quiet();
    if (f.is_nan(a)) return b;
    return f.is_nan(b) ? a : numeric(f, max, a, b);
  }
  if (ieee && f.is_signalling(a)) return a | f.quiet();
  if (ieee && f.is_signalling(b)) return b | f.quiet();
  if (is_gfx9_name(gfx) || gfx.starts_with("gfx10")) {
    if (f.is_nan(a)) return b;
    if (f.is_nan(b)) return a;
  } else {
    if (f.is_nan(b)) return a;
    if (f.is_nan(a)) return b;
  }
  return numeric(f, max, a, b);
}
std::uint64_t extremum_2019(const Format& f, bool max, std::uint64_t a, std::uint64_t b) {
  for (const std::uint64_t value : {a, b})
    if (f.is_signalling(value)) return value | f.quiet();
  for (const std::uint64_t value : {a, b})
    if (f.is_nan(value)) return value;
  return numeric(f, max, a, b);
}
bool equal(const Format& f, std::uint64_t a, std::uint64_t b) {
  return mpfr_equal_p(Number(a, f).get(), Number(b, f).get()) != 0;
}

enum class Kind { kTwo, kThree, kMedian };
struct ExtremumCase {
  const char* text;
  Format format;
  Kind kind;
  bool inner_max, outer_max;
  bool year_2019 = false;
};
constexpr ExtremumCase kExtrema[] = {
    {"v_max_f32 D, A, B", kSingle, Kind::kTwo, true, true},
    {"v_min_f32 D, A, B", kSingle, Kind::kTwo, false, false},
    {"v_max_f64 D, A, B", kDouble, Kind::kTwo, true, true},
    {"v_min_f64 D, A, B", kDouble, Kind::kTwo, false, false},
    {"v_max_num_f64 D, A, B", kDouble, Kind::kTwo, true, true},
    {"v_min_num_f32 D, A, B", kSingle, Kind::kTwo, false, false},
    {"v_max3_f32 D, A, B, C", kSingle, Kind::kThree, true, true},
    {"v_min3_f32 D, A, B, C", kSingle, Kind::kThree, false, false},
    {"v_maxmin_f32 D, A, B, C", kSingle, Kind::kThree, true, false},
    {"v_minmax_f32 D, A, B, C", kSingle, Kind::kThree, false, true},
    {"v_med3_f32 D, A, B, C", kSingle, Kind::kMedian, false, false},
    {"v_maximum_f32 D, A, B", kSingle, Kind::kTwo, true, true, true},
    {"v_minimum_f32 D, A, B", kSingle, Kind::kTwo, false, false, true},
    {"v_maximum_f64 D, A, B", kDouble, Kind::kTwo, true, true, true},
    {"v_minimum_f64 D, A, B", kDouble, Kind::kTwo, false, false, true},
    {"v_maximum3_f32 D, A, B, C", kSingle, Kind::kThree, true, true, true},
    {"v_minimum3_f32 D, A, B, C", kSingle, Kind::kThree, false, false, true},
    {"v_maximumminimum_f32 D, A, B, C", kSingle, Kind::kThree, true, false, true},
    {"v_minimummaximum_f32 D, A, B, C", kSingle, Kind::kThree, false, true, true},
    {"v_max_f16 D, A, B", kHalf, Kind::kTwo, true, true},
    {"v_min_f16 D, A, B", kHalf, Kind::kTwo, false, false},
    {"v_max3_f16 D, A, B, C", kHalf, Kind::kThree, true, true},
    {"v_min3_f16 D, A, B, C", kHalf, Kind::kThree, false, false},
    {"v_med3_f16 D, A, B, C", kHalf, Kind::kMedian, false, false},
    {"v_maxmin_f16 D, A, B, C", kHalf, Kind::kThree, true, false},
    {"v_minmax_f16 D, A, B, C", kHalf, Kind::kThree, false, true},
    {"v_maximum_f16 D, A, B", kHalf, Kind::kTwo, true, true, true},
    {"v_minimum_f16 D, A, B", kHalf, Kind::kTwo, false, false, true},
    {"v_maximum3_f16 D, A, B, C", kHalf, Kind::kThree, true, true, true},
    {"v_minimummaximum_f16 D, A, B, C", kHalf, Kind::kThree, false, true, true},
};

std::uint64_t expected(const ExtremumCase& test, std::string_view gfx, bool ieee, std::uint64_t a,
                       std::uint64_t b, std::uint64_t c) {
  const Format& f = test.format;
  const auto two = [&](bool max, std::uint64_t x, std::uint64_t y) {
    return test.year_2019 ? extremum_2019(f, max, x, y) : extremum(f, gfx, ieee, max, x, y);
  };
  if (test.kind == Kind::kTwo) return two(test.inner_max, a, b);
  if (test.kind == Kind::kThree) return two(test.outer_max, two(test.inner_max, a, b), c);
  if (f.is_nan(a) || f.is_nan(b) || f.is_nan(c)) return two(false, two(false, a, b), c);
  const std::uint64_t top = two(true, two(true, a, b), c);
  if (equal(f, top, a)) return two(true, b, c);
  return equal(f, top, b) ? two(true, a, c) : two(true, a, b);
}

class Extremum : public ::testing::TestWithParam<ExtremumCase> {};

TEST_P(Extremum, FollowsTheManualOfTheTarget) {
  const ExtremumCase& test = GetParam();
  const unsigned dwords = test.format.bits == 64 ? 2 : 1;
  const Shape shape{dwords, dwords, dwords, dwords};
  const Operands operands = test.kind == Kind::kTwo ? binary_operands(test.format, 300)
                                                    : ternary_operands(test.format, 300);
  unsigned targets = 0;
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    if (!lab.accepts(sample(test.text, shape))) continue;
    ++targets;
    for (const bool ieee : {true, false}) {
      lab.wave().mode.ieee = ieee;
      const auto got = run_all(lab, test.text, shape, operands, false, ieee);
      unsigned reported = 0;
      for (std::size_t i = 0; i < operands.size() && reported < 5; ++i) {
        if (ieee && got[i] == ~std::uint64_t{0}) continue;
        const std::uint64_t c = operands.c.empty() ? 0 : operands.c[i];
        const std::uint64_t want = expected(test, gfx, ieee, operands.a[i], operands.b[i], c);
        const std::uint64_t mask = test.format.bits == 16 ? 0xffff : ~std::uint64_t{0};
        if ((got[i] & mask) == want) continue;
        ++reported;
        ADD_FAILURE() << gfx << " " << test.text << " ieee " << ieee << ": " << hex(operands.a[i])
                      << " " << hex(operands.b[i]) << " " << hex(c) << ": got " << hex(got[i])
                      << ", want " << hex(want);
      }
    }
  }
  EXPECT_GE(targets, 1U);
}
std::string extremum_name(const ::testing::TestParamInfo<ExtremumCase>& param) {
  std::string name(param.param.text);
  return name.substr(0, name.find(' '));
}
INSTANTIATE_TEST_SUITE_P(Float, Extremum, ::testing::ValuesIn(kExtrema), extremum_name);

}  // namespace
}  // namespace hipwright::soft
