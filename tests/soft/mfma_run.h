// SPDX-License-Identifier: MIT
// One MFMA or SMFMAC on the bench: registers filled by the documented layout, results compared
// with the oracle.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <tuple>
#include <utility>

#include "soft/lab.h"
#include "soft/matrix_oracle.h"

namespace hipwright::soft::matrix_test {

constexpr unsigned kLanes = 64;
constexpr unsigned kA = 0, kB = 16, kC = 32, kD = 64, kIndex = 100;
constexpr unsigned kScaleA = 104, kScaleB = 105;

// What a mnemonic says: v_mfma_f32_32x32x4_2b_f16, v_mfma_f32_4x4x4bf16_1k,
// v_smfmac_f32_16x16x64_fp8_bf8.
struct Shape {
  std::string name, out, a, b;
  unsigned m = 0, k = 0, blocks = 1;
  bool sparse = false, old = false, any_format = false;
  bool wide_bf16 = true;  // not the first generation's bf16

  unsigned stored() const { return sparse ? k / 2 : k; }
  unsigned a_dwords(int bits) const {
    return std::max(1U, m * stored() * blocks / kLanes * static_cast<unsigned>(bits) / 32);
  }
  unsigned b_dwords(int bits) const {
    return std::max(1U, m * k * blocks / kLanes * static_cast<unsigned>(bits) / 32);
  }
  unsigned out_elements() const { return m * m * blocks / kLanes; }
};

inline Shape parse(std::string_view name) {
  Shape shape;
  shape.name = name;
  shape.sparse = name.starts_with("v_smfmac");
  std::string rest(name.substr(shape.sparse ? 9 : 7));
  if (rest.starts_with("scale_")) rest = rest.substr(6);
  shape.out = rest.substr(0, 3);
  rest = rest.substr(4);
  std::size_t used = 0;
  shape.m = static_cast<unsigned>(std::stoul(rest, &used));
  rest = rest.substr(used + 1);
  rest = rest.substr(rest.find('x') + 1);
  shape.k = static_cast<unsigned>(std::stoul(rest, &used));
  rest = rest.substr(used);
  if (!rest.starts_with("_")) {  // gfx90a: no separators; the number of blocks is not written
    shape.old = true;
    if (rest == "bf16") shape.wide_bf16 = false;
    if (rest == "bf16_1k") rest = "bf16";
    shape.a = shape.b = rest;
    const unsigned per_lane = rest == "f16" || rest == "i8" || (rest == "bf16" && shape.wide_bf16)
                                  ? 4
                              : rest == "bf16" ? 2
                                               : 1;
    shape.blocks = std::max(1U, kLanes * per_lane / (shape.m * shape.k));
    return shape;
  }
  rest = rest.substr(1);
  if (const std::size_t b = rest.find("b_");
      b != std::string::npos && b < 3 && std::isdigit(rest[0])) {
    shape.blocks = static_cast<unsigned>(std::stoul(rest));
    rest = rest.substr(b + 2);
  }
  const std::size_t split = rest.find('_');
  shape.a = rest.substr(0, split);
  shape.b = split == std::string::npos ? shape.a : rest.substr(split + 1);
  shape.any_format = shape.a == "f8f6f4";
  return shape;
}

// Where lane `lane`, counted in elements `slot` of the operand, belongs: the tables of the ISA
// documents read from the side of the registers.
struct Position {
  unsigned block, row, column;
};
inline Position output_position(const Shape& s, unsigned slot, unsigned lane) {
  if (s.out == "f64") {
    if (s.m == 4) return {lane / 4 % 4, lane / 16, lane % 4};
    return {0, 4 * slot + lane / 16, lane % 16};
  }
  switch (s.m) {
    case 32:
      return {slot / 16, slot % 16 / 4 * 8 + lane / 32 * 4 + slot % 4, lane % 32};
    case 16:
      return {slot / 4, lane / 16 * 4 + slot % 4, lane % 16};
    default:
      return {lane / 4, slot, lane % 4};
  }
}
// k is that of the stored elements.
struct InputPosition {
  unsigned block, row, k;
};
inline InputPosition input_position(const Shape& s, unsigned k_count, unsigned element,
                                    unsigned lane) {
  const unsigned per_lane = s.m * k_count * s.blocks / kLanes;
  return {lane / s.m % s.blocks, lane % s.m, lane / (s.m * s.blocks) * per_lane + element};
}

struct Matrices {
  // a[block][i][k], b[block][k][j], c[block][i][j] as bit patterns; pick[i][k]: column of a.
  std::map<std::tuple<unsigned, unsigned, unsigned>, std::uint64_t> a, b, c;
  std::map<std::pair<unsigned, unsigned>, unsigned> pick;
};

class MfmaRun {
 public:
  MfmaRun(std::string gfx, const Shape& shape)
      : gfx_(std::move(gfx)), shape_(shape), lab_(gfx_), fnuz_(gfx_ == "gfx942") {
    set_formats(shape.a, shape.b);
  }
  void set_formats(const std::string& a, const std::string& b) {
    a_ = format_named(a, fnuz_);
    b_ = format_named(b, fnuz_);
  }
  Lab& lab() { return lab_; }
  // On gfx908 C and D can only be accumulators.
  std::string_view file() const { return gfx_ == "gfx908" ? "a" : "v"; }
  unsigned file_row(unsigned index) const { return index + (file() == "a" ? 256 : 0); }

  int bits(const Format& f) const { return f.name == "i8" ? 8 : f.bits(); }

  // Fills registers; style as in random_pattern.
  void fill(int style, std::mt19937_64& random) {
    x_ = {};
    fill_input(kA, shape_.stored(), a_, style, random, x_.a, true);
    fill_input(kB, shape_.k, b_, style, random, x_.b, false);
    const unsigned words = shape_.out == "f64" ? 2 : 1;
    for (unsigned slot = 0; slot < shape_.out_elements(); ++slot)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const auto [block, row, column] = output_position(shape_, slot, lane);
        const std::uint64_t bits =
            shape_.out == "i32" ? (style == 0 ? random() % 100 : random() & 0xffffffff)
                                : random_pattern(format_named(shape_.out, false), style, random);
        x_.c[{block, row, column}] = bits;
        lab_.set_v(file_row(kC) + slot * words, lane, static_cast<std::uint32_t>(bits));
        if (words == 2)
          lab_.set_v(file_row(kC) + slot * 2 + 1, lane, static_cast<std::uint32_t>(bits >> 32));
      }
  }

  // Another accumulator of 32 bits, made from what D holds.
  template <class F>
  void replace_c(F next) {
    for (unsigned slot = 0; slot < shape_.out_elements(); ++slot)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const auto [block, row, column] = output_position(shape_, slot, lane);
        const std::uint32_t bits = next(static_cast<std::uint32_t>(d(slot, lane)));
        x_.c[{block, row, column}] = bits;
        lab_.set_v(file_row(kC) + slot, lane, bits);
      }
  }

  // The two-bit indices of a sparse A, into set `abid`; other bits are noise.
  void fill_index(unsigned abid, std::mt19937_64& random) {
    const unsigned per_lane = shape_.m * shape_.stored() / kLanes;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto word = static_cast<std::uint32_t>(random());
      lab_.set_v(kIndex, lane, word);
      for (unsigned element = 0; element < per_lane; ++element) {
        const auto at = input_position(shape_, shape_.stored(), element, lane);
        const unsigned code = word >> (abid * per_lane * 2 + element * 2) & 3;
        x_.pick[{at.row, at.k}] = at.k / 2 * 4 + code;
      }
    }
  }

  std::string text(std::string_view d_file = "v", std::string_view c = "",
                   std::string_view modifiers = "") const {
    const unsigned words = shape_.out == "f64" ? 2 : 1;
    const unsigned out = shape_.out_elements() * words;
    const std::string third = shape_.sparse ? registers("v", kIndex, 1)
                              : c.empty()   ? registers(file(), kC, out)
                                            : std::string(c);
    std::string all = fmt::format("{} {}, {}, {}, {}", shape_.name,
                                  registers(file() == "a" ? "a" : d_file, kD, out),
                                  registers("v", kA, shape_.a_dwords(bits(a_))),
                                  registers("v", kB, shape_.b_dwords(bits(b_))), third);
    if (shape_.name.find("scale") != std::string::npos)
      all += fmt::format(", v{}, v{}", kScaleA, kScaleB);
    return all + std::string(modifiers);
  }

  std::uint64_t d(unsigned slot, unsigned lane, bool accumulators = false) const {
    const unsigned base = accumulators ? kD + 256 : file_row(kD);
    return shape_.out == "f64" ? lab_.v64(base + slot * 2, lane) : lab_.v(base + slot, lane);
  }

  // The exact result where one is documented.
  void expect(std::string_view what, bool accumulators = false) const {
    unsigned wrong = 0;
    for (unsigned slot = 0; slot < shape_.out_elements() && wrong < 3; ++slot)
      for (unsigned lane = 0; lane < kLanes && wrong < 3; ++lane) {
        const Position at = output_position(shape_, slot, lane);
        const std::uint64_t got = d(slot, lane, accumulators);
        const std::string where =
            fmt::format("{} {} {} D[{}][{}][{}] in register {} lane {}", gfx_, text(), what,
                        at.block, at.row, at.column, slot, lane);
        if (shape_.out == "i32") {
          EXPECT_EQ(static_cast<std::uint32_t>(got), integer(at)) << where << ++wrong;
        } else if (shape_.out == "f64") {
          const double want = f64(at);
          if (std::isnan(want) ? !std::isnan(std::bit_cast<double>(got))
                               : got != std::bit_cast<std::uint64_t>(want))
            ADD_FAILURE() << where << ++wrong
                          << fmt::format(": {} != {}", std::bit_cast<double>(got), want);
        } else {
          const float want = f32(at);
          if (!same_float(static_cast<std::uint32_t>(got), want))
            ADD_FAILURE() << where << ++wrong
                          << fmt::format(": {:a} != {:a}",
                                         std::bit_cast<float>(static_cast<std::uint32_t>(got)),
                                         want);
        }
      }
  }

  // Any order of accumulation: close to the sum in double precision.
  void expect_near(std::string_view what) const {
    unsigned wrong = 0;
    for (unsigned slot = 0; slot < shape_.out_elements(); ++slot)
      for (unsigned lane = 0; lane < kLanes && wrong < 3; ++lane) {
        const Position at = output_position(shape_, slot, lane);
        double sum =
            decode_number(x_.c.at({at.block, at.row, at.column}), format_named("f32", false)).value;
        double largest = std::fabs(sum);
        for (unsigned k = 0; k < shape_.stored(); ++k) {
          const double product = a_number(at, k).value * b_number(at, k).value;
          sum += product;
          largest = std::max({largest, std::fabs(product), std::fabs(sum)});
        }
        const double got =
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(d(slot, lane))));
        if (!(std::fabs(got - sum) <= largest * 0x1p-18))
          ADD_FAILURE() << gfx_ << " " << text() << " " << what << ++wrong
                        << fmt::format(": {} != {}", got, sum);
      }
  }

  Matrices& matrices() { return x_; }
  const Format& a_format() const { return a_; }
  const Format& b_format() const { return b_; }

 private:
  void fill_input(unsigned base, unsigned k_count, const Format& f, int style,
                  std::mt19937_64& random,
                  std::map<std::tuple<unsigned, unsigned, unsigned>, std::uint64_t>& out,
                  bool is_a) {
    const auto size = static_cast<unsigned>(bits(f));
    const unsigned per_lane = shape_.m * k_count * shape_.blocks / kLanes;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::vector<std::uint32_t> words(std::max(1U, per_lane * size / 32));
      for (unsigned element = 0; element < per_lane; ++element) {
        std::uint64_t value =
            f.name == "i8"
                ? (style == 0 ? static_cast<std::uint8_t>(random() % 5 - 2) : random() & 0xff)
                : random_pattern(f, style, random);
        const auto at = input_position(shape_, k_count, element, lane);
        for (unsigned bit = 0; bit < size; ++bit) {
          const unsigned to = element * size + bit;
          words[to / 32] |= static_cast<std::uint32_t>(value >> bit & 1) << to % 32;
        }
        if (f.name == "xf32") value &= ~std::uint64_t{0x1fff};
        if (is_a)
          out[{at.block, at.row, at.k}] = value;
        else
          out[{at.block, at.k, at.row}] = value;
      }
      for (unsigned word = 0; word < words.size(); ++word)
        lab_.set_v(base + word, lane, words[word]);
    }
  }

  unsigned b_row(const Position& at, unsigned k) const {
    return shape_.sparse ? x_.pick.at({at.row, k}) : k;
  }
  std::uint64_t a_bits(const Position& at, unsigned k) const {
    return x_.a.at({at.block, at.row, k});
  }
  std::uint64_t b_bits(const Position& at, unsigned k) const {
    return x_.b.at({at.block, b_row(at, k), at.column});
  }
  Number a_number(const Position& at, unsigned k) const { return decode_number(a_bits(at, k), a_); }
  Number b_number(const Position& at, unsigned k) const { return decode_number(b_bits(at, k), b_); }

  std::uint32_t integer(const Position& at) const {
    std::int64_t sum = static_cast<std::int32_t>(x_.c.at({at.block, at.row, at.column}));
    for (unsigned k = 0; k < shape_.stored(); ++k)
      sum += static_cast<std::int8_t>(a_bits(at, k)) * static_cast<std::int8_t>(b_bits(at, k));
    return static_cast<std::uint32_t>(sum);
  }
  double f64(const Position& at) const {
    auto sum = std::bit_cast<double>(x_.c.at({at.block, at.row, at.column}));
    for (unsigned k = 0; k < shape_.k; ++k)
      sum =
          std::fma(std::bit_cast<double>(a_bits(at, k)), std::bit_cast<double>(b_bits(at, k)), sum);
    return sum;
  }
  float f32(const Position& at) const {
    auto sum =
        std::bit_cast<float>(static_cast<std::uint32_t>(x_.c.at({at.block, at.row, at.column})));
    if (a_.name == "f32") {
      for (unsigned k = 0; k < shape_.k; ++k)
        sum = std::fma(static_cast<float>(a_number(at, k).value),
                       static_cast<float>(b_number(at, k).value), sum);
      return sum;
    }
    if (gfx_ == "gfx908") return cdna1(at, sum);
    if (gfx_ == "gfx90a") return cdna2(at, sum);
    const unsigned group = std::min(shape_.stored(), a_.bits() == 8      ? 16U
                                                     : a_.name == "xf32" ? 4U
                                                                         : 8U);
    // The multipliers of xf32 see ten fraction bits.
    const auto narrow = [&](Number n) {
      if (a_.name == "xf32") n.significand /= 1 << 13;
      return n;
    };
    const int a_fraction = a_.name == "xf32" ? 10 : a_.mantissa_bits;
    const int b_fraction = a_.name == "xf32" ? 10 : b_.mantissa_bits;
    for (unsigned first = 0; first < shape_.stored(); first += group) {
      std::vector<Number> x, y;
      for (unsigned k = first; k < first + group; ++k) {
        x.push_back(narrow(a_number(at, k)));
        y.push_back(narrow(b_number(at, k)));
      }
      sum = cdna3_group(x, y, a_fraction, b_fraction, sum, a_.bits() == 8);
    }
    return sum;
  }
  // Exact sums of four products (bf16: two) and the accumulator, rounded once.
  float cdna1(const Position& at, float sum) const {
    const unsigned group = a_.name == "f16" ? 4 : 2;
    for (unsigned first = 0; first < shape_.k; first += group) {
      std::vector<Number> x, y;
      for (unsigned k = first; k < first + group; ++k) {
        x.push_back(a_number(at, k));
        y.push_back(b_number(at, k));
      }
      sum = cdna1_group(x, y, a_.mantissa_bits, sum);
    }
    return sum;
  }
  float cdna2(const Position& at, float sum) const {
    const auto input = [](const Number& n, const Format& f) {
      const double smallest = std::ldexp(1.0, 1 - f.bias);
      return std::fabs(n.value) < smallest ? 0.0F : static_cast<float>(n.value);
    };
    if (std::fabs(sum) < std::numeric_limits<float>::min()) sum = 0.0F;
    const unsigned group = shape_.wide_bf16 ? 4 : 2;
    for (unsigned first = 0; first < shape_.k; first += group) {
      std::vector<float> products;
      for (unsigned k = first; k < first + group; ++k)
        products.push_back(
            no_denormal(std::fma(input(a_number(at, k), a_), input(b_number(at, k), b_), 0.0F)));
      sum = no_denormal(sum + cdna2_tree(products));
    }
    return sum;
  }

  std::string gfx_;
  Shape shape_;
  Lab lab_;
  bool fnuz_;
  Format a_, b_;
  Matrices x_;
};

}  // namespace hipwright::soft::matrix_test
