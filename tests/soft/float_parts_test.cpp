// SPDX-License-Identifier: MIT
// Operations on the parts of floats (fract, ldexp, frexp) and the old multiplications with rules
// of their own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "soft/float_oracle.h"

namespace hipwright::soft {
namespace {

// Compares the results of one instruction on every target that has it.
void check(std::string_view text, const Shape& shape, const Operands& operands,
           const std::function<std::uint64_t(std::size_t)>& want, std::uint64_t mask = ~0ULL,
           bool accumulates = false, unsigned least_targets = 1,
           const std::function<void(FloatMode&)>& mode = {}) {
  unsigned targets = 0;
  for (const std::string& gfx : all_targets()) {
    Lab lab(gfx);
    if (!lab.accepts(sample(text, shape))) continue;
    ++targets;
    if (mode) mode(lab.wave().mode);
    const auto got = run_all(lab, text, shape, operands, accumulates);
    unsigned reported = 0;
    for (std::size_t i = 0; i < operands.size() && reported < 5; ++i) {
      if ((got[i] & mask) == (want(i) & mask)) continue;
      ++reported;
      ADD_FAILURE() << gfx << " " << text << ": " << hex(operands.a[i]) << " "
                    << (operands.b.empty() ? "" : hex(operands.b[i])) << " "
                    << (operands.c.empty() ? "" : hex(operands.c[i])) << ": got " << hex(got[i])
                    << ", want " << hex(want(i) & mask);
    }
  }
  EXPECT_GE(targets, least_targets) << text;
}

Shape shape_of(const Format& format) {
  const unsigned dwords = format.bits == 64 ? 2 : 1;
  return {dwords, dwords, dwords, dwords};
}
std::uint64_t mask_of(const Format& format) {
  return format.bits == 64 ? ~0ULL : (std::uint64_t{1} << format.bits) - 1;
}

TEST(FloatParts, FractStaysBelowOne) {
  for (const auto& [text, format] : {std::pair{"v_fract_f32 D, A", kSingle},
                                     {"v_fract_f64 D, A", kDouble},
                                     {"v_fract_f16 D, A", kHalf}}) {
    const Operands operands = unary_operands(format, 2048);
    check(
        text, shape_of(format), operands,
        [&](std::size_t i) {
          const std::uint64_t bits = operands.a[i];
          if ((bits & ~format.sign()) >= format.infinity()) return nan_of(format, {bits});
          const Number x(bits, format);
          Number down, exact;
          mpfr_floor(down.get(), x.get());
          mpfr_sub(exact.get(), x.get(), down.get(), MPFR_RNDN);
          const std::uint64_t one = ((std::uint64_t{1} << (format.exponent - 1)) - 1)
                                    << format.mantissa;
          const std::uint64_t result = rounded(format, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
            return mpfr_set(r, exact.get(), mode);
          });
          return result >= one ? one - 1 : result & ~format.sign();
        },
        mask_of(format), false, 5);
  }
}

TEST(FloatParts, LdexpRoundsOnce) {
  std::mt19937_64 random(23);
  for (const auto& [text, format] : {std::pair{"v_ldexp_f32 D, A, B", kSingle},
                                     {"v_ldexp_f64 D, A, B", kDouble},
                                     {"v_ldexp_f16 D, A, B", kHalf}}) {
    Operands operands = unary_operands(format, 4096);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const int range = format.bits == 64 ? 2300 : format.bits == 32 ? 320 : 60;
      int step = static_cast<int>(random() % static_cast<unsigned>(2 * range)) - range;
      if (i % 16 == 0) step = format.bits == 16 ? 32767 : 0x7fffffff;
      if (i % 16 == 1) step = format.bits == 16 ? -32768 : INT32_MIN;
      operands.b.push_back(static_cast<std::uint32_t>(step));
    }
    Shape shape = shape_of(format);
    shape.b = 1;
    for (const unsigned round : {0U, 1U, 2U, 3U})
      check(
          text, shape, operands,
          [&](std::size_t i) {
            const std::uint64_t bits = operands.a[i];
            if (format.is_nan(bits)) return bits | format.quiet();
            const Number x(bits, format);
            const long step = static_cast<std::int32_t>(operands.b[i]);
            const long bounded = std::max(-5000L, std::min(5000L, step));
            return rounded(format, round, [&](mpfr_ptr r, mpfr_rnd_t mode) {
              return mpfr_mul_2si(r, x.get(), bounded, mode);
            });
          },
          mask_of(format), false, 5,
          [&](FloatMode& mode) {
            mode.round_f32 = mode.round_f64_f16 = static_cast<std::uint8_t>(round);
          });
  }
}

TEST(FloatParts, FrexpSplitsNumbers) {
  const auto exponent = [](const Format& format, std::uint64_t bits) -> std::int64_t {
    const std::uint64_t magnitude = bits & ~format.sign();
    if (magnitude == 0 || magnitude >= format.infinity()) return 0;
    return mpfr_get_exp(Number(bits, format).get());
  };
  const auto mantissa = [](const Format& format, std::uint64_t bits) {
    const std::uint64_t magnitude = bits & ~format.sign();
    if (format.is_nan(bits)) return bits | format.quiet();
    if (magnitude == 0 || magnitude == format.infinity()) return bits;
    Number x(bits, format);
    mpfr_set_exp(x.get(), 0);
    return rounded(format, 0,
                   [&](mpfr_ptr r, mpfr_rnd_t mode) { return mpfr_set(r, x.get(), mode); });
  };
  struct Frexp {
    const char* text;
    Format format;
    bool exponent;
  };
  // Denormals count whatever the mode.
  for (const Frexp& test : {Frexp{"v_frexp_exp_i32_f32 D, A", kSingle, true},
                            {"v_frexp_exp_i32_f64 D, A", kDouble, true},
                            {"v_frexp_exp_i16_f16 D, A", kHalf, true},
                            {"v_frexp_mant_f32 D, A", kSingle, false},
                            {"v_frexp_mant_f64 D, A", kDouble, false},
                            {"v_frexp_mant_f16 D, A", kHalf, false}}) {
    const Operands operands = unary_operands(test.format, 2048);
    Shape shape = shape_of(test.format);
    if (test.exponent) shape.d = 1;
    const std::uint64_t mask = test.format.bits == 16 ? 0xffff : test.exponent ? 0xffffffff : ~0ULL;
    for (const std::uint8_t denormals : {3, 0})
      check(
          test.text, shape, operands,
          [&](std::size_t i) {
            return test.exponent ? static_cast<std::uint64_t>(exponent(test.format, operands.a[i]))
                                 : mantissa(test.format, operands.a[i]);
          },
          mask, false, 5,
          [&](FloatMode& mode) { mode.denormal_f32 = mode.denormal_f64_f16 = denormals; });
  }
}

TEST(FloatParts, ZeroTimesAnythingIsZeroInLegacyRules) {
  const Operands pairs = binary_operands(kSingle, 500);
  const Operands triples = ternary_operands(kSingle, 500);
  const auto is_zero = [](std::uint64_t bits) { return (bits & 0x7fffffff) == 0; };
  check(
      "v_mul_legacy_f32 D, A, B", Shape{}, pairs,
      [&](std::size_t i) -> std::uint64_t {
        const std::uint64_t a = pairs.a[i], b = pairs.b[i];
        if (is_zero(a) || is_zero(b)) return 0;
        const Number x(a, kSingle), y(b, kSingle);
        const std::uint64_t product = rounded(kSingle, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
          return mpfr_mul(r, x.get(), y.get(), mode);
        });
        return kSingle.is_nan(product) ? nan_of(kSingle, {a, b}) : product;
      },
      ~0ULL, false, 5);
  for (const auto& [text, accumulates] : {std::pair{"v_fma_dx9_zero_f32 D, A, B, C", false},
                                          {"v_fmac_dx9_zero_f32 D, A, B", true},
                                          {"v_fma_legacy_f32 D, A, B, C", false},
                                          {"v_fmac_legacy_f32 D, A, B", true}})
    check(
        text, Shape{}, triples,
        [&](std::size_t i) -> std::uint64_t {
          const std::uint64_t a = triples.a[i], b = triples.b[i], c = triples.c[i];
          if (is_zero(a) || is_zero(b)) return kSingle.is_nan(c) ? c | kSingle.quiet() : c;
          const Number x(a, kSingle), y(b, kSingle), z(c, kSingle);
          const std::uint64_t sum = rounded(kSingle, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
            return mpfr_fma(r, x.get(), y.get(), z.get(), mode);
          });
          return kSingle.is_nan(sum) ? nan_of(kSingle, {a, b, c}) : sum;
        },
        ~0ULL, accumulates);
}

// gfx90a's mad: the product is rounded, and denormals are zero everywhere.
TEST(FloatParts, MadRoundsTwiceAndFlushes) {
  const Operands triples = ternary_operands(kSingle, 2000);
  const auto flushed = [](std::uint64_t bits) {
    return kSingle.is_denormal(bits) ? bits & kSingle.sign() : bits;
  };
  for (const auto& [text, accumulates] :
       {std::pair{"v_mad_f32 D, A, B, C", false}, {"v_mac_f32 D, A, B", true}})
    check(
        text, Shape{}, triples,
        [&](std::size_t i) {
          const std::uint64_t a = flushed(triples.a[i]), b = flushed(triples.b[i]),
                              c = flushed(triples.c[i]);
          const Number x(a, kSingle), y(b, kSingle), z(c, kSingle);
          const std::uint64_t product =
              flushed(rounded(kSingle, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
                return mpfr_mul(r, x.get(), y.get(), mode);
              }));
          const Number p(product, kSingle);
          const std::uint64_t sum = rounded(kSingle, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
            return mpfr_add(r, p.get(), z.get(), mode);
          });
          return kSingle.is_nan(sum) ? nan_of(kSingle, {a, b, c}) : flushed(sum);
        },
        ~0ULL, accumulates);
}

TEST(FloatParts, PackedSingles) {
  const Operands triples = ternary_operands(kSingle, 500);
  Operands pairs;
  const auto pair = [](const std::vector<std::uint64_t>& list, std::size_t i) {
    return list[i] | (list[(i * 5 + 3) % list.size()] << 32);
  };
  for (std::size_t i = 0; i < triples.size(); ++i) {
    pairs.a.push_back(pair(triples.a, i));
    pairs.b.push_back(pair(triples.b, i));
    pairs.c.push_back(pair(triples.c, i));
  }
  // op_sel chooses what the low result reads, op_sel_hi what the high one does.
  struct Packed {
    const char* text;
    int operation;  // 0 add, 1 mul, 2 fma
    bool swap_a = false;
  };
  for (const Packed& test : {Packed{"v_pk_add_f32 D, A, B", 0},
                             {"v_pk_mul_f32 D, A, B", 1},
                             {"v_pk_fma_f32 D, A, B, C", 2},
                             {"v_pk_mul_f32 D, A, B op_sel:[1,0] op_sel_hi:[0,1]", 1, true}})
    check(
        test.text, {2, 2, 2, 2}, pairs,
        [&](std::size_t i) {
          std::uint64_t out = 0;
          for (const unsigned part : {0U, 1U}) {
            const unsigned shift = 32 * part, shift_a = test.swap_a ? 32 - shift : shift;
            const std::uint64_t a = (pairs.a[i] >> shift_a) & 0xffffffff;
            const std::uint64_t b = (pairs.b[i] >> shift) & 0xffffffff;
            const std::uint64_t c = (pairs.c[i] >> shift) & 0xffffffff;
            const Number x(a, kSingle), y(b, kSingle), z(c, kSingle);
            std::uint64_t result = rounded(kSingle, 0, [&](mpfr_ptr r, mpfr_rnd_t mode) {
              if (test.operation == 0) return mpfr_add(r, x.get(), y.get(), mode);
              if (test.operation == 1) return mpfr_mul(r, x.get(), y.get(), mode);
              return mpfr_fma(r, x.get(), y.get(), z.get(), mode);
            });
            if (kSingle.is_nan(result))
              result = test.operation == 2 ? nan_of(kSingle, {a, b, c}) : nan_of(kSingle, {a, b});
            out |= result << shift;
          }
          return out;
        },
        ~0ULL, false, 3);
}

}  // namespace
}  // namespace hipwright::soft
