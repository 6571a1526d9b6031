// SPDX-License-Identifier: MIT
#include "soft/vector_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace hipwright::soft {

namespace {

// A program holds the instruction eight times, on registers of its own each time; the last four
// run with some lanes only.
constexpr unsigned kSets = 8;
constexpr unsigned kFullSets = 4;
constexpr unsigned kRowsPerSet = 8;  // d, a, b, c: two registers each
constexpr unsigned kMaskIn = 20, kMaskOut = 40, kPartial = 60;

unsigned row_of(char name) {
  switch (name) {
    case 'd':
      return 0;
    case 'a':
      return 2;
    case 'b':
      return 4;
    default:
      return 6;
  }
}

std::string mask_register(unsigned index, unsigned lanes) {
  return lanes == 32 ? fmt::format("s{}", index) : fmt::format("s[{}:{}]", index, index + 1);
}

std::string fill_in(const std::string& text, unsigned set, unsigned lanes) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      out += text[i];
      continue;
    }
    const char name = text[i + 1];
    i += 2;
    if (name == 'm') {
      out += mask_register(kMaskIn + 2 * set, lanes);
    } else if (name == 'f') {
      out += mask_register(kMaskOut + 2 * set, lanes);
    } else if (name >= 'A' && name <= 'D') {
      const unsigned row = set * kRowsPerSet + row_of(static_cast<char>(name - 'A' + 'a'));
      out += fmt::format("v[{}:{}]", row, row + 1);
    } else {
      out += fmt::format("v{}", set * kRowsPerSet + row_of(name));
    }
  }
  return out;
}

std::vector<std::string> spellings(const std::string& text) {
  const std::size_t space = text.find(' ');
  std::vector<std::string> out;
  std::size_t from = 0;
  while (from < space) {
    const std::size_t to = std::min(text.find('/', from), space);
    out.push_back(text.substr(from, to - from) + text.substr(space));
    from = to + 1;
  }
  return out;
}

class Operands {
 public:
  explicit Operands(Pool pool) : pool_(pool) {}

  std::uint64_t next() {
    // Now and then the value before: equal operands are a case of their own.
    if (random_() % 5 == 0) return last_;
    switch (pool_) {
      case Pool::kIntegers:
        last_ = pick(integers_) | (std::uint64_t{pick(integers_)} << 32);
        break;
      case Pool::kF16:
        last_ = pick(halves_) | (std::uint64_t{pick(halves_)} << 16) | (random_() << 32);
        break;
      case Pool::kF32:
        last_ = pick(floats_) | (random_() << 32);
        break;
      case Pool::kF64:
        last_ = pick(doubles_);
        break;
    }
    return last_;
  }
  std::uint64_t bits() { return random_(); }

 private:
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[random_() % from.size()];
  }

  Pool pool_;
  std::mt19937_64 random_{20260601};
  std::uint64_t last_ = 0;
  std::vector<std::uint32_t> integers_ = interesting_i32(200);
  std::vector<std::uint16_t> halves_ = interesting_f16(200);
  std::vector<std::uint32_t> floats_ = interesting_f32(200);
  std::vector<std::uint64_t> doubles_ = interesting_f64(200);
};

VectorIn read_lane(const Lab& lab, unsigned set, unsigned lane, const std::string& text) {
  const auto value = [&](char name) -> std::uint64_t {
    const unsigned row = set * kRowsPerSet + row_of(name);
    const char capital = static_cast<char>(name - 'a' + 'A');
    const bool wide = text.find(std::string("{") + capital + "}") != std::string::npos;
    return wide ? lab.v64(row, lane) : lab.v(row, lane);
  };
  return {.a = value('a'), .b = value('b'), .c = value('c'), .old = value('d'), .lane = lane};
}

void check_on(const VectorCase& test, const std::string& text, Lab& lab) {
  const unsigned lanes = lab.lanes();
  Operands operands(test.pool);
  for (unsigned row = 0; row < kSets * kRowsPerSet; row += 2)
    for (unsigned lane = 0; lane < lanes; ++lane) lab.set_v64(row, lane, operands.next());
  const std::uint64_t partial = operands.bits() & lab.wave().full_exec;
  lab.set_s64(kPartial, partial);
  for (unsigned set = 0; set < kSets; ++set) {
    lab.set_s64(kMaskIn + 2 * set, operands.bits());
    lab.set_s64(kMaskOut + 2 * set, operands.bits());
  }
  std::vector<std::vector<VectorIn>> inputs(kSets);
  std::string program;
  for (unsigned set = 0; set < kSets; ++set) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      VectorIn in = read_lane(lab, set, lane, text);
      in.mask = (lab.s64(kMaskIn + 2 * set) >> lane) & 1U;
      in.lanes = lanes;
      in.isa = lab.wave().isa;
      inputs[set].push_back(in);
    }
    if (set == kFullSets)
      program += fmt::format("s_mov_b{} {}, {}\n", lanes, lanes == 32 ? "exec_lo" : "exec",
                             mask_register(kPartial, lanes));
    program += fill_in(text, set, lanes) + "\n";
  }
  lab.wave().set_exec(lab.wave().full_exec);
  lab.run(program);
  ASSERT_EQ(lab.wave().state, WaveState::kEnded) << text << ": " << lab.wave().fault.what;

  const bool has_value = text.find("{d}") != text.npos || text.find("{D}") != text.npos;
  const bool has_flag = text.find("{f}") != text.npos;
  for (unsigned set = 0; set < kSets; ++set)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const VectorIn& in = inputs[set][lane];
      const bool active = set < kFullSets || ((partial >> lane) & 1U);
      const VectorOut want = active ? test.oracle(in) : VectorOut{in.old, false};
      const std::string where = fmt::format(
          "{}\nlane {} {} of {}, a {:#x}, b {:#x}, c {:#x}, old {:#x}, mask {}", text, lane,
          active ? "(active)" : "(inactive)", lanes, in.a, in.b, in.c, in.old, in.mask);
      if (has_value) {
        const std::uint64_t got = read_lane(lab, set, lane, text).old;
        ASSERT_EQ(fmt::format("{:#x}", got), fmt::format("{:#x}", want.value)) << where;
      }
      if (has_flag) {
        const bool got = (lab.s64(kMaskOut + 2 * set) >> lane) & 1U;
        ASSERT_EQ(got, want.flag) << where;
      }
    }
}

}  // namespace

void check(const VectorCase& test) {
  unsigned targets = 0;
  for (const std::string& gfx : all_targets()) {
    bool found = false;
    for (const unsigned lanes : {32U, 64U}) {
      if (lanes == 32 && is_gfx9(*isa_of(gfx))) continue;
      Lab lab(gfx, lanes);
      for (const std::string& text : spellings(test.text)) {
        if (!lab.accepts(fill_in(text, 0, lanes))) continue;
        found = true;
        SCOPED_TRACE(gfx);
        check_on(test, text, lab);
        break;
      }
    }
    targets += found;
  }
  EXPECT_EQ(targets, test.targets) << test.text << ": the number of targets that have it";
}

void check_all(std::span<const VectorCase> tests) {
  for (const VectorCase& test : tests) check(test);
}

}  // namespace hipwright::soft
