// SPDX-License-Identifier: MIT
// gfx950's scaled conversions. The oracle takes the mnemonic apart, finds every element by its bit
// position in the register range, and rounds by searching the codes of the format.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "soft/exec/ops/ops.h"
#include "soft/lab.h"
#include "soft/matrix_oracle.h"

namespace hipwright::soft {
namespace {

using namespace matrix_test;

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned kDst = 0, kFirst = 32, kSecond = 64, kSeed = 96, kScale = 97;

struct Conversion {
  std::string name;
  Format small, wide;
  bool up = false, stochastic = false, interleaved = false;
  unsigned count = 1;
};

// "v_cvt_scalef32_[sr_][pk_|pk32_|2xpk16_]<to>_<from>"
Conversion parse(std::string_view name) {
  Conversion c{.name = std::string(name)};
  std::string_view rest = name.substr(sizeof("v_cvt_scalef32_") - 1);
  const auto take = [&](std::string_view prefix) {
    const bool found = rest.starts_with(prefix);
    if (found) rest.remove_prefix(prefix.size());
    return found;
  };
  c.stochastic = take("sr_");
  c.interleaved = take("2xpk16_");
  c.count = c.interleaved || take("pk32_") ? 32 : take("pk_") ? 2 : 1;
  const auto middle = rest.find('_');
  const std::string_view to = rest.substr(0, middle), from = rest.substr(middle + 1);
  c.up = to.ends_with("f32") || to.ends_with("f16");
  c.small = format_named(c.up ? from : to, false);
  c.wide = format_named(c.up ? to : from, false);
  return c;
}

double magnitude(const Format& f, u64 code) {
  return std::fabs(decode_number(code, f).value);
}
u64 largest(const Format& f) {
  u64 code = (u64{1} << (f.bits() - 1)) - 1;
  while (!std::isfinite(magnitude(f, code)) ||
         (f.special == Format::Special::kOnlyNan && std::isnan(magnitude(f, code))))
    code = f.special == Format::Special::kIeee
               ? (u64{1} << (f.bits() - 1)) - 1 - (u64{1} << f.mantissa_bits)
               : code - 1;
  return code;
}

// The code nearest to a size, ties to even; one more than the largest code means beyond.
u64 nearest(const Format& f, double size) {
  const u64 top = largest(f);
  u64 low = 0, high = top + 1;
  while (high - low > 1) {
    const u64 middle = (low + high) / 2;
    (magnitude(f, middle) <= size ? low : high) = middle;
  }
  const double below = magnitude(f, low);
  const double step = low == top ? below - magnitude(f, low - 1) : magnitude(f, low + 1) - below;
  const double part = (size - below) / step;
  return part > 0.5 || (part == 0.5 && low % 2 == 1) ? low + 1 : low;
}

// AMD's routine: bits of the source format, random bits below the last place, truncation.
u64 by_chance(const Conversion& c, double size, u32 random) {
  if (size == 0) return 0;
  const int bits = c.wide.mantissa_bits, kept = c.small.mantissa_bits;
  const int exponent = std::max(std::ilogb(size), 1 - c.small.bias);
  const double whole = std::floor(std::ldexp(size, bits - exponent));
  const double moved = whole + static_cast<double>(random >> (32 - bits + kept));
  const double units = std::floor(std::ldexp(moved, kept - bits));
  const double value = std::ldexp(units, exponent - kept);
  return value > magnitude(c.small, largest(c.small)) ? largest(c.small) + 1
                                                      : nearest(c.small, value);
}

u64 small_code(const Conversion& c, const Number& number, u32 scale, bool saturate, u32 random) {
  const Format& f = c.small;
  const u64 sign = number.negative ? u64{1} << (f.bits() - 1) : 0;
  const u64 top = largest(f), all = (u64{1} << (f.bits() - 1)) - 1;
  if (number.nan || scale == 255) return sign | all;
  const bool eight = f.bits() == 8;
  if (number.infinite) return sign | (eight ? top + 1 : top);
  const double size = std::ldexp(std::fabs(number.value), 127 - static_cast<int>(scale));
  const u64 code = c.stochastic ? by_chance(c, size, random) : nearest(f, size);
  return sign | (code <= top ? code : eight && !saturate ? top + 1 : top);
}

bool same_wide(const Conversion& c, u64 got, const Number& number, u32 scale) {
  const Format& f = c.wide;
  const u64 sign_bit = u64{1} << (f.bits() - 1);
  if (number.nan || scale == 255) return decode_number(got, f).nan;
  const u64 sign = number.negative ? sign_bit : 0;
  const double size = std::ldexp(std::fabs(number.value), static_cast<int>(scale) - 127);
  return got == (sign | (number.infinite ? largest(f) + 1 : nearest(f, size)));
}

u64 bits_at(Lab& lab, unsigned row, unsigned lane, unsigned bit, unsigned width) {
  u64 value = 0;
  for (unsigned i = 0; i < width; ++i)
    value |= u64{lab.v(row + (bit + i) / 32, lane) >> (bit + i) % 32 & 1} << i;
  return value;
}

u32 prng(u32 x) {
  return x << 1 ^ (x >> 31 != 0 ? 197U : 0U);
}

class Scaled : public testing::Test {
 protected:
  Scaled() : lab_("gfx950") {}

  // Everything that an instruction can read, with sizes near what the formats hold.
  void fill(const Conversion& c) {
    const auto specials = interesting_f32(64);
    for (unsigned lane = 0; lane < 64; ++lane) {
      const u32 scales[] = {0, 1, 127, 254, 255};
      const u32 scale = lane % 8 < 5 ? 120 + static_cast<u32>(random_() % 14)
                                     : scales[random_() % std::size(scales)];
      lab_.set_v(kScale, lane, scale << 23 | static_cast<u32>(random_() & 0x807fffff));
      lab_.set_v(kSeed, lane, static_cast<u32>(random_()));
      for (unsigned row = kDst; row < kSeed; ++row) {
        auto bits = static_cast<u32>(random_());
        if (!c.up && row >= kFirst && c.wide.name != "f16") {
          const u32 near = scale - 24 + static_cast<u32>(random_() % 40);
          if (near < 255) bits = (bits & 0x807fffffU) | near << 23;
          if (random_() % 8 == 0) bits = specials[random_() % specials.size()];
        }
        lab_.set_v(row, lane, bits);
      }
    }
  }

  std::string operands(const Conversion& c) const {
    const auto words = [](unsigned bits) { return std::max(bits / 32, 1U); };
    const auto small = c.count * static_cast<unsigned>(c.small.bits());
    const auto wide = c.count * static_cast<unsigned>(c.wide.bits());
    const bool two = c.interleaved || (!c.up && !c.stochastic && c.count == 2 && wide == 64);
    std::string text = registers("v", kDst, words(c.up ? wide : small)) + ", " +
                       registers("v", kFirst, words((c.up ? small : wide) / (two ? 2 : 1)));
    if (two) text += ", " + registers("v", kSecond, words(wide / 2));
    if (c.stochastic) text += fmt::format(", v{}", kSeed);
    return text + fmt::format(", v{}", kScale);
  }

  // `at`: bit of the register where the part begins that op_sel selects.
  void check(const Conversion& c, const std::string& modifiers, unsigned at) {
    fill(c);
    const bool saturate = random_() % 2 != 0;
    const u64 exec = random_() % 2 != 0 ? ~u64{0} : random_();
    lab_.wave().mode.fp16_overflow = saturate;
    lab_.wave().set_exec(exec);
    const auto small = static_cast<unsigned>(c.small.bits()),
               wide = static_cast<unsigned>(c.wide.bits());
    const unsigned to = c.up ? wide : small, from = c.up ? small : wide;
    const bool pair = !c.up && !c.stochastic && c.count == 2 && wide == 32;
    std::vector<std::vector<u32>> before(64);
    std::vector<std::vector<u64>> elements(64);
    for (unsigned lane = 0; lane < 64; ++lane) {
      for (unsigned row = 0; row < 32; ++row) before[lane].push_back(lab_.v(kDst + row, lane));
      for (unsigned e = 0; e < c.count; ++e) {
        const unsigned row = (c.interleaved || pair) && e % 2 ? kSecond : kFirst;
        const unsigned place = c.interleaved || pair ? e / 2 : e;
        elements[lane].push_back(bits_at(lab_, row, lane, place * from + (c.up ? at : 0), from));
      }
    }
    const std::string text = c.name + " " + operands(c) + modifiers;
    lab_.run(text);
    ASSERT_NE(lab_.wave().state, WaveState::kFault) << text << lab_.wave().fault.what;
    const unsigned start = c.up && c.count * to != 16 ? 0 : c.up ? half_ : at;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const u32 scale = lab_.v(kScale, lane) >> 23 & 0xff;
      u32 random = lab_.v(kSeed, lane);
      for (unsigned e = 0; e < c.count && (exec >> lane & 1); ++e) {
        const u64 got = bits_at(lab_, kDst, lane, start + e * to, to);
        const Number number = decode_number(elements[lane][e], c.up ? c.small : c.wide);
        if (c.up)
          ASSERT_TRUE(same_wide(c, got, number, scale))
              << text << " " << number.value << " scale " << scale << " got " << got;
        else
          ASSERT_EQ(got, small_code(c, number, scale, saturate, random))
              << text << " " << number.value << " scale " << scale << " lane " << lane;
        random = prng(random);
      }
      // The rest keeps what it had.
      const unsigned end = start + c.count * to;
      for (unsigned bit = 0; bit < 32 * 32; ++bit)
        if (!(exec >> lane & 1) || bit < start || bit >= end) {
          ASSERT_EQ(lab_.v(kDst + bit / 32, lane) >> bit % 32 & 1,
                    before[lane][bit / 32] >> bit % 32 & 1)
              << text << " bit " << bit;
        }
    }
  }

  Lab lab_;
  std::mt19937_64 random_{11};
  unsigned half_ = 0;  // of the destination, for a single 16-bit result
};

TEST_F(Scaled, EveryConversionInEveryPlace) {
  unsigned count = 0;
  for (const Op* op : all_ops()) {
    if (!op->name.starts_with("v_cvt_scalef32_")) continue;
    ++count;
    EXPECT_EQ(op->fidelity, Fidelity::kApproximate) << op->name;
    EXPECT_FALSE(op->bound.empty()) << op->name;
    const Conversion c = parse(op->name);
    const auto part = c.count * static_cast<unsigned>(c.small.bits());
    for (int round = 0; round < 4; ++round) {
      if (c.count == 32) {
        check(c, "", 0);
        continue;
      }
      for (unsigned place = 0; place < 32 / part; ++place) {
        const unsigned low = place & 1, high = place >> 1;
        std::string modifier;
        if (c.up) {
          half_ = c.count == 1 && c.wide.bits() == 16 && round % 2 ? 16 : 0;
          modifier = fmt::format(" op_sel:[{},{},{}]", low, high, half_ / 16);
        } else {
          const bool three = c.stochastic || c.wide.bits() == 32;
          modifier = part == 8 ? fmt::format(" op_sel:[0,0,{},{}]", low, high)
                     : three   ? fmt::format(" op_sel:[0,0,0,{}]", low)
                               : fmt::format(" op_sel:[0,0,{}]", low);
        }
        check(c, modifier, place * part);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(count, 49U);
}

TEST_F(Scaled, SourcesCanBeNegatedAndSelected) {
  lab_.set_v(1, 0, 0x3fc00000);  // 1.5
  lab_.set_v(2, 0, 0xc0400000);  // -3
  lab_.set_v(0, 0, 0);
  lab_.run("v_cvt_scalef32_pk_fp4_f32 v0, -v1, |v2|, 1.0");
  EXPECT_EQ(lab_.v(0, 0), 0x5bU);
  lab_.set_v(1, 0, 0x4400'3c00);  // 4 and 1 in f16
  lab_.set_v(2, 0, 0);
  lab_.set_v(3, 0, 0x40000000);  // 2
  lab_.run("v_cvt_scalef32_sr_fp8_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]");
  EXPECT_EQ(lab_.v(0, 0) & 0xff, 0x40U);  // 2
}

TEST_F(Scaled, ModifiersWithoutMeaningStopTheWave) {
  for (const char* text :
       {"v_cvt_scalef32_pk_fp8_f16 v0, -v1, v2", "v_cvt_scalef32_f32_fp8 v0, |v1|, v2"}) {
    Lab lab("gfx950");
    if (!lab.accepts(text)) continue;
    lab.run(text);
    EXPECT_EQ(lab.wave().state, WaveState::kFault) << text;
  }
}

}  // namespace
}  // namespace hipwright::soft
