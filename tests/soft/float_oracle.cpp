// SPDX-License-Identifier: MIT
#include "soft/float_oracle.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <random>

namespace hipwright::soft {

namespace {

constexpr mpfr_prec_t kWide = 2400;  // any sum of products of doubles

}  // namespace

mpfr_rnd_t rounding(unsigned mode) {
  constexpr mpfr_rnd_t kModes[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};
  return kModes[mode & 3];
}

Number::Number() {
  mpfr_init2(value_, kWide);
}
Number::Number(const Number& other) : Number() {
  mpfr_set(value_, other.value_, MPFR_RNDN);
}
Number& Number::operator=(const Number& other) {
  mpfr_set(value_, other.value_, MPFR_RNDN);
  return *this;
}
Number::~Number() {
  mpfr_clear(value_);
}
Number::Number(std::uint64_t bits, const Format& format) : Number() {
  const bool negative = bits & format.sign();
  const std::uint64_t field = (bits & format.infinity()) >> format.mantissa;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.mantissa) - 1);
  const int bias = (1 << (format.exponent - 1)) - 1;
  if (format.is_nan(bits)) {
    mpfr_set_nan(value_);
  } else if ((bits & format.infinity()) == format.infinity()) {
    mpfr_set_inf(value_, negative ? -1 : 1);
  } else {
    const std::uint64_t significand =
        field == 0 ? fraction : fraction | (std::uint64_t{1} << format.mantissa);
    const int exponent = static_cast<int>(field == 0 ? 1 : field) - bias - format.mantissa;
    mpfr_set_ui_2exp(value_, significand, exponent, MPFR_RNDN);
    mpfr_setsign(value_, value_, negative, MPFR_RNDN);
  }
}
double Number::to_double() const {
  return mpfr_get_d(value_, MPFR_RNDN);
}

std::uint64_t rounded(const Format& format, unsigned mode, const MpfrFunction& function) {
  const int bias = (1 << (format.exponent - 1)) - 1;
  const mpfr_rnd_t round = rounding(mode);
  mpfr_t value;
  mpfr_init2(value, format.mantissa + 1);
  const mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
  // MPFR's numbers are 0.1…: their exponents are one larger.
  mpfr_set_emin(-bias - format.mantissa + 2);
  mpfr_set_emax(bias + 1);
  int ternary = function(value, round);
  ternary = mpfr_check_range(value, ternary, round);
  mpfr_subnormalize(value, ternary, round);
  mpfr_set_emin(old_min);
  mpfr_set_emax(old_max);

  std::uint64_t bits = 0;
  if (mpfr_nan_p(value)) {
    bits = format.default_nan();
  } else if (mpfr_inf_p(value)) {
    bits = format.infinity();
  } else if (!mpfr_zero_p(value)) {
    const mpfr_exp_t exponent = mpfr_get_exp(value) - 1;  // of 1.m
    mpfr_t scaled;
    mpfr_init2(scaled, 64);
    const mpfr_exp_t lowest = 1 - bias;
    const mpfr_exp_t unit = std::max(exponent, lowest) - format.mantissa;
    mpfr_mul_2si(scaled, value, -unit, MPFR_RNDN);
    mpfr_abs(scaled, scaled, MPFR_RNDN);
    const std::uint64_t significand = mpfr_get_ui(scaled, MPFR_RNDN);
    mpfr_clear(scaled);
    bits = significand;
    if (exponent >= lowest)
      bits = (significand - (std::uint64_t{1} << format.mantissa)) +
             (static_cast<std::uint64_t>(exponent + bias) << format.mantissa);
  }
  if (!mpfr_nan_p(value) && mpfr_signbit(value)) bits |= format.sign();
  mpfr_clear(value);
  return bits;
}

std::uint64_t nan_of(const Format& format, const std::vector<std::uint64_t>& operands) {
  for (const std::uint64_t operand : operands)
    if (format.is_nan(operand)) return operand | format.quiet();
  return format.default_nan();
}

namespace {

// Register rows: what each letter of the text means for copy `index`.
constexpr unsigned kCopies = 16;
constexpr unsigned kRows = 32;  // per letter

std::string register_name(unsigned base, unsigned index, unsigned dwords) {
  const unsigned row = base + index * dwords;
  if (dwords == 1) return fmt::format("v{}", row);
  return fmt::format("v[{}:{}]", row, row + dwords - 1);
}

std::string instantiate(std::string_view text, const Shape& shape, unsigned index) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  const unsigned dwords[] = {shape.d, shape.a, shape.b, shape.c};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t letter = std::string_view("DABC").find(text[i]);
    if (letter == std::string_view::npos || in_word(i + 1) || (i > 0 && in_word(i - 1)))
      out += text[i];
    else
      out += register_name(static_cast<unsigned>(letter) * kRows, index, dwords[letter]);
  }
  return out + "\n";
}

void put(Lab& lab, unsigned base, unsigned index, unsigned dwords, unsigned lane,
         std::uint64_t value) {
  const unsigned row = base + index * dwords;
  lab.set_v(row, lane, static_cast<std::uint32_t>(value));
  if (dwords == 2) lab.set_v(row + 1, lane, static_cast<std::uint32_t>(value >> 32));
}

}  // namespace

std::string sample(std::string_view text, const Shape& shape) {
  return instantiate(text, shape, 1);
}

std::vector<std::uint64_t> run_all(Lab& lab, std::string_view text, const Shape& shape,
                                   const Operands& operands, bool accumulates, bool partial_exec) {
  constexpr std::uint64_t kBefore = 0xa5a51234'5a5a4321;
  std::string program;
  for (unsigned i = 0; i < kCopies; ++i) program += instantiate(text, shape, i);
  const std::uint64_t exec =
      partial_exec ? 0x6db6'9249'f00f'3c5aULL & lab.wave().full_exec : lab.wave().full_exec;
  std::vector<std::uint64_t> results(operands.size());
  const std::size_t per_run = std::size_t{kCopies} * lab.lanes();
  for (std::size_t start = 0; start < operands.size(); start += per_run) {
    const auto each = [&](auto visit) {
      for (std::size_t i = 0; i < per_run; ++i) {
        const std::size_t at = std::min(start + i, operands.size() - 1);
        visit(at, static_cast<unsigned>(i / lab.lanes()), static_cast<unsigned>(i % lab.lanes()));
      }
    };
    each([&](std::size_t at, unsigned index, unsigned lane) {
      const std::uint64_t before = accumulates ? operands.c[at] : kBefore;
      put(lab, 0, index, shape.d, lane, before);
      put(lab, kRows, index, shape.a, lane, operands.a[at]);
      if (!operands.b.empty()) put(lab, 2 * kRows, index, shape.b, lane, operands.b[at]);
      if (!operands.c.empty()) put(lab, 3 * kRows, index, shape.c, lane, operands.c[at]);
    });
    lab.wave().set_exec(exec);
    lab.run(program);
    lab.wave().set_exec(lab.wave().full_exec);
    if (lab.wave().state != WaveState::kEnded) {
      ADD_FAILURE() << text << ": " << lab.wave().fault.what;
      return results;
    }
    each([&](std::size_t at, unsigned index, unsigned lane) {
      const unsigned row = index * shape.d;
      const std::uint64_t value = shape.d == 2 ? lab.v64(row, lane) : lab.v(row, lane);
      if ((exec >> lane) & 1) {
        results[at] = value;
      } else {
        const std::uint64_t before = accumulates ? operands.c[at] : kBefore;
        const std::uint64_t kept = shape.d == 2 ? before : before & 0xffffffffU;
        EXPECT_EQ(value, kept) << text << ": an inactive lane was written";
        results[at] = ~std::uint64_t{0};
      }
    });
  }
  return results;
}

namespace {

std::vector<std::uint64_t> specials(const Format& format) {
  std::vector<std::uint64_t> out;
  constexpr unsigned kSpecials = 48;
  if (format.bits == 16)
    for (const auto v : interesting_f16(kSpecials)) out.push_back(v);
  else if (format.bits == 32)
    for (const auto v : interesting_f32(kSpecials)) out.push_back(v);
  else
    for (const auto v : interesting_f64(kSpecials)) out.push_back(v);
  return out;
}

// Half of them anything, half of them near each other, so that sums cancel and products are
// ordinary.
std::uint64_t random_value(const Format& format, std::mt19937_64& random) {
  const std::uint64_t mask = format.bits == 64 ? ~0ULL : (std::uint64_t{1} << format.bits) - 1;
  std::uint64_t value = random() & mask;
  if (random() & 1) {
    const std::uint64_t bias = (std::uint64_t{1} << (format.exponent - 1)) - 1;
    const std::uint64_t field = bias - 3 + random() % 6;
    value = (value & ~format.infinity()) | (field << format.mantissa);
  }
  return value;
}

}  // namespace

Operands unary_operands(const Format& format, unsigned count) {
  std::mt19937_64 random(7);
  Operands out{.a = specials(format), .b = {}, .c = {}};
  while (out.a.size() < count) out.a.push_back(random_value(format, random));
  return out;
}
Operands binary_operands(const Format& format, unsigned count) {
  std::mt19937_64 random(11);
  Operands out;
  for (const std::uint64_t x : specials(format))
    for (const std::uint64_t y : specials(format)) {
      out.a.push_back(x);
      out.b.push_back(y);
    }
  for (unsigned i = 0; i < count; ++i) {
    out.a.push_back(random_value(format, random));
    out.b.push_back(random_value(format, random));
  }
  return out;
}
Operands ternary_operands(const Format& format, unsigned count) {
  std::mt19937_64 random(13);
  Operands out;
  const std::vector<std::uint64_t> values = specials(format);
  for (std::size_t i = 0; i < values.size() * values.size(); ++i) {
    out.a.push_back(values[i % values.size()]);
    out.b.push_back(values[i / values.size()]);
    out.c.push_back(values[random() % values.size()]);
  }
  for (unsigned i = 0; i < count; ++i) {
    out.a.push_back(random_value(format, random));
    out.b.push_back(random_value(format, random));
    out.c.push_back(random_value(format, random));
  }
  return out;
}

std::string hex(std::uint64_t value) {
  return fmt::format("{:#x}", value);
}

}  // namespace hipwright::soft
