// SPDX-License-Identifier: MIT
// WMMA of gfx11 and gfx12 and SWMMAC, in waves of 32 and 64. Layouts are written here as the
// documents list them, register by register; sums of small integers are exact in every order.
#include <gtest/gtest.h>

#include <functional>

#include "soft/exec/ops/ops.h"
#include "soft/lab.h"
#include "soft/matrix_oracle.h"

namespace hipwright::soft {
namespace {

using namespace matrix_test;

constexpr unsigned kA = 0, kB = 16, kC = 32, kD = 48, kIndex = 70;

struct Case {
  std::string name, out, a, b;
  unsigned k;
  bool sparse;
  unsigned stored() const { return sparse ? k / 2 : k; }
};

Case parse(std::string_view name) {  // v_swmmac_f32_16x16x32_fp8_bf8
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    parts.emplace_back(name.substr(at, end - at));
    at = end + 1;
  }
  const std::string a = parts[4], b = parts.size() > 5 ? parts[5] : parts[4];
  const auto k = static_cast<unsigned>(std::stoul(parts[3].substr(parts[3].rfind('x') + 1)));
  return {std::string(name), parts[2], a, b, k, parts[1] == "swmmac"};
}

unsigned element_bits(const std::string& type) {
  if (type == "iu8") return 8;
  if (type == "iu4") return 4;
  if (type == "i32") return 32;
  return static_cast<unsigned>(format_named(type, false).bits());
}

// The k of element `element` in a lane of 16-lane group `group`. `count`: stored elements per row.
unsigned column_of(bool gfx12, unsigned lanes, unsigned count, unsigned bits, unsigned group,
                   unsigned element) {
  if (!gfx12) return element;
  if (lanes == 32) {
    if (bits == 16) {
      // Quarters of K in turn: lanes 0-15 the first and the third, lanes 16-31 the others.
      const unsigned quarter = count / 4;
      return element / quarter * (2 * quarter) + group * quarter + element % quarter;
    }
    return group * (count / 2) + element;
  }
  // Waves of 64: groups 0, 1, 2, 3 are lanes 0-15, 16-31, 32-47, 48-63.
  const unsigned quarter = count / 4;
  if (bits == 16) return group * quarter + element;
  if (count / 2 * bits < 64) return group * (count / 2) + element;  // lanes 32-63 hold nothing
  constexpr unsigned kQuarter[] = {0, 2, 1, 3};
  return kQuarter[group] * quarter + element;
}
unsigned elements_per_lane(bool gfx12, unsigned lanes, unsigned count, unsigned bits) {
  if (!gfx12) return count;
  return lanes == 64 && count / 2 * bits >= 64 ? count / 4 : count / 2;
}

unsigned row_of(bool gfx12, unsigned lanes, unsigned slot, unsigned lane) {
  if (!gfx12) return slot * (lanes / 16) + lane / 16;
  if (lanes == 32) return lane / 16 * 8 + slot;
  return lane / 16 % 2 * 8 + lane / 32 * 4 + slot;
}

class Bench {
 public:
  Bench(std::string gfx, unsigned lanes, Case which)
      : gfx_(std::move(gfx)),
        lanes_(lanes),
        gfx12_(gfx_ == "gfx1201"),
        case_(std::move(which)),
        lab_(gfx_, lanes),
        a_(16, std::vector<double>(case_.stored())),
        b_(case_.k, std::vector<double>(16)),
        pick_(16, std::vector<unsigned>(case_.stored())),
        c_(16, std::vector<double>(16)) {}

  bool integer() const { return case_.out == "i32"; }
  bool packed() const { return gfx12_ && element_bits(case_.out) == 16; }
  Lab& lab() { return lab_; }

  bool sign_a = false, sign_b = false, clamp = false, negate_c = false, abs_c = false;
  bool high = false;                    // gfx11: results in the high halves
  unsigned negate_a = 0, negate_b = 0;  // bit 0: neg_lo, bit 1: neg_hi
  unsigned index_key = 0;

  std::string text() const {
    const auto dwords = [&](const std::string& type, unsigned count) {
      const unsigned bits = element_bits(type);
      return (elements_per_lane(gfx12_, lanes_, count, bits) * bits + 31) / 32;
    };
    const unsigned out = 256 / lanes_ / (packed() ? 2 : 1);
    std::string t = fmt::format("{} {}, {}, {}, {}", case_.name, registers("v", kD, out),
                                registers("v", kA, dwords(case_.a, case_.stored())),
                                registers("v", kB, dwords(case_.b, case_.k)),
                                case_.sparse ? registers("v", kIndex, 1) : registers("v", kC, out));
    if (case_.sparse && index_key != 0) t += fmt::format(" index_key:{}", index_key);
    if (high) t += " op_sel:[0,0,1]";
    const unsigned lo_a = integer() ? sign_a : negate_a & 1,
                   lo_b = integer() ? sign_b : negate_b & 1;
    if (lo_a || lo_b || negate_c)
      t += fmt::format(" neg_lo:[{},{},{}]", lo_a, lo_b, negate_c ? 1 : 0);
    if (negate_a > 1 || negate_b > 1 || abs_c)
      t += fmt::format(" neg_hi:[{},{},{}]", negate_a >> 1, negate_b >> 1, abs_c ? 1 : 0);
    if (clamp) t += " clamp";
    return t;
  }

  void fill(int style, std::mt19937_64& random) {
    fill_input(kA, case_.a, case_.stored(), sign_a, negate_a, style, random,
               [&](unsigned i, unsigned k, double v) { a_[i][k] = v; });
    fill_input(kB, case_.b, case_.k, sign_b, negate_b, style, random,
               [&](unsigned j, unsigned k, double v) { b_[k][j] = v; });
    if (case_.sparse) fill_index(random);
    const Format f = format_named(case_.out, false);
    for (unsigned slot = 0; slot < 256 / lanes_; ++slot)
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        std::uint64_t bits = integer() ? (style == 0 ? random() % 50 : random() & 0xffffffff)
                                       : random_pattern(f, style, random);
        if (clamp) bits = random() % 2 ? 0x7fffffff - random() % 100 : 0x80000000 + random() % 100;
        double value = integer() ? static_cast<std::int32_t>(bits) : decode_number(bits, f).value;
        if (abs_c) value = std::fabs(value);
        c_[row_of(gfx12_, lanes_, slot, lane)][lane % 16] = negate_c ? -value : value;
        write(kC, slot, lane, static_cast<std::uint32_t>(bits), random);
      }
    if (case_.sparse)  // D is the accumulator
      for (unsigned row = 0; row < 16; ++row)
        for (unsigned lane = 0; lane < lanes_; ++lane)
          lab_.set_v(kD + row, lane, lab_.v(kC + row, lane));
  }

  void expect(double tolerance, std::string_view what) {
    unsigned wrong = 0;
    const Format f = format_named(case_.out, false);
    for (unsigned slot = 0; slot < 256 / lanes_; ++slot)
      for (unsigned lane = 0; lane < lanes_ && wrong < 3; ++lane) {
        const unsigned i = row_of(gfx12_, lanes_, slot, lane), j = lane % 16;
        double sum = c_[i][j], largest = std::fabs(sum);
        for (unsigned k = 0; k < case_.stored(); ++k) {
          const double product = a_[i][k] * b_[case_.sparse ? pick_[i][k] : k][j];
          sum += product;
          largest = std::max({largest, std::fabs(product), std::fabs(sum)});
        }
        const std::uint32_t bits = read(slot, lane);
        double got = integer() ? static_cast<std::int32_t>(bits) : decode_number(bits, f).value;
        if (integer() && clamp) sum = std::clamp(sum, -0x1p31, 0x1p31 - 1);
        if (integer() && !clamp)
          sum =
              static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
        const double beyond = std::ldexp(1.0, f.bias + 1);  // rounds to infinity, or nearly does
        const bool fine = std::isnan(sum)   ? std::isnan(got)
                          : std::isinf(got) ? got * sum > 0 && std::fabs(sum) > beyond * 0.99
                                            : std::fabs(got - sum) <= tolerance * largest;
        if (!fine)
          ADD_FAILURE() << gfx_ << " wave" << lanes_ << " " << text() << " " << what << " D[" << i
                        << "][" << j << "]" << ++wrong << fmt::format(": {} != {}", got, sum);
      }
  }

  // gfx11: the half that is not written keeps its value.
  std::uint32_t other_half(unsigned slot, unsigned lane) const {
    const std::uint32_t word = lab_.v(kD + slot, lane);
    return high ? word & 0xffff : word >> 16;
  }

 private:
  void write(unsigned base, unsigned slot, unsigned lane, std::uint32_t bits,
             std::mt19937_64& random) {
    if (element_bits(case_.out) == 32) return lab_.set_v(base + slot, lane, bits);
    const unsigned row = base + (packed() ? slot / 2 : slot);
    const unsigned shift = packed() ? slot % 2 * 16 : high ? 16 : 0;
    const std::uint32_t old = packed() ? lab_.v(row, lane) : static_cast<std::uint32_t>(random());
    lab_.set_v(row, lane, (old & ~(0xffffU << shift)) | (bits & 0xffff) << shift);
  }
  std::uint32_t read(unsigned slot, unsigned lane) const {
    if (element_bits(case_.out) == 32) return lab_.v(kD + slot, lane);
    if (packed()) return lab_.v(kD + slot / 2, lane) >> slot % 2 * 16 & 0xffff;
    return lab_.v(kD + slot, lane) >> (high ? 16 : 0) & 0xffff;
  }

  void fill_input(unsigned base, const std::string& type, unsigned count, bool is_signed,
                  unsigned negate, int style, std::mt19937_64& random,
                  const std::function<void(unsigned, unsigned, double)>& set) {
    const unsigned bits = element_bits(type);
    const unsigned per_lane = elements_per_lane(gfx12_, lanes_, count, bits);
    const Format f = format_named(type, false);
    // gfx11 wants the same in every 16 lanes.
    for (unsigned lane = 0; lane < (gfx12_ ? lanes_ : 16); ++lane) {
      std::vector<std::uint32_t> words((per_lane * bits + 31) / 32);
      for (unsigned element = 0; element < per_lane; ++element) {
        std::uint64_t code = 0;
        double value = 0;
        if (integer()) {
          code = random() & ((1U << bits) - 1);
          value = static_cast<double>(code);
          if (is_signed && code >> (bits - 1)) value -= static_cast<double>(1U << bits);
        } else {
          code = random_pattern(f, style, random);
          value = decode_number(code, f).value;
        }
        const unsigned at = element * bits;
        words[at / 32] |= static_cast<std::uint32_t>(code) << at % 32;
        if (bits == 16 && negate >> (at % 32 != 0 ? 1 : 0) & 1) value = -value;
        const unsigned column = column_of(gfx12_, lanes_, count, bits, lane / 16, element);
        if (column < count) set(lane % 16, column, value);
      }
      for (unsigned word = 0; word < words.size(); ++word)
        for (unsigned copy = lane; copy < (gfx12_ ? lane + 1 : lanes_); copy += 16)
          lab_.set_v(base + word, copy, words[word]);
    }
  }

  void fill_index(std::mt19937_64& random) {
    const unsigned bits = element_bits(case_.a), count = case_.stored();
    const unsigned per_lane = elements_per_lane(gfx12_, lanes_, count, bits);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const auto word = static_cast<std::uint32_t>(random());
      lab_.set_v(kIndex, lane, word);
      for (unsigned element = 0; element < per_lane; ++element) {
        const unsigned column = column_of(gfx12_, lanes_, count, bits, lane / 16, element);
        if (column >= count) continue;
        const unsigned shift = index_key * per_lane * 2 + element * 2;
        pick_[lane % 16][column] = column / 2 * 4 + (word >> shift & 3);
      }
    }
  }

  std::string gfx_;
  unsigned lanes_;
  bool gfx12_;
  Case case_;
  Lab lab_;
  std::vector<std::vector<double>> a_, b_;
  std::vector<std::vector<unsigned>> pick_;
  std::vector<std::vector<double>> c_;
};

template <class F>
unsigned for_each_wmma(std::string_view prefix, F f) {
  unsigned count = 0;
  for (const std::string gfx : {"gfx1100", "gfx1201"})
    for (const unsigned lanes : {32U, 64U})
      for (const Op* op : all_ops()) {
        if (!op->name.starts_with(prefix)) continue;
        const Case which = parse(op->name);
        Bench bench(gfx, lanes, which);
        if (!bench.lab().accepts(bench.text())) continue;
        f(bench, which, gfx);
        ++count;
      }
  return count;
}

double rounding(const Case& which) {
  return which.out == "f16"    ? 0x1p-11
         : which.out == "bf16" ? 0x1p-8
         : which.out == "f32"  ? 0x1p-23
                               : 0;
}

TEST(Wmma, SmallNumbersLandInTheDocumentedPlaces) {
  std::mt19937_64 random(1);
  const unsigned count =
      for_each_wmma("v_wmma_", [&](Bench& bench, const Case&, const std::string&) {
        bench.fill(0, random);
        bench.lab().run(bench.text());
        bench.expect(0, "small integers");
      });
  EXPECT_EQ(count, 2U * (6 + 11));
}

TEST(Wmma, RandomAndSpecialValues) {
  std::mt19937_64 random(2);
  for_each_wmma("v_wmma_", [&](Bench& bench, const Case& which, const std::string&) {
    for (const int style : {1, 1, 3}) {
      bench.fill(style, random);
      bench.lab().wave().set_exec(0x0f0f1234);  // has no say
      bench.lab().run(bench.text());
      bench.expect(rounding(which), fmt::format("style {}", style));
    }
  });
}

TEST(Wmma, IntegersAreSignedPerNegLoAndSaturateWithClamp) {
  std::mt19937_64 random(3);
  for (unsigned mode = 0; mode < 8; ++mode)
    for (const std::string_view prefix : {"v_wmma_i32", "v_swmmac_i32"})
      for_each_wmma(prefix, [&](Bench& bench, const Case&, const std::string&) {
        bench.sign_a = mode & 1;
        bench.sign_b = mode & 2;
        bench.clamp = mode & 4;
        bench.fill(1, random);
        bench.lab().run(bench.text());
        bench.expect(0, "");
      });
}

TEST(Wmma, SignsOfHalvesAndOfC) {
  std::mt19937_64 random(4);
  for (unsigned mode = 1; mode < 16; ++mode)
    for_each_wmma("v_wmma_", [&](Bench& bench, const Case& which, const std::string&) {
      if (which.out == "i32" || element_bits(which.a) != 16) return;
      bench.negate_a = mode & 3;
      bench.negate_b = mode >> 1 & 3;
      bench.negate_c = mode & 4;
      bench.abs_c = mode & 8;
      bench.fill(0, random);
      bench.lab().run(bench.text());
      bench.expect(0, "modifiers");
    });
}

TEST(Wmma, Gfx11KeepsTheOtherHalfOfSixteenBitResults) {
  std::mt19937_64 random(5);
  for_each_wmma("v_wmma_", [&](Bench& bench, const Case& which, const std::string& gfx) {
    if (gfx != "gfx1100" || element_bits(which.out) != 16) return;
    for (const bool high : {false, true}) {
      bench.high = high;
      bench.fill(0, random);
      for (unsigned slot = 0; slot < 256 / bench.lab().lanes(); ++slot)
        for (unsigned lane = 0; lane < bench.lab().lanes(); ++lane)
          bench.lab().set_v(kD + slot, lane, 0xabcdabcd);
      bench.lab().run(bench.text());
      bench.expect(0, high ? "high halves" : "low halves");
      for (unsigned slot = 0; slot < 256 / bench.lab().lanes(); ++slot)
        for (unsigned lane = 0; lane < bench.lab().lanes(); ++lane)
          ASSERT_EQ(bench.other_half(slot, lane), 0xabcdU);
    }
  });
}

TEST(Wmma, Gfx11RejectsCopiesThatDiffer) {
  Lab lab("gfx1100", 32);
  lab.set_v(kA, 3, 1);
  lab.run("v_wmma_f32_16x16x16_f16 v[48:55], v[0:7], v[16:23], v[32:39]");
  EXPECT_EQ(lab.wave().state, WaveState::kFault);
  EXPECT_EQ(lab.wave().fault.kind, Fault::Kind::kUnsupported);
}

TEST(Wmma, ConstantsAreOfTheResultsType) {
  for (const std::string gfx : {"gfx1100", "gfx1201"})
    for (const auto& [name, in, out, want] :
         {std::tuple{"v_wmma_f32_16x16x16_f16", 4U, 8U, 0x3f800000U},
          std::tuple{"v_wmma_f16_16x16x16_f16", 4U, 4U, 0x3c003c00U},
          std::tuple{"v_wmma_bf16_16x16x16_bf16", 4U, 4U, 0x3f803f80U}}) {
      const bool old = gfx == "gfx1100";
      Lab lab(gfx, 32);
      const unsigned inputs = old ? 2 * in : in, outputs = old ? 8 : out;
      const std::string text = fmt::format("{} {}, {}, {}, 1.0", name, registers("v", kD, outputs),
                                           registers("v", kA, inputs), registers("v", kB, inputs));
      ASSERT_TRUE(lab.accepts(text)) << text;
      for (unsigned row = 0; row < 64; ++row)
        for (unsigned lane = 0; lane < 32; ++lane) lab.set_v(row, lane, 0);
      lab.run(text);
      EXPECT_EQ(lab.v(kD, 5), old && out == 4 ? want & 0xffff : want) << gfx << " " << text;
    }
}

TEST(Swmmac, StoredElementsMeetTheRowsThatTheIndexNames) {
  std::mt19937_64 random(6);
  const unsigned count =
      for_each_wmma("v_swmmac_", [&](Bench& bench, const Case& which, const std::string&) {
        const unsigned lanes = bench.lab().lanes();
        const unsigned per_lane =
            elements_per_lane(true, lanes, which.stored(), element_bits(which.a));
        for (unsigned key = 0; key < 32 / (per_lane * 2); ++key)
          for (const int style : {0, 1}) {
            bench.index_key = key;
            bench.fill(style, random);
            bench.lab().run(bench.text());
            bench.expect(style == 0 ? 0 : rounding(which), fmt::format("index_key {}", key));
          }
      });
  EXPECT_EQ(count, 2U * 11);
}

}  // namespace
}  // namespace hipwright::soft
