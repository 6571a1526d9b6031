// SPDX-License-Identifier: MIT
// Conversions against exact arithmetic, and 8-bit floats against their value tables.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "soft/float_oracle.h"

namespace hipwright::soft {
namespace {

using Want = std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)>;

void check(std::string_view text, const Shape& shape, const Operands& operands, const Want& want,
           std::uint64_t mask = ~0ULL, bool accumulates = false, unsigned least_targets = 1,
           const std::function<void(FloatMode&)>& mode = {},
           const std::function<bool(std::string_view)>& on = {}) {
  unsigned targets = 0;
  for (const std::string& gfx : all_targets()) {
    if (on && !on(gfx)) continue;
    Lab lab(gfx);
    if (!lab.accepts(sample(text, shape))) continue;
    ++targets;
    if (mode) mode(lab.wave().mode);
    const auto got = run_all(lab, text, shape, operands, accumulates);
    unsigned reported = 0;
    for (std::size_t i = 0; i < operands.size() && reported < 5; ++i) {
      const std::uint64_t b = operands.b.empty() ? 0 : operands.b[i];
      const std::uint64_t c = operands.c.empty() ? 0 : operands.c[i];
      const std::uint64_t expected = want(operands.a[i], b, c) & mask;
      if ((got[i] & mask) == expected) continue;
      ++reported;
      ADD_FAILURE() << gfx << " " << text << ": " << hex(operands.a[i]) << " " << hex(b) << " "
                    << hex(c) << ": got " << hex(got[i]) << ", want " << hex(expected);
    }
  }
  EXPECT_GE(targets, least_targets) << text;
}

std::uint64_t convert(std::uint64_t bits, const Format& from, const Format& to, unsigned mode) {
  if (from.is_nan(bits)) {
    const std::uint64_t sign = bits & from.sign() ? to.sign() : 0;
    const std::uint64_t payload = bits & ((std::uint64_t{1} << from.mantissa) - 1);
    const int shift = from.mantissa - to.mantissa;
    const std::uint64_t kept = shift >= 0 ? payload >> shift : payload << -shift;
    return sign | to.infinity() | to.quiet() | kept;
  }
  const Number number(bits, from);
  return rounded(to, mode,
                 [&](mpfr_ptr r, mpfr_rnd_t round) { return mpfr_set(r, number.get(), round); });
}

// Toward zero (or down, or x + 0.5 down), saturated; NaN is 0.
std::uint64_t to_integer(std::uint64_t bits, const Format& from, double low, double high) {
  if (from.is_nan(bits)) return 0;
  const double value = Number(bits, from).to_double();
  const double whole = std::trunc(value);
  return static_cast<std::uint64_t>(
      static_cast<std::int64_t>(std::min(high, std::max(low, whole))));
}

Operands integers() {
  Operands out;
  for (const std::uint32_t value : interesting_i32(4096)) out.a.push_back(value);
  return out;
}
// Floats whose integer parts matter: special ones, random ones, halves and their neighbours.
Operands singles() {
  Operands out = unary_operands(kSingle, 1024);
  std::mt19937_64 random(31);
  for (unsigned i = 0; i < 3072; ++i) {
    const double value =
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random() % 4096) - 2048),
                   static_cast<int>(random() % 26) - 3);
    out.a.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  }
  for (const float value : {0.49999997F, 0.5F, -0.5F, 2147483520.0F, 2147483648.0F, -2147483648.0F,
                            -2147483904.0F, 4294967040.0F, 4294967296.0F, 32767.5F, 65535.5F})
    out.a.push_back(std::bit_cast<std::uint32_t>(value));
  return out;
}
Operands doubles() {
  Operands out = unary_operands(kDouble, 1024);
  for (const std::uint64_t bits : singles().a)
    out.a.push_back(std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))));
  for (const double value : {2147483647.5, 2147483648.0, -2147483648.5, -2147483649.0, 4294967295.5,
                             4294967296.0, -0.75})
    out.a.push_back(std::bit_cast<std::uint64_t>(value));
  return out;
}
Operands all_halves() {
  Operands out;
  for (unsigned i = 0; i < 65536; ++i) out.a.push_back(i | 0xbeef0000U);
  return out;
}

TEST(Convert, FloatToIntegerTruncatesAndSaturates) {
  constexpr double kMin = -2147483648.0, kMax = 2147483647.0, kUnsigned = 4294967295.0;
  constexpr std::uint64_t kLow = 0xffffffff;
  check(
      "v_cvt_i32_f32 D, A", {}, singles(),
      [&](auto a, auto, auto) { return to_integer(a, kSingle, kMin, kMax); }, kLow, false, 5);
  check(
      "v_cvt_u32_f32 D, A", {}, singles(),
      [&](auto a, auto, auto) { return to_integer(a, kSingle, 0, kUnsigned); }, kLow, false, 5);
  check(
      "v_cvt_i32_f64 D, A", {1, 2}, doubles(),
      [&](auto a, auto, auto) { return to_integer(a, kDouble, kMin, kMax); }, kLow, false, 5);
  check(
      "v_cvt_u32_f64 D, A", {1, 2}, doubles(),
      [&](auto a, auto, auto) { return to_integer(a, kDouble, 0, kUnsigned); }, kLow, false, 5);
  check(
      "v_cvt_i16_f16 D, A", {}, all_halves(),
      [&](auto a, auto, auto) { return to_integer(a & 0xffff, kHalf, -32768, 32767); }, 0xffff,
      false, 5);
  check(
      "v_cvt_u16_f16 D, A", {}, all_halves(),
      [&](auto a, auto, auto) { return to_integer(a & 0xffff, kHalf, 0, 65535); }, 0xffff, false,
      5);
}

TEST(Convert, FloatToIntegerDownAndNearest) {
  const auto shifted = [](std::uint64_t bits, float by) -> std::uint64_t {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const float down = std::floor(value + by);
    return to_integer(std::bit_cast<std::uint32_t>(down), kSingle, -2147483648.0, 2147483647.0);
  };
  check(
      "v_cvt_flr_i32_f32 D, A", {}, singles(), [&](auto a, auto, auto) { return shifted(a, 0.0F); },
      0xffffffff, false, 5);
  check(
      "v_cvt_rpi_i32_f32 D, A", {}, singles(), [&](auto a, auto, auto) { return shifted(a, 0.5F); },
      0xffffffff, false, 5);
}

TEST(Convert, IntegerToFloatRoundsInTheMode) {
  const auto integer = [](std::int64_t value, const Format& to, unsigned mode) {
    return rounded(to, mode,
                   [&](mpfr_ptr r, mpfr_rnd_t round) { return mpfr_set_si(r, value, round); });
  };
  for (const unsigned mode : {0U, 1U, 2U, 3U}) {
    const auto set = [&](FloatMode& m) {
      m.round_f32 = m.round_f64_f16 = static_cast<std::uint8_t>(mode);
    };
    check(
        "v_cvt_f32_i32 D, A", {}, integers(),
        [&](auto a, auto, auto) { return integer(static_cast<std::int32_t>(a), kSingle, mode); },
        ~0ULL, false, 5, set);
    check(
        "v_cvt_f32_u32 D, A", {}, integers(),
        [&](auto a, auto, auto) { return integer(static_cast<std::uint32_t>(a), kSingle, mode); },
        ~0ULL, false, 5, set);
    check(
        "v_cvt_f64_i32 D, A", {2, 1}, integers(),
        [&](auto a, auto, auto) { return integer(static_cast<std::int32_t>(a), kDouble, mode); },
        ~0ULL, false, 5, set);
    check(
        "v_cvt_f64_u32 D, A", {2, 1}, integers(),
        [&](auto a, auto, auto) { return integer(static_cast<std::uint32_t>(a), kDouble, mode); },
        ~0ULL, false, 5, set);
    check(
        "v_cvt_f16_i16 D, A", {}, all_halves(),
        [&](auto a, auto, auto) { return integer(static_cast<std::int16_t>(a), kHalf, mode); },
        0xffff, false, 5, set);
    check(
        "v_cvt_f16_u16 D, A", {}, all_halves(),
        [&](auto a, auto, auto) { return integer(static_cast<std::uint16_t>(a), kHalf, mode); },
        0xffff, false, 5, set);
  }
  for (unsigned byte = 0; byte < 4; ++byte)
    check(
        fmt::format("v_cvt_f32_ubyte{} D, A", byte), {}, integers(),
        [&](auto a, auto, auto) {
          return integer(static_cast<std::int64_t>((a >> (8 * byte)) & 0xff), kSingle, 0);
        },
        ~0ULL, false, 5);
  check(
      "v_cvt_off_f32_i4 D, A", {}, integers(),
      [&](auto a, auto, auto) -> std::uint64_t {
        const int value = (a & 8) ? static_cast<int>(a & 7) - 8 : static_cast<int>(a & 7);
        return std::bit_cast<std::uint32_t>(static_cast<float>(value) / 16.0F);
      },
      ~0ULL, false, 5);
}

TEST(Convert, FloatToFloat) {
  for (const unsigned mode : {0U, 1U, 2U, 3U}) {
    const auto set = [&](FloatMode& m) {
      m.round_f32 = m.round_f64_f16 = static_cast<std::uint8_t>(mode);
    };
    check(
        "v_cvt_f16_f32 D, A", {}, singles(),
        [&](auto a, auto, auto) { return convert(a, kSingle, kHalf, mode); }, 0xffff, false, 5,
        set);
    check(
        "v_cvt_f32_f16 D, A", {}, all_halves(),
        [&](auto a, auto, auto) { return convert(a & 0xffff, kHalf, kSingle, mode); }, ~0ULL, false,
        5, set);
    check(
        "v_cvt_f32_f64 D, A", {1, 2}, doubles(),
        [&](auto a, auto, auto) { return convert(a, kDouble, kSingle, mode); }, ~0ULL, false, 5,
        set);
    check(
        "v_cvt_f64_f32 D, A", {2, 1}, singles(),
        [&](auto a, auto, auto) { return convert(a, kSingle, kDouble, mode); }, ~0ULL, false, 5,
        set);
  }
  check("v_cvt_f32_bf16 D, A", {}, all_halves(),
        [&](auto a, auto, auto) { return convert(a & 0xffff, kBrain, kSingle, 0); });
  // gfx9's spelling of "the high half".
  check("v_cvt_f32_f16_sdwa D, A dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", {},
        all_halves(), [&](auto a, auto, auto) { return convert(a >> 16, kHalf, kSingle, 0); });
}

TEST(Convert, PairsToPackedHalves) {
  Operands pairs = singles();
  for (std::size_t i = 0; i < pairs.a.size(); ++i)
    pairs.b.push_back(pairs.a[(i * 3 + 1) % pairs.a.size()]);
  const auto both = [](const auto& one) {
    return [one](std::uint64_t a, std::uint64_t b, std::uint64_t) {
      return (one(a) & 0xffff) | ((one(b) & 0xffff) << 16);
    };
  };
  // Prescribed roundings: the mode does not matter.
  for (const unsigned mode : {0U, 1U}) {
    const auto set = [&](FloatMode& m) {
      m.round_f32 = m.round_f64_f16 = static_cast<std::uint8_t>(mode);
    };
    check("v_cvt_pkrtz_f16_f32 D, A, B", {}, pairs,
          both([](std::uint64_t a) { return convert(a, kSingle, kHalf, 3); }), ~0ULL, false, 5,
          set);
    check("v_cvt_pk_f16_f32 D, A, B", {}, pairs,
          both([](std::uint64_t a) { return convert(a, kSingle, kHalf, 0); }), ~0ULL, false, 1,
          set);
    check("v_cvt_pk_bf16_f32 D, A, B", {}, pairs,
          both([](std::uint64_t a) { return convert(a, kSingle, kBrain, 0); }), ~0ULL, false, 1,
          set);
  }
  check("v_cvt_pk_i16_f32 D, A, B", {}, pairs,
        both([](std::uint64_t a) { return to_integer(a, kSingle, -32768, 32767); }), ~0ULL, false,
        2);
  check("v_cvt_pk_u16_f32 D, A, B", {}, pairs,
        both([](std::uint64_t a) { return to_integer(a, kSingle, 0, 65535); }), ~0ULL, false, 2);
  const auto norm = [](const Format& format, double low, double unit) {
    return [=](std::uint64_t bits) -> std::uint64_t {
      if (format.is_nan(bits)) return 0;
      const double value = std::min(1.0, std::max(low, Number(bits, format).to_double()));
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(value * unit)));
    };
  };
  check("v_cvt_pknorm_i16_f32 D, A, B", {}, pairs, both(norm(kSingle, -1, 32767)), ~0ULL, false, 5);
  check("v_cvt_pknorm_u16_f32 D, A, B", {}, pairs, both(norm(kSingle, 0, 65535)), ~0ULL, false, 5);
  Operands halves = all_halves();
  for (std::size_t i = 0; i < halves.a.size(); ++i)
    halves.b.push_back(halves.a[(i * 3 + 1) & 0xffff]);
  const auto halves_of = [&](double low, double unit) {
    const auto one = norm(kHalf, low, unit);
    return [one](std::uint64_t a, std::uint64_t b, std::uint64_t) {
      return (one(a & 0xffff) & 0xffff) | ((one(b & 0xffff) & 0xffff) << 16);
    };
  };
  check("v_cvt_pknorm_i16_f16 D, A, B", {}, halves, halves_of(-1, 32767), ~0ULL, false, 5);
  check("v_cvt_pknorm_u16_f16 D, A, B", {}, halves, halves_of(0, 65535), ~0ULL, false, 5);
  check("v_cvt_norm_i16_f16 D, A", {}, halves, halves_of(-1, 32767), 0xffff, false, 5);
  check("v_cvt_norm_u16_f16 D, A", {}, halves, halves_of(0, 65535), 0xffff, false, 5);
}

TEST(Convert, FloatToByte) {
  Operands operands = singles();
  std::mt19937_64 random(41);
  for (std::size_t i = 0; i < operands.a.size(); ++i) {
    operands.b.push_back(random());
    operands.c.push_back(random());
  }
  const auto want = [](std::uint64_t a, std::uint64_t where, std::uint64_t into) -> std::uint64_t {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(a));
    const double bounded = value != value ? 0.0 : std::min(255.0, std::max(0.0, double{value}));
    const auto byte = static_cast<std::uint32_t>(std::nearbyint(bounded));
    const unsigned shift = 8 * (where & 3);
    return (static_cast<std::uint32_t>(into) & ~(0xffU << shift)) | (byte << shift);
  };
  check("v_cvt_pk_u8_f32 D, A, B, C", {}, operands, want, ~0ULL, false, 5);
  check("v_cvt_pkaccum_u8_f32 D, A, B", {}, operands, want, ~0ULL, true, 3);
}

// --- 8-bit floats ---

// The value of each code, from the formats' definitions.
struct Tiny {
  int mantissa, bias;
  bool fnuz;
  bool infinity;

  double value(unsigned code) const {
    const unsigned magnitude = code & 0x7f;
    const int field = static_cast<int>(magnitude >> mantissa);
    const int fraction = static_cast<int>(magnitude & ((1U << mantissa) - 1));
    const int fields = 1 << (7 - mantissa);
    const double sign = code & 0x80 ? -1 : 1;
    if (fnuz && code == 0x80) return std::numeric_limits<double>::quiet_NaN();
    if (!fnuz && infinity && field == fields - 1)
      return fraction ? std::numeric_limits<double>::quiet_NaN()
                      : sign * std::numeric_limits<double>::infinity();
    if (!fnuz && !infinity && magnitude == 0x7f) return std::numeric_limits<double>::quiet_NaN();
    if (field == 0) return sign * std::ldexp(fraction, 1 - bias - mantissa);
    return sign * std::ldexp(fraction + (1 << mantissa), field - bias - mantissa);
  }
  // The largest finite code, and the value that would come after it.
  unsigned largest() const { return fnuz ? 0x7f : infinity ? 0x7b : 0x7e; }
  double after() const {
    const double top = value(largest());
    return top + (top - value(largest() - 1));
  }
  std::uint64_t encode(double x, bool saturate) const {
    const unsigned sign = std::signbit(x) ? 0x80 : 0;
    if (std::isnan(x)) return fnuz ? 0x80 : 0x7f | sign;
    const double magnitude = std::abs(x);
    const unsigned overflow = fnuz ? 0x80 : (infinity ? 0x7c : 0x7f) | sign;
    if (std::isinf(x)) return overflow;
    unsigned best = 0;
    for (unsigned code = 0; code <= largest(); ++code) {
      const double error = std::abs(value(code) - magnitude),
                   record = std::abs(value(best) - magnitude);
      if (error < record || (error == record && code % 2 == 0)) best = code;
    }
    const double beyond = std::abs(after() - magnitude), record = std::abs(value(best) - magnitude);
    if (magnitude >= after() || beyond < record || (beyond == record && largest() % 2 == 1))
      return saturate ? largest() | sign : overflow;
    if (fnuz && best == 0) return 0;
    return best | sign;
  }
};
Tiny tiny(std::string_view gfx, bool bf8) {
  const bool fnuz = gfx == "gfx942";
  if (bf8) return {2, fnuz ? 16 : 15, fnuz, true};
  return {3, fnuz ? 8 : 7, fnuz, false};
}
bool has_fp8(std::string_view gfx) {
  return gfx == "gfx942" || gfx == "gfx950" || gfx == "gfx1201";
}

// NaNs keep the sign where the format has one.
std::uint32_t single_of(const Tiny& format, std::uint64_t code) {
  const double value = format.value(static_cast<unsigned>(code));
  const std::uint32_t sign = !format.fnuz && (code & 0x80) ? 0x80000000U : 0;
  return value != value ? sign | 0x7fc00000U
                        : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

TEST(Fp8, DecodesEveryCode) {
  Operands operands;
  for (unsigned i = 0; i < 256; ++i) operands.a.push_back(i * 0x01010101U ^ 0x55aa0000U);
  for (const std::string& gfx : all_targets()) {
    if (!has_fp8(gfx)) continue;
    const bool gfx12 = gfx == "gfx1201";
    const auto only = [&](std::string_view name) { return name == gfx; };
    for (const bool bf8 : {false, true}) {
      const Tiny format = tiny(gfx, bf8);
      const char* name = bf8 ? "bf8" : "fp8";
      for (unsigned byte = 0; byte < 4; ++byte) {
        const std::string text =
            byte == 0 ? fmt::format("v_cvt_f32_{} D, A", name)
            : gfx12   ? fmt::format("v_cvt_f32_{}_e64 D, A byte_sel:{}", name, byte)
                      : fmt::format("v_cvt_f32_{}_sdwa D, A src0_sel:BYTE_{}", name, byte);
        check(
            text, {}, operands,
            [&](auto a, auto, auto) { return single_of(format, (a >> (8 * byte)) & 0xff); }, ~0ULL,
            false, 1, {}, only);
      }
      for (const unsigned word : {0U, 1U}) {
        const std::string text =
            word == 0 ? fmt::format("v_cvt_pk_f32_{} D, A", name)
            : gfx12   ? fmt::format("v_cvt_pk_f32_{}_e64 D, A op_sel:[1,0]", name)
                      : fmt::format("v_cvt_pk_f32_{}_sdwa D, A src0_sel:WORD_1", name);
        check(
            text, {2, 1}, operands,
            [&](auto a, auto, auto) {
              const std::uint64_t half = (a >> (16 * word)) & 0xffff;
              return single_of(format, half & 0xff) |
                     (std::uint64_t{single_of(format, half >> 8)} << 32);
            },
            ~0ULL, false, 1, {}, only);
      }
    }
  }
}

TEST(Fp8, EncodesToNearestEven) {
  std::mt19937_64 random(53);
  for (const std::string& gfx : all_targets()) {
    if (!has_fp8(gfx)) continue;
    for (const bool bf8 : {false, true}) {
      const Tiny format = tiny(gfx, bf8);
      Operands operands = unary_operands(kSingle, 256);
      // Every code, the middles between neighbours, and what is just beside the middles.
      for (unsigned code = 0; code <= format.largest(); ++code) {
        const double low = format.value(code);
        const double high = code == format.largest() ? format.after() : format.value(code + 1);
        const auto middle = static_cast<float>((low + high) / 2);
        for (const float value : {static_cast<float>(low), middle, std::nextafter(middle, 0.0F),
                                  std::nextafter(middle, 1e9F), -middle})
          operands.a.push_back(std::bit_cast<std::uint32_t>(value));
      }
      for (std::size_t i = 0; i < operands.a.size(); ++i)
        operands.b.push_back(operands.a[random() % operands.a.size()]);
      const char* name = bf8 ? "bf8" : "fp8";
      for (const bool saturate : {false, true})
        for (const bool high : {false, true}) {
          const auto want = [&](std::uint64_t a, std::uint64_t b, std::uint64_t) -> std::uint64_t {
            const auto one = [&](std::uint64_t bits) {
              return format.encode(Number(bits, kSingle).to_double(), saturate);
            };
            const auto nan = [&](std::uint64_t bits) {
              const std::uint64_t sign = bits & 0x80000000 ? 0x80 : 0;
              return format.fnuz ? 0x80 : 0x7f | sign;
            };
            const std::uint64_t first = kSingle.is_nan(a) ? nan(a) : one(a);
            const std::uint64_t second = kSingle.is_nan(b) ? nan(b) : one(b);
            const std::uint64_t half = first | (second << 8);
            return high ? 0x4321 | (half << 16) : 0x5a5a0000 | half;
          };
          check(
              fmt::format("v_cvt_pk_{}_f32 D, A, B{}", name, high ? " op_sel:[0,0,1]" : ""), {},
              operands, want, ~0ULL, false, 1,
              [&](FloatMode& mode) {
                mode.fp16_overflow = saturate;
                mode.round_f32 = mode.round_f64_f16 = 1;  // does not matter
              },
              [&](std::string_view target) { return target == gfx; });
        }
    }
  }
}

// Stochastic rounding picks one of the two neighbours, and the upper one as often as it should.
TEST(Fp8, StochasticRoundingIsFair) {
  std::mt19937_64 random(59);
  for (const std::string& gfx : all_targets()) {
    if (!has_fp8(gfx)) continue;
    Lab lab(gfx);
    for (const bool bf8 : {false, true}) {
      const Tiny format = tiny(gfx, bf8);
      for (unsigned byte = 0; byte < 4; ++byte) {
        Operands operands;
        const unsigned code = 0x31 + 3 * byte;
        const double low = format.value(code), high = format.value(code + 1);
        const double part = 0.3;
        for (unsigned i = 0; i < 4096; ++i) {
          operands.a.push_back(
              std::bit_cast<std::uint32_t>(static_cast<float>(low + part * (high - low))));
          operands.b.push_back(random());
        }
        const std::string where = gfx == "gfx1201"
                                      ? fmt::format("byte_sel:{}", byte)
                                      : fmt::format("op_sel:[0,0,{},{}]", byte & 1, byte >> 1);
        const auto got = run_all(lab,
                                 fmt::format("v_cvt_sr_{}_f32 D, A, B{}{}", bf8 ? "bf8" : "fp8",
                                             byte ? " " : "", byte ? where : ""),
                                 {}, operands);
        unsigned up = 0;
        for (const std::uint64_t result : got) {
          const std::uint64_t rest = 0x5a5a4321 & ~(0xffULL << (8 * byte));
          ASSERT_EQ(result & ~(0xffULL << (8 * byte)), rest) << gfx;
          const std::uint64_t chosen = (result >> (8 * byte)) & 0xff;
          ASSERT_TRUE(chosen == code || chosen == code + 1) << gfx << " " << hex(chosen);
          up += chosen == code + 1;
        }
        EXPECT_NEAR(up / 4096.0, part, 0.04) << gfx << " byte " << byte;
      }
    }
  }
}

}  // namespace
}  // namespace hipwright::soft
