// SPDX-License-Identifier: MIT
// Transcendental functions against MPFR within their bounds, the manuals' examples for special
// values, and division as compilers write it: correctly rounded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "soft/float_oracle.h"

namespace hipwright::soft {
namespace {

using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

int rcp(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t mode) {
  return mpfr_ui_div(r, 1, a, mode);
}
int turn(Function function, mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t mode) {
  Number angle;
  mpfr_set_prec(angle.get(), 300);
  mpfr_const_pi(angle.get(), MPFR_RNDN);
  mpfr_mul_2ui(angle.get(), angle.get(), 1, MPFR_RNDN);
  mpfr_mul(angle.get(), angle.get(), a, MPFR_RNDN);
  return function(r, angle.get(), mode);
}
int sine(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t mode) {
  return turn(mpfr_sin, r, a, mode);
}
int cosine(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t mode) {
  return turn(mpfr_cos, r, a, mode);
}

struct Case {
  const char* text;
  Format format;
  Function function;
  double low, high;  // the arguments
  double ulps = 1;
  bool flushes = false;
};
const Case kCases[] = {
    {"v_rcp_f32 D, A", kSingle, rcp, -1e38, 1e38, 1, true},
    {"v_rcp_iflag_f32 D, A", kSingle, rcp, -1e10, 1e10, 1, true},
    {"v_rsq_f32 D, A", kSingle, mpfr_rec_sqrt, 0, 1e38, 1, true},
    {"v_sqrt_f32 D, A", kSingle, mpfr_sqrt, 0, 1e38, 1, true},
    {"v_exp_f32 D, A", kSingle, mpfr_exp2, -140, 130, 1, true},
    {"v_log_f32 D, A", kSingle, mpfr_log2, 0, 1e38, 1, true},
    {"v_log_f32 D, A", kSingle, mpfr_log2, 0.9, 1.1, 1, true},
    {"v_exp_legacy_f32 D, A", kSingle, mpfr_exp2, -120, 120, 1, true},
    {"v_log_legacy_f32 D, A", kSingle, mpfr_log2, 0, 1e30, 1, true},
    {"v_sin_f32 D, A", kSingle, sine, -256, 256},
    {"v_cos_f32 D, A", kSingle, cosine, -256, 256},
    {"v_sin_f32 D, A", kSingle, sine, -1e-3, 1e-3},
    {"v_rcp_f16 D, A", kHalf, rcp, -60000, 60000, 0.51},
    {"v_rsq_f16 D, A", kHalf, mpfr_rec_sqrt, 0, 60000, 0.51},
    {"v_sqrt_f16 D, A", kHalf, mpfr_sqrt, 0, 60000, 0.51},
    {"v_exp_f16 D, A", kHalf, mpfr_exp2, -24, 16, 0.51},
    {"v_log_f16 D, A", kHalf, mpfr_log2, 0, 60000, 0.51},
    {"v_sin_f16 D, A", kHalf, sine, -200, 200},
    {"v_cos_f16 D, A", kHalf, cosine, -200, 200},
    {"v_rcp_f64 D, A", kDouble, rcp, -1e300, 1e300},
    {"v_rsq_f64 D, A", kDouble, mpfr_rec_sqrt, 0, 1e300, 1.5},
    {"v_sqrt_f64 D, A", kDouble, mpfr_sqrt, 0, 1e300},
};

std::uint64_t encode(const Format& format, double value) {
  return rounded(format, 0,
                 [&](mpfr_ptr r, mpfr_rnd_t mode) { return mpfr_set_d(r, value, mode); });
}

TEST(Special, WithinTheBound) {
  std::mt19937_64 random(61);
  for (const Case& test : kCases) {
    const unsigned dwords = test.format.bits == 64 ? 2 : 1;
    Operands operands;
    std::uniform_real_distribution<double> uniform(test.low, test.high);
    for (unsigned i = 0; i < 3000; ++i) {
      double value = uniform(random);
      if (i % 2) {  // all sizes alike
        const double span = std::log2(test.high);
        value = std::exp2(std::uniform_real_distribution<double>(-span, span)(random));
        if (test.low < 0 && (random() & 1)) value = -value;
        value = std::min(test.high, std::max(test.low, value));
      }
      operands.a.push_back(encode(test.format, value));
    }
    unsigned targets = 0;
    for (const std::string& gfx : all_targets()) {
      Lab lab(gfx);
      if (!lab.accepts(sample(test.text, {dwords, dwords}))) continue;
      ++targets;
      const auto got = run_all(lab, test.text, {dwords, dwords}, operands);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const std::uint64_t mask = test.format.bits == 16 ? 0xffff : ~0ULL;
        const bool flushed = test.flushes && test.format.is_denormal(operands.a[i]);
        const Number x(flushed ? operands.a[i] & test.format.sign() : operands.a[i], test.format);
        Number exact;
        mpfr_set_prec(exact.get(), 200);
        test.function(exact.get(), x.get(), MPFR_RNDN);
        // The unit in the last place of the exact result.
        const std::uint64_t nearest = rounded(test.format, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
          return mpfr_set(r, exact.get(), mode);
        });
        const std::uint64_t result = got[i] & mask;
        const std::uint64_t magnitude = nearest & ~test.format.sign();
        if (magnitude == 0) {
          EXPECT_EQ(result & ~test.format.sign(), 0U) << gfx << " " << test.text;
          continue;
        }
        if (magnitude == test.format.infinity()) {
          EXPECT_EQ(result, nearest) << gfx << " " << test.text << " of " << hex(operands.a[i]);
          continue;
        }
        if (test.flushes && test.format.is_denormal(nearest)) {
          EXPECT_EQ(result & ~test.format.sign(), 0U) << gfx << " " << test.text;
          continue;
        }
        const int bias = (1 << (test.format.exponent - 1)) - 1;
        const int field = std::max<int>(1, static_cast<int>(magnitude >> test.format.mantissa));
        Number error;
        mpfr_sub(error.get(), Number(result, test.format).get(), exact.get(), MPFR_RNDN);
        mpfr_mul_2si(error.get(), error.get(), bias + test.format.mantissa - field, MPFR_RNDN);
        ASSERT_LE(std::abs(error.to_double()), test.ulps)
            << gfx << " " << test.text << " of " << hex(operands.a[i]) << ": " << hex(result)
            << ", nearest is " << hex(nearest);
      }
    }
    EXPECT_GE(targets, 3U) << test.text;
  }
}

TEST(Special, ManualsExamples) {
  struct Example {
    const char* text;
    std::uint32_t argument, result;
  };
  constexpr Example kExamples[] = {
      {"v_exp_f32 v0, v1", 0xff800000, 0},
      {"v_exp_f32 v0, v1", 0x80000000, 0x3f800000},
      {"v_exp_f32 v0, v1", 0x7f800000, 0x7f800000},
      {"v_exp_f32 v0, v1", 0x7fa00000, 0x7fe00000},
      {"v_log_f32 v0, v1", 0xff800000, 0xffc00000},
      {"v_log_f32 v0, v1", 0xbf800000, 0xffc00000},
      {"v_log_f32 v0, v1", 0x80000000, 0xff800000},
      {"v_log_f32 v0, v1", 0, 0xff800000},
      {"v_log_f32 v0, v1", 0x3f800000, 0},
      {"v_log_f32 v0, v1", 0x7f800000, 0x7f800000},
      {"v_log_f32 v0, v1", 0x00000001, 0xff800000},
      {"v_log_f32 v0, v1", 0xffc12345, 0xffc12345},
      {"v_rcp_f32 v0, v1", 0xff800000, 0x80000000},
      {"v_rcp_f32 v0, v1", 0xc0000000, 0xbf000000},
      {"v_rcp_f32 v0, v1", 0x80000000, 0xff800000},
      {"v_rcp_f32 v0, v1", 0, 0x7f800000},
      {"v_rcp_f32 v0, v1", 0x807fffff, 0xff800000},
      {"v_rcp_f32 v0, v1", 0x7f7fffff, 0},
      {"v_rsq_f32 v0, v1", 0xff800000, 0xffc00000},
      {"v_rsq_f32 v0, v1", 0x80000000, 0xff800000},
      {"v_rsq_f32 v0, v1", 0x40800000, 0x3f000000},
      {"v_rsq_f32 v0, v1", 0x7f800000, 0},
      {"v_rsq_f32 v0, v1", 0x807fffff, 0xff800000},
      {"v_sqrt_f32 v0, v1", 0xff800000, 0xffc00000},
      {"v_sqrt_f32 v0, v1", 0x80000000, 0x80000000},
      {"v_sqrt_f32 v0, v1", 0x40800000, 0x40000000},
      {"v_sqrt_f32 v0, v1", 0x7f800000, 0x7f800000},
      {"v_sqrt_f32 v0, v1", 0x807fffff, 0x80000000},
      {"v_sin_f32 v0, v1", 0xff800000, 0xffc00000},
      {"v_sin_f32 v0, v1", 0xff7fffff, 0},
      {"v_sin_f32 v0, v1", 0x80000000, 0x80000000},
      {"v_sin_f32 v0, v1", 0x3e800000, 0x3f800000},
      {"v_sin_f32 v0, v1", 0x3f000000, 0},
      {"v_sin_f32 v0, v1", 0xbf800000, 0},
      {"v_sin_f32 v0, v1", 0xc0200000, 0},
      {"v_cos_f32 v0, v1", 0xff7fffff, 0x3f800000},
      {"v_cos_f32 v0, v1", 0x80000000, 0x3f800000},
      {"v_cos_f32 v0, v1", 0x3e800000, 0},
      {"v_fract_f32 v0, v1", 0x7f800000, 0xffc00000},
  };
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    for (const Example& example : kExamples) {
      // The sine of an infinity lies outside gfx9's domain.
      const bool outside = (example.argument & 0x7fffffff) == 0x7f800000;
      if (gfx.starts_with("gfx9") && outside && std::string_view(example.text).starts_with("v_sin"))
        continue;
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) lab.set_v(1, lane, example.argument);
      lab.run(example.text);
      EXPECT_EQ(lab.v(0, 3), example.result) << gfx << " " << example.text << " of "
                                             << hex(example.argument) << ": " << hex(lab.v(0, 3));
    }
  }
}

TEST(Special, SinesBeyond256RevolutionsOnGfx9) {
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    lab.set_v(1, 0, std::bit_cast<std::uint32_t>(1000.25F));
    lab.run("v_sin_f32 v0, v1\nv_cos_f32 v2, v1");
    const bool gfx9 = gfx.starts_with("gfx9");
    EXPECT_EQ(lab.v(0, 0), gfx9 ? 0U : 0x3f800000U) << gfx;
    EXPECT_EQ(lab.v(2, 0), gfx9 ? 0x3f800000U : 0U) << gfx;
  }
}

TEST(Special, ScalarTwins) {
  Lab lab("gfx1201");
  lab.set_s(4, 0x40800000);
  lab.set_s(5, 0x4400);
  lab.wave().set_exec(0);  // they run for no lane
  lab.run(R"(
    v_s_rcp_f32 s10, s4
    v_s_rsq_f32 s11, -s4
    v_s_sqrt_f32 s12, s4
    v_s_exp_f32 s13, s4
    v_s_log_f32 s14, s4
    v_s_rcp_f16 s15, s5
    v_s_sqrt_f16 s16, s5
    v_s_exp_f16 s17, s5
    v_s_log_f16 s18, s5
    v_s_rsq_f16 s19, s5
  )");
  ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
  const std::uint32_t want[] = {0x3e800000, 0xffc00000, 0x40000000, 0x41800000, 0x40000000,
                                0x3400,     0x4000,     0x4c00,     0x4000,     0x3800};
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(lab.s(10 + i), want[i]) << i;
}

// --- division ---

// What LLVM makes of x / y, with the denormals that it turns on for it.
constexpr const char* kDivide32 = R"(
  v_div_scale_f32 v10, DEN_MASK, v2, v2, v1
  v_div_scale_f32 v11, vcc, v1, v2, v1
  v_rcp_f32 v12, v10
  v_fma_f32 v13, -v10, v12, 1.0
  v_fma_f32 v12, v13, v12, v12
  v_mul_f32 v13, v11, v12
  v_fma_f32 v14, -v10, v13, v11
  v_fma_f32 v13, v14, v12, v13
  v_fma_f32 v14, -v10, v13, v11
  v_div_fmas_f32 v14, v14, v12, v13
  v_div_fixup_f32 v0, v14, v2, v1
)";
constexpr const char* kDivide64 = R"(
  v_div_scale_f64 v[10:11], DEN_MASK, v[4:5], v[4:5], v[2:3]
  v_div_scale_f64 v[12:13], vcc, v[2:3], v[4:5], v[2:3]
  v_rcp_f64 v[14:15], v[10:11]
  v_fma_f64 v[16:17], -v[10:11], v[14:15], 1.0
  v_fma_f64 v[14:15], v[14:15], v[16:17], v[14:15]
  v_fma_f64 v[16:17], -v[10:11], v[14:15], 1.0
  v_fma_f64 v[14:15], v[14:15], v[16:17], v[14:15]
  v_mul_f64 v[16:17], v[12:13], v[14:15]
  v_fma_f64 v[18:19], -v[10:11], v[16:17], v[12:13]
  v_div_fmas_f64 v[18:19], v[18:19], v[14:15], v[16:17]
  v_div_fixup_f64 v[0:1], v[18:19], v[4:5], v[2:3]
)";

std::string with_masks(std::string text, unsigned lanes) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
      text.replace(at, from.size(), to);
  };
  replace("DEN_MASK", lanes == 64 ? "s[10:11]" : "s10");
  if (lanes == 32) replace("vcc,", "vcc_lo,");
  return text;
}

// Quotients everywhere: ordinary, near overflow, near underflow, denormal operands, ties of
// denormal results.
std::uint64_t operand(const Format& format, std::mt19937_64& random) {
  const std::uint64_t mask = format.bits == 64 ? ~0ULL : (std::uint64_t{1} << format.bits) - 1;
  const std::uint64_t fields = (std::uint64_t{1} << format.exponent) - 1;
  std::uint64_t value = random() & mask;
  switch (random() % 4) {
    case 0:
      value = (value & ~format.infinity()) | ((fields / 2 - 2 + random() % 5) << format.mantissa);
      break;
    case 1:
      value &= ~format.infinity();  // denormal
      break;
    case 2:  // few bits
      value &= ~((std::uint64_t{1} << (format.mantissa - 4)) - 1);
      break;
    default:
      break;
  }
  return value;
}

void divide(const Format& format, const char* text, unsigned runs) {
  std::mt19937_64 random(67);
  for (const std::string& gfx : all_targets()) {
    for (const unsigned lanes : {64U, 32U}) {
      if (lanes == 32 && gfx.starts_with("gfx9")) continue;
      Lab lab(gfx, lanes);
      const bool wide = format.bits == 64;
      // Many divisions per program.
      const std::string program = with_masks(text, lanes);
      std::vector<std::uint64_t> tops, bottoms;
      const auto specials = [&](unsigned i) {
        return wide ? interesting_f64(48)[i % 48] : interesting_f32(48)[i % 48];
      };
      unsigned reported = 0;
      for (unsigned run = 0; run < runs && reported < 5; ++run) {
        tops.clear();
        bottoms.clear();
        for (unsigned lane = 0; lane < lanes; ++lane) {
          const unsigned number = run * lanes + lane;
          const bool special = number < 48 * 48;
          tops.push_back(special ? specials(number) : operand(format, random));
          bottoms.push_back(special ? specials(number / 48) : operand(format, random));
          if (wide) {
            lab.set_v64(2, lane, tops[lane]);
            lab.set_v64(4, lane, bottoms[lane]);
          } else {
            lab.set_v(1, lane, static_cast<std::uint32_t>(tops[lane]));
            lab.set_v(2, lane, static_cast<std::uint32_t>(bottoms[lane]));
          }
        }
        lab.run(program);
        ASSERT_EQ(lab.wave().state, WaveState::kEnded) << lab.wave().fault.what;
        for (unsigned lane = 0; lane < lanes && reported < 5; ++lane) {
          const Number top(tops[lane], format), bottom(bottoms[lane], format);
          std::uint64_t want = rounded(format, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
            return mpfr_div(r, top.get(), bottom.get(), mode);
          });
          if (format.is_nan(want)) want = nan_of(format, {tops[lane], bottoms[lane]});
          const std::uint64_t got = wide ? lab.v64(0, lane) : lab.v(0, lane);
          if (got == want) continue;
          ++reported;
          ADD_FAILURE() << gfx << " wave" << lanes << ": " << hex(tops[lane]) << " / "
                        << hex(bottoms[lane]) << ": got " << hex(got) << ", want " << hex(want);
        }
      }
    }
  }
}

// More than 10^5 pairs each over the targets.
TEST(Division, SinglesAreCorrectlyRounded) {
  divide(kSingle, kDivide32, 400);
}
TEST(Division, DoublesAreCorrectlyRounded) {
  divide(kDouble, kDivide64, 400);
}

// Measured on hardware: which operand is scaled, and when the mask says so.
TEST(Division, ScaleExamples) {
  struct Example {
    std::uint64_t what, bottom, top, result;
    bool flag;
  };
  constexpr Example kSingles[] = {
      {0x3f800000, 0x40000000, 0x3f800000, 0x3f800000, false},
      {0x00000000, 0x00000000, 0x3f800000, 0xffc00000, true},
      {0x3f800000, 0x80000000, 0x3f800000, 0xffc00000, true},
      {0x7f800000, 0x7f800000, 0x3f800000, 0x7f800000, true},
      {0x3f800000, 0x7fc00000, 0x3f800000, 0x3f800000, true},
      {0x00000001, 0x00000001, 0x3f800000, 0x15000000, true},
      {0x3f800000, 0x00000001, 0x3f800000, 0x3f800000, true},
      {0x00800000, 0x00800000, 0x3f800000, 0x20800000, true},
      {0x7f7fffff, 0x7f7fffff, 0x3f800000, 0x5f7fffff, true},
      {0x3f800000, 0x7f7fffff, 0x3f800000, 0x3f800000, true},
      {0x00800000, 0x3f800000, 0x00800000, 0x20800000, true},
      {0x3f800000, 0x3f800000, 0x7f7fffff, 0x5f800000, true},
  };
  constexpr Example kDoubles[] = {
      {0, 0, 0x3ff0000000000000, 0xfff8000000000000, true},
      {1, 1, 0x3ff0000000000000, 0x04d0000000000000, true},
      {0x7fefffffffffffff, 0x7fefffffffffffff, 0x3ff0000000000000, 0x77efffffffffffff, true},
      {0x01a56e1fc2f8f359, 0x01a56e1fc2f8f359, 0x3ff0000000000000, 0x09a56e1fc2f8f359, true},
      {0x4202a05f20000000, 0x4202a05f20000000, 0x3ff0000000000000, 0x4202a05f20000000, false},
  };
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    const char* mask = lab.lanes() == 64 ? "vcc" : "vcc_lo";
    for (const Example& example : kSingles) {
      lab.set_v(1, 0, static_cast<std::uint32_t>(example.what));
      lab.set_v(2, 0, static_cast<std::uint32_t>(example.bottom));
      lab.set_v(3, 0, static_cast<std::uint32_t>(example.top));
      lab.run(fmt::format("v_div_scale_f32 v0, {}, v1, v2, v3", mask));
      EXPECT_EQ(lab.v(0, 0), example.result) << gfx << " " << hex(example.what) << " "
                                             << hex(example.bottom) << " " << hex(example.top);
      EXPECT_EQ(lab.wave().vcc() & 1, example.flag ? 1U : 0U) << gfx << hex(example.bottom);
    }
    for (const Example& example : kDoubles) {
      lab.set_v64(2, 0, example.what);
      lab.set_v64(4, 0, example.bottom);
      lab.set_v64(6, 0, example.top);
      lab.run(fmt::format("v_div_scale_f64 v[0:1], {}, v[2:3], v[4:5], v[6:7]", mask));
      EXPECT_EQ(lab.v64(0, 0), example.result) << gfx << " " << hex(example.bottom);
      EXPECT_EQ(lab.wave().vcc() & 1, example.flag ? 1U : 0U) << gfx << hex(example.bottom);
    }
  }
}

TEST(Division, FmasScalesAndRoundsOnce) {
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    const auto set = [&](float a, float b, float c) {
      for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
        lab.set_v(1, lane, std::bit_cast<std::uint32_t>(a));
        lab.set_v(2, lane, std::bit_cast<std::uint32_t>(b));
        lab.set_v(3, lane, std::bit_cast<std::uint32_t>(c));
      }
    };
    const auto result = [&](unsigned lane) { return std::bit_cast<float>(lab.v(0, lane)); };
    lab.wave().write_mask(kVccLo, 0x5);
    set(1.0F, 1.0F, 2.0F);
    lab.run("v_div_fmas_f32 v0, v1, v2, v3");
    EXPECT_EQ(result(0), 0x1.8p65F) << gfx;
    EXPECT_EQ(result(1), 3.0F) << gfx;
    EXPECT_EQ(result(2), 0x1.8p65F) << gfx;
    // 1.5 units of the smallest denormal, and a little less: to even, and down.
    set(0.0F, 1.0F, 0x1.8p-85F);
    lab.run("v_div_fmas_f32 v0, v1, v2, v3");
    EXPECT_EQ(lab.v(0, 0), 2U) << gfx;
    set(-0x1p-60F, 0x1p-60F, 0x1.8p-85F);
    lab.run("v_div_fmas_f32 v0, v1, v2, v3");
    EXPECT_EQ(lab.v(0, 0), 1U) << gfx;
  }
}

TEST(Division, FixupDecidesSpecialCases) {
  struct Example {
    std::uint32_t estimate, bottom, top, result;
  };
  constexpr Example kExamples[] = {
      {0x3f800000, 0, 0, 0xffc00000},
      {0x3f800000, 0x7f800000, 0xff800000, 0xffc00000},
      {0x3f800000, 0, 0xbf800000, 0xff800000},
      {0x3f800000, 0xff800000, 0x3f800000, 0x80000000},
      {0xbf800000, 0x40000000, 0x3f000000, 0x3f800000},
      {0x7fc00000, 0xbf800000, 0x3f800000, 0xff800000},
      {0x3f800000, 0x7fa00000, 0x3f800000, 0x7fe00000},
      {0x3f800000, 0x7fa00000, 0x7fc00001, 0x7fc00001},
      {0x3f800000, 0x7f000000, 0x80000001, 0x80000000},
  };
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    for (const Example& example : kExamples) {
      lab.set_v(1, 0, example.estimate);
      lab.set_v(2, 0, example.bottom);
      lab.set_v(3, 0, example.top);
      lab.run("v_div_fixup_f32 v0, v1, v2, v3");
      EXPECT_EQ(lab.v(0, 0), example.result) << gfx << " " << hex(example.bottom) << " "
                                             << hex(example.top) << ": " << hex(lab.v(0, 0));
    }
    // f16: 1.5 / 0 and 0 / 0.
    lab.set_v(1, 0, 0x3c00);
    lab.set_v(2, 0, 0);
    lab.set_v(3, 0, 0xbe00);
    lab.run("v_div_fixup_f16 v0, v1, v2, v3\nv_div_fixup_f16 v4, v1, v2, v2");
    EXPECT_EQ(lab.v(0, 0) & 0xffff, 0xfc00U) << gfx;
    EXPECT_EQ(lab.v(4, 0) & 0xffff, 0xfe00U) << gfx;
  }
}

TEST(Special, SegmentsOfTwoOverPi) {
  // The bits of 2/pi from MPFR, cut into pieces of 53.
  mpfr_t value;
  mpfr_init2(value, 3000);
  mpfr_const_pi(value, MPFR_RNDN);
  mpfr_ui_div(value, 2, value, MPFR_RNDN);
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    for (const double argument : {1.0, 0x1p60, 0x1.8p300, 0x1p-700, 0x1p900}) {
      for (unsigned segment = 0; segment < 12; ++segment) {
        const int field = std::ilogb(argument) + 1023;
        const unsigned shift =
            segment * 53 + static_cast<unsigned>(field > 1077 ? field - 1077 : 0);
        mpfr_t piece, rest;
        mpfr_init2(piece, 3000);
        mpfr_init2(rest, 3000);
        mpfr_mul_2ui(piece, value, shift, MPFR_RNDN);
        mpfr_frac(piece, piece, MPFR_RNDZ);
        mpfr_mul_2ui(piece, piece, 53, MPFR_RNDN);
        mpfr_trunc(piece, piece);
        mpfr_mul_2si(piece, piece, -53 - static_cast<long>(shift) + (field >= 1968 ? 128 : 0),
                     MPFR_RNDN);
        const double want = mpfr_get_d(piece, MPFR_RNDN);
        mpfr_clear(piece);
        mpfr_clear(rest);
        if (shift + 53 > 1201) continue;  // beyond the table
        lab.set_v64(2, 0, std::bit_cast<std::uint64_t>(argument));
        lab.set_v(4, 0, segment);
        lab.run("v_trig_preop_f64 v[0:1], v[2:3], v4");
        EXPECT_EQ(lab.v64(0, 0), std::bit_cast<std::uint64_t>(want))
            << gfx << " " << argument << " segment " << segment;
      }
    }
  }
  mpfr_clear(value);
}

}  // namespace
}  // namespace hipwright::soft
