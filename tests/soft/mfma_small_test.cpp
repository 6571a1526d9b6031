// SPDX-License-Identifier: MIT
// gfx950's f8f6f4: A and B in any of five formats, with and without scales.
#include <gtest/gtest.h>

#include "soft/lab.h"
#include "soft/mfma_run.h"

namespace hipwright::soft {
namespace {

using namespace matrix_test;

struct Small {
  const char* name;
  unsigned code, dwords;
};
constexpr Small kSmall[] = {
    {"fp8", 0, 8}, {"bf8", 1, 8}, {"fp6", 2, 6}, {"bf6", 3, 6}, {"fp4", 4, 4}};

// Column of element `element` in lane group `group`: 8-bit formats keep two runs of 16 columns
// that are half of K apart, the smaller ones one run of 32.
unsigned small_column(const Small& format, unsigned k, unsigned group, unsigned element) {
  if (format.dwords == 8) return element / 16 * (k / 2) + group * 16 + element % 16;
  return group * 32 + element;
}

void run_small(unsigned m, unsigned k, const Small& fa, const Small& fb, bool scaled,
               unsigned byte_a, unsigned byte_b, std::mt19937_64& random) {
  Lab lab("gfx950");
  std::vector<std::vector<double>> a(m, std::vector<double>(k)), b(k, std::vector<double>(m));
  const auto fill = [&](unsigned base, const Small& small, auto set) {
    const Format f = format_named(small.name, false);
    const auto bits = static_cast<unsigned>(f.bits());
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::vector<std::uint32_t> words(small.dwords);
      for (unsigned element = 0; element < 32; ++element) {
        const std::uint64_t code = random_pattern(f, 1, random);
        for (unsigned bit = 0; bit < bits; ++bit)
          words[(element * bits + bit) / 32] |= static_cast<std::uint32_t>(code >> bit & 1)
                                                << (element * bits + bit) % 32;
        set(lane % m, small_column(small, k, lane / m, element), decode_number(code, f).value);
      }
      for (unsigned word = 0; word < small.dwords; ++word)
        lab.set_v(base + word, lane, words[word]);
    }
  };
  fill(kA, fa, [&](unsigned i, unsigned column, double v) { a[i][column] = v; });
  fill(kB, fb, [&](unsigned j, unsigned column, double v) { b[column][j] = v; });
  for (unsigned lane = 0; lane < kLanes && scaled; ++lane) {
    const auto code_a = static_cast<std::uint32_t>(124 + random() % 7);
    const auto code_b = static_cast<std::uint32_t>(124 + random() % 7);
    lab.set_v(kScaleA, lane, (0x01010101U & ~(0xffU << 8 * byte_a)) | code_a << 8 * byte_a);
    lab.set_v(kScaleB, lane, (0x01010101U & ~(0xffU << 8 * byte_b)) | code_b << 8 * byte_b);
    for (unsigned column = lane / m * 32; column < lane / m * 32 + 32; ++column) {
      a[lane % m][column] *= std::ldexp(1.0, static_cast<int>(code_a) - 127);
      b[column][lane % m] *= std::ldexp(1.0, static_cast<int>(code_b) - 127);
    }
  }
  const unsigned out = m * m / kLanes;
  std::string text = fmt::format("v_mfma_{}f32_{}x{}x{}_f8f6f4 {}, {}, {}, 1.0",
                                 scaled ? "scale_" : "", m, m, k, registers("v", kD, out),
                                 registers("v", kA, fa.dwords), registers("v", kB, fb.dwords));
  if (scaled)
    text += fmt::format(", v{}, v{} op_sel:[{},{},0] op_sel_hi:[{},{},0]", kScaleA, kScaleB,
                        byte_a & 1, byte_b & 1, byte_a >> 1, byte_b >> 1);
  text += fmt::format(" cbsz:{} blgp:{}", fa.code, fb.code);
  ASSERT_TRUE(lab.accepts(text)) << text;
  lab.run(text);
  Shape shape;
  shape.m = m;
  shape.out = "f32";
  unsigned wrong = 0;
  for (unsigned slot = 0; slot < out; ++slot)
    for (unsigned lane = 0; lane < kLanes && wrong < 3; ++lane) {
      const Position at = output_position(shape, slot, lane);
      double sum = 1.0, largest = 1.0;
      for (unsigned x = 0; x < k; ++x) {
        sum += a[at.row][x] * b[x][at.column];
        largest = std::max({largest, std::fabs(sum), std::fabs(a[at.row][x] * b[x][at.column])});
      }
      const double got = static_cast<double>(std::bit_cast<float>(lab.v(kD + slot, lane)));
      if (!(std::fabs(got - sum) <= largest * 0x1p-22))
        ADD_FAILURE() << text << ++wrong
                      << fmt::format(": D[{}][{}] {} != {}", at.row, at.column, got, sum);
    }
}

TEST(MfmaF8F6F4, EveryPairOfFormats) {
  std::mt19937_64 random(11);
  for (const auto& [m, k] : {std::pair{16U, 128U}, std::pair{32U, 64U}})
    for (const Small& a : kSmall)
      for (const Small& b : kSmall) run_small(m, k, a, b, false, 0, 0, random);
}

TEST(MfmaF8F6F4, ScalesApplyToBlocksOf32) {
  std::mt19937_64 random(12);
  for (const auto& [m, k] : {std::pair{16U, 128U}, std::pair{32U, 64U}})
    for (const Small& a : kSmall)
      for (unsigned byte = 0; byte < 4; ++byte)
        run_small(m, k, a, kSmall[byte], true, byte, 3 - byte, random);
}

}  // namespace
}  // namespace hipwright::soft
