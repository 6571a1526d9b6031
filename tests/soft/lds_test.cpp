// SPDX-License-Identifier: MIT
// LDS instructions against a model of LDS as an array of bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "soft/memory_cases.h"

namespace hipwright::soft {

namespace {

using namespace memory_test;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned kSize = 0x10000;

// A lab whose LDS is a copy of the model.
struct Bench {
  explicit Bench(const Machine& machine) : lab(machine.gfx, machine.lanes), lds(kSize) {
    fill(lds, random);
    std::memcpy(lab.group().lds, lds.data(), kSize);
  }
  void run(std::string_view text, u64 mask) {
    lab.wave().set_exec(mask);
    lab.run(text);
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << text << ": " << lab.wave().fault.what;
  }
  void expect_lds(std::string_view text) const {
    if (std::memcmp(lab_lds(), lds.data(), kSize) == 0) return;
    for (unsigned i = 0; i < kSize; ++i) ASSERT_EQ(lab_lds()[i], lds[i]) << text << ": byte " << i;
  }
  const std::uint8_t* lab_lds() const { return const_cast<Lab&>(lab).group().lds; }

  std::mt19937_64 random{42};
  Lab lab;
  Bytes lds;
};

// How lanes spread over memory: next to each other, apart, anywhere, odd, all at one place.
enum Pattern { kConsecutive, kStrided, kAnywhere, kMisaligned, kUniform, kPatterns };

u32 address_of(Pattern pattern, unsigned lane, unsigned bytes, std::mt19937_64& random) {
  switch (pattern) {
    case kConsecutive:
      return 256 + lane * bytes;
    case kStrided:
      return 512 + lane * (bytes + 16) * 4;
    case kAnywhere:
      return static_cast<u32>(random() % 0x8000 / bytes * bytes);
    case kMisaligned:
      return static_cast<u32>(random() % 0x8000);
    default:
      return 0x640;
  }
}

const std::vector<Move>& ds_reads() {
  static const std::vector<Move> kMoves = {
      {"read_u8", "load_u8", 1},
      {"read_i8", "load_i8", 1, true},
      {"read_u16", "load_u16", 2},
      {"read_i16", "load_i16", 2, true},
      {"read_u8_d16", "load_u8_d16", 1, false, 0},
      {"read_u8_d16_hi", "load_u8_d16_hi", 1, false, 1},
      {"read_i8_d16", "load_i8_d16", 1, true, 0},
      {"read_i8_d16_hi", "load_i8_d16_hi", 1, true, 1},
      {"read_u16_d16", "load_u16_d16", 2, false, 0},
      {"read_u16_d16_hi", "load_u16_d16_hi", 2, false, 1},
      {"read_b32", "load_b32", 4},
      {"read_b64", "load_b64", 8},
      {"read_b96", "load_b96", 12},
      {"read_b128", "load_b128", 16},
  };
  return kMoves;
}
const std::vector<Move>& ds_writes() {
  static const std::vector<Move> kMoves = {
      {"write_b8", "store_b8", 1},
      {"write_b16", "store_b16", 2},
      {"write_b8_d16_hi", "store_b8_d16_hi", 1, false, 1},
      {"write_b16_d16_hi", "store_b16_d16_hi", 2, false, 1},
      {"write_b32", "store_b32", 4},
      {"write_b64", "store_b64", 8},
      {"write_b96", "store_b96", 12},
      {"write_b128", "store_b128", 16},
  };
  return kMoves;
}

// Sets rows 4…7 to random values and returns those of a lane.
void set_rows(Bench& bench, unsigned first, unsigned count) {
  for (unsigned row = first; row < first + count; ++row)
    for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane)
      bench.lab.set_v(row, lane, static_cast<u32>(bench.random()));
}
Words rows_of(const Lab& lab, unsigned first, unsigned count, unsigned lane) {
  Words words;
  for (unsigned i = 0; i < count; ++i) words.push_back(lab.v(first + i, lane));
  return words;
}

TEST(Lds, ReadsGiveTheBytesOfActiveLanes) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    for (const Move& move : ds_reads())
      for (int pattern = 0; pattern < kPatterns; ++pattern)
        for (const u64 mask : masks(machine.lanes)) {
          const std::string rest =
              fmt::format(" {}, v2 offset:{}", registers('v', 4, move.dwords()), pattern * 12);
          const std::string text = accepted(bench.lab, {fmt::format("ds_{}{}", move.gfx9, rest),
                                                        fmt::format("ds_{}{}", move.gfx11, rest)});
          ASSERT_FALSE(text.empty()) << machine.gfx << move.gfx9;
          SCOPED_TRACE(fmt::format("{} {} {} {:#x}", machine.gfx, machine.lanes, text, mask));
          set_rows(bench, 4, 4);
          std::vector<Words> expected;
          for (unsigned lane = 0; lane < machine.lanes; ++lane) {
            const u32 address =
                address_of(static_cast<Pattern>(pattern), lane, move.bytes, bench.random);
            bench.lab.set_v(2, lane, address);
            Words words = rows_of(bench.lab, 4, 4, lane);
            if (active(mask, lane)) words = loaded(move, &bench.lds[address + pattern * 12], words);
            expected.push_back(words);
          }
          ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
          for (unsigned lane = 0; lane < machine.lanes; ++lane)
            ASSERT_EQ(rows_of(bench.lab, 4, 4, lane), expected[lane]) << "lane " << lane;
        }
  }
}

TEST(Lds, WritesChangeTheBytesOfActiveLanes) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    for (const Move& move : ds_writes())
      for (int pattern = 0; pattern < kPatterns; ++pattern)
        for (const u64 mask : masks(machine.lanes)) {
          const std::string rest =
              fmt::format(" v2, {} offset:{}", registers('v', 4, move.dwords()), pattern * 12);
          const std::string text = accepted(bench.lab, {fmt::format("ds_{}{}", move.gfx9, rest),
                                                        fmt::format("ds_{}{}", move.gfx11, rest)});
          ASSERT_FALSE(text.empty()) << machine.gfx << move.gfx9;
          set_rows(bench, 4, 4);
          for (unsigned lane = 0; lane < machine.lanes; ++lane) {
            const u32 address =
                address_of(static_cast<Pattern>(pattern), lane, move.bytes, bench.random);
            bench.lab.set_v(2, lane, address);
            const Bytes bytes = stored(move, rows_of(bench.lab, 4, 4, lane));
            if (active(mask, lane))
              std::ranges::copy(bytes, bench.lds.begin() + address + pattern * 12);
          }
          ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
          ASSERT_NO_FATAL_FAILURE(bench.expect_lds(fmt::format("{} {}", machine.gfx, text)));
        }
  }
}

TEST(Lds, TwoAddressFormsScaleTheirOffsets) {
  struct Form {
    std::string_view read9, read11, write9, write11, swap9, swap11;
    unsigned dwords, unit;
  };
  const Form forms[] = {
      {"read2_b32", "load_2addr_b32", "write2_b32", "store_2addr_b32", "wrxchg2_rtn_b32",
       "storexchg_2addr_rtn_b32", 1, 4},
      {"read2_b64", "load_2addr_b64", "write2_b64", "store_2addr_b64", "wrxchg2_rtn_b64",
       "storexchg_2addr_rtn_b64", 2, 8},
      {"read2st64_b32", "load_2addr_stride64_b32", "write2st64_b32", "store_2addr_stride64_b32",
       "wrxchg2st64_rtn_b32", "storexchg_2addr_stride64_rtn_b32", 1, 256},
      {"read2st64_b64", "load_2addr_stride64_b64", "write2st64_b64", "store_2addr_stride64_b64",
       "wrxchg2st64_rtn_b64", "storexchg_2addr_stride64_rtn_b64", 2, 512},
  };
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    const auto spelled = [&](std::string_view gfx9, std::string_view gfx11,
                             const std::string& rest) {
      return accepted(bench.lab,
                      {fmt::format("ds_{}{}", gfx9, rest), fmt::format("ds_{}{}", gfx11, rest)});
    };
    for (const Form& form : forms)
      for (const u64 mask : masks(machine.lanes)) {
        constexpr unsigned offsets[] = {3, 17};
        const std::string data =
            fmt::format("v2, {}, {} offset0:3 offset1:17", registers('v', 4, form.dwords),
                        registers('v', 6, form.dwords));
        const std::string result = registers('v', 8, 2 * form.dwords);
        const std::string read =
            spelled(form.read9, form.read11, fmt::format(" {}, v2 offset0:3 offset1:17", result));
        const std::string write = spelled(form.write9, form.write11, " " + data);
        const std::string swap =
            spelled(form.swap9, form.swap11, fmt::format(" {}, {}", result, data));
        ASSERT_FALSE(read.empty() || write.empty() || swap.empty()) << machine.gfx;
        SCOPED_TRACE(fmt::format("{} {} {:#x}", machine.gfx, read, mask));
        for (const std::string& text : {read, write, swap}) {
          set_rows(bench, 4, 8);
          std::vector<Words> expected;
          for (unsigned lane = 0; lane < machine.lanes; ++lane) {
            bench.lab.set_v(2, lane, 8 * lane);
            expected.push_back(rows_of(bench.lab, 8, 4, lane));
          }
          const auto access = [&](unsigned lane, unsigned k) {
            if (!active(mask, lane)) return;
            std::uint8_t* at = &bench.lds[8 * lane + offsets[k] * form.unit];
            const Words was = loaded({"", "", form.dwords * 4}, at, Words(4));
            if (text != write)
              std::copy_n(was.begin(), form.dwords, expected[lane].begin() + k * form.dwords);
            if (text != read)
              for (unsigned i = 0; i < form.dwords * 4; ++i)
                at[i] = static_cast<std::uint8_t>(bench.lab.v(4 + 2 * k + i / 4, lane) >>
                                                  (8 * (i % 4)));
          };
          // Lanes overlap: writes are those of the first offset, then those of the second; an
          // exchange is one act of a lane.
          if (text == swap) {
            for (unsigned lane = 0; lane < machine.lanes; ++lane) access(lane, 0), access(lane, 1);
          } else {
            for (const unsigned k : {0U, 1U})
              for (unsigned lane = 0; lane < machine.lanes; ++lane) access(lane, k);
          }
          ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
          for (unsigned lane = 0; lane < machine.lanes; ++lane)
            ASSERT_EQ(rows_of(bench.lab, 8, 4, lane), expected[lane]) << text << lane;
          ASSERT_NO_FATAL_FAILURE(bench.expect_lds(text));
        }
      }
  }
}

TEST(Lds, AddtidFormsTakeTheBaseFromM0) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    const std::string read =
        accepted(bench.lab, {"ds_read_addtid_b32 v4 offset:16", "ds_load_addtid_b32 v4 offset:16"});
    const std::string write = accepted(
        bench.lab, {"ds_write_addtid_b32 v5 offset:20", "ds_store_addtid_b32 v5 offset:20"});
    ASSERT_FALSE(read.empty() || write.empty());
    const u64 mask = masks(machine.lanes)[3];
    // The upper half of M0 does not count.
    bench.lab.set_s(kM0, 0xabcd0200);
    set_rows(bench, 4, 2);
    std::vector<Words> expected;
    for (unsigned lane = 0; lane < machine.lanes; ++lane) {
      Words words = rows_of(bench.lab, 4, 1, lane);
      if (active(mask, lane)) words = loaded({"", "", 4}, &bench.lds[0x210 + lane * 4], words);
      expected.push_back(words);
    }
    ASSERT_NO_FATAL_FAILURE(bench.run(read, mask));
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      ASSERT_EQ(rows_of(bench.lab, 4, 1, lane), expected[lane]) << lane;
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      if (active(mask, lane))
        std::ranges::copy(stored({"", "", 4}, rows_of(bench.lab, 5, 1, lane)),
                          bench.lds.begin() + 0x214 + lane * 4);
    ASSERT_NO_FATAL_FAILURE(bench.run(write, mask));
    ASSERT_NO_FATAL_FAILURE(bench.expect_lds(write));
  }
}

// LDS atomics by their own names; operands in the order of the text.
struct LdsAtomic {
  std::string name;  // "add_u32": ds_add_u32 and ds_add_rtn_u32
  unsigned bits = 32;
  unsigned data = 1;  // data operands
  char values = 'i';
  std::function<u64(u64 old, u64 first, u64 second, Isa)> result;
  bool only_returning = false;
};

std::vector<LdsAtomic> lds_atomics() {
  std::vector<LdsAtomic> list;
  using Function = u64 (*)(u64, u64, u64, unsigned);
  const auto both = [&](std::string name, std::string letter, unsigned data, Function f) {
    for (const unsigned bits : {32U, 64U}) {
      const u64 mask = bits == 64 ? ~0ULL : 0xffffffffULL;
      list.push_back({name + "_" + letter + std::to_string(bits), bits, data, 'i',
                      [=](u64 old, u64 a, u64 b, Isa) { return f(old, a, b, bits) & mask; }});
    }
  };
  const auto as_signed = [](u64 x, unsigned bits) {
    return bits == 64 ? static_cast<std::int64_t>(x)
                      : static_cast<std::int64_t>(static_cast<std::int32_t>(x));
  };
  static const auto to_signed = as_signed;
  both("add", "u", 1, [](u64 old, u64 a, u64, unsigned) { return old + a; });
  both("sub", "u", 1, [](u64 old, u64 a, u64, unsigned) { return old - a; });
  both("rsub", "u", 1, [](u64 old, u64 a, u64, unsigned) { return a - old; });
  both("inc", "u", 1, [](u64 old, u64 a, u64, unsigned) { return old < a ? old + 1 : 0; });
  both("dec", "u", 1,
       [](u64 old, u64 a, u64, unsigned) { return old >= 1 && old <= a ? old - 1 : a; });
  both("min", "u", 1, [](u64 old, u64 a, u64, unsigned) { return old < a ? old : a; });
  both("max", "u", 1, [](u64 old, u64 a, u64, unsigned) { return old > a ? old : a; });
  both("min", "i", 1, [](u64 old, u64 a, u64, unsigned bits) {
    return to_signed(old, bits) < to_signed(a, bits) ? old : a;
  });
  both("max", "i", 1, [](u64 old, u64 a, u64, unsigned bits) {
    return to_signed(old, bits) > to_signed(a, bits) ? old : a;
  });
  both("and", "b", 1, [](u64 old, u64 a, u64, unsigned) { return old & a; });
  both("or", "b", 1, [](u64 old, u64 a, u64, unsigned) { return old | a; });
  both("xor", "b", 1, [](u64 old, u64 a, u64, unsigned) { return old ^ a; });
  both("mskor", "b", 2, [](u64 old, u64 a, u64 b, unsigned) { return (old & ~a) | b; });
  // gfx9: comparand first, gfx11: new value first.
  both("cmpst", "b", 2, [](u64 old, u64 a, u64 b, unsigned) { return old == a ? b : old; });
  both("cmpstore", "b", 2, [](u64 old, u64 a, u64 b, unsigned) { return old == b ? a : old; });
  both("wrxchg", "b", 1, [](u64, u64 a, u64, unsigned) { return a; });
  both("storexchg", "b", 1, [](u64, u64 a, u64, unsigned) { return a; });
  for (std::size_t i = list.size() - 4; i < list.size(); ++i) list[i].only_returning = true;
  const auto one = [&](std::string name, unsigned bits, unsigned data, char values, auto f) {
    list.push_back({std::move(name), bits, data, values, f});
  };
  one("cmpst_f32", 32, 2, 'f', [](u64 old, u64 a, u64 b, Isa) {
    return as_float<float>(old) == as_float<float>(a) ? b : old;
  });
  one("cmpst_f64", 64, 2, 'f', [](u64 old, u64 a, u64 b, Isa) {
    return as_float<double>(old) == as_float<double>(a) ? b : old;
  });
  one("cmpstore_f32", 32, 2, 'f', [](u64 old, u64 a, u64 b, Isa) {
    return as_float<float>(old) == as_float<float>(b) ? a : old;
  });
  one("cmpstore_f64", 64, 2, 'f', [](u64 old, u64 a, u64 b, Isa) {
    return as_float<double>(old) == as_float<double>(b) ? a : old;
  });
  for (const std::string number : {"", "_num"}) {
    one("min" + number + "_f32", 32, 1, 'f',
        [](u64 old, u64 a, u64, Isa isa) { return extreme<float>(old, a, isa, false); });
    one("max" + number + "_f32", 32, 1, 'f',
        [](u64 old, u64 a, u64, Isa isa) { return extreme<float>(old, a, isa, true); });
    one("min" + number + "_f64", 64, 1, 'f',
        [](u64 old, u64 a, u64, Isa isa) { return extreme<double>(old, a, isa, false); });
    one("max" + number + "_f64", 64, 1, 'f',
        [](u64 old, u64 a, u64, Isa isa) { return extreme<double>(old, a, isa, true); });
  }
  one("add_f32", 32, 1, 'f', [](u64 old, u64 a, u64, Isa) { return added<float>(old, a, false); });
  one("add_f64", 64, 1, 'f', [](u64 old, u64 a, u64, Isa) { return added<double>(old, a, false); });
  one("pk_add_f16", 32, 1, 'h', [](u64 old, u64 a, u64, Isa) { return add_pair(old, a, 10); });
  one("pk_add_bf16", 32, 1, 'b', [](u64 old, u64 a, u64, Isa) { return add_pair(old, a, 7); });
  one("cond_sub_u32", 32, 1, 'i', [](u64 old, u64 a, u64, Isa) { return old < a ? old : old - a; });
  one("sub_clamp_u32", 32, 1, 'i', [](u64 old, u64 a, u64, Isa) { return old < a ? 0 : old - a; });
  list.push_back(
      {"wrap_b32", 32, 2, 'i',
       [](u64 old, u64 a, u64 b, Isa) { return (old < a ? old + b : old - a) & 0xffffffff; },
       true});
  list.push_back({"condxchg32_b64", 64, 1, 'i',
                  [](u64 old, u64 a, u64, Isa) {
                    const u64 low = (a & 0x80000000) ? a & 0x7fffffff : old & 0xffffffff;
                    const u64 high = (a >> 63) ? (a >> 32) & 0x7fffffff : old >> 32;
                    return low | high << 32;
                  },
                  true});
  return list;
}

TEST(Lds, AtomicsOnEveryTargetThatHasThem) {
  std::set<std::string> seen;
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    const Isa isa = bench.lab.wave().isa;
    for (const LdsAtomic& atomic : lds_atomics())
      for (const bool returns : {false, true}) {
        if (!returns && atomic.only_returning) continue;
        const unsigned dwords = atomic.bits / 32;
        std::string name = "ds_" + atomic.name;
        if (returns) name.insert(name.rfind('_'), "_rtn");
        std::string text =
            fmt::format("{} {}v2, {}", name, returns ? registers('v', 8, dwords) + ", " : "",
                        registers('v', 4, dwords));
        if (atomic.data == 2) text += ", " + registers('v', 6, dwords);
        text += " offset:64";
        if (!bench.lab.accepts(text)) continue;
        seen.insert(name);
        for (const u64 mask : masks(machine.lanes)) {
          SCOPED_TRACE(fmt::format("{} {} {} {:#x}", machine.gfx, machine.lanes, text, mask));
          set_rows(bench, 8, 2);
          // Few places, so that lanes meet; half of the comparisons succeed.
          for (unsigned place = 0; place < 8; ++place) {
            const u64 value = pick(atomic.values, atomic.bits, bench.random);
            std::memcpy(&bench.lds[64 + place * 8], &value, 8);
            std::memcpy(bench.lab.group().lds + 64 + place * 8, &value, 8);
          }
          std::vector<Words> expected;
          for (unsigned lane = 0; lane < machine.lanes; ++lane) {
            const u32 address = static_cast<u32>(bench.random() % 8 * 8);
            u64 old = 0;
            std::memcpy(&old, &bench.lds[64 + address], dwords * 4);
            u64 first = pick(atomic.values, atomic.bits, bench.random),
                second = pick(atomic.values, atomic.bits, bench.random);
            if (bench.random() % 2) first = old;
            if (bench.random() % 2) second = old;
            bench.lab.set_v(2, lane, address);
            for (unsigned i = 0; i < dwords; ++i) {
              bench.lab.set_v(4 + i, lane, static_cast<u32>(first >> (32 * i)));
              bench.lab.set_v(6 + i, lane, static_cast<u32>(second >> (32 * i)));
            }
            Words words = rows_of(bench.lab, 8, 2, lane);
            if (active(mask, lane)) {
              const u64 changed = atomic.result(old, first, second, isa);
              std::memcpy(&bench.lds[64 + address], &changed, dwords * 4);
              for (unsigned i = 0; returns && i < dwords; ++i)
                words[i] = static_cast<u32>(old >> (32 * i));
            }
            expected.push_back(words);
          }
          ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
          for (unsigned lane = 0; lane < machine.lanes; ++lane)
            ASSERT_EQ(rows_of(bench.lab, 8, 2, lane), expected[lane]) << "lane " << lane;
          ASSERT_NO_FATAL_FAILURE(bench.expect_lds(text));
        }
      }
  }
  // Every name of the table is somewhere.
  for (const LdsAtomic& atomic : lds_atomics()) {
    std::string name = "ds_" + atomic.name;
    name.insert(name.rfind('_'), "_rtn");
    EXPECT_TRUE(seen.contains(name)) << name;
  }
}

TEST(Lds, FloatAdditionFlushesDenormalsPerMode) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    for (const bool keep : {false, true}) {
      bench.lab.wave().mode.denormal_f32 = keep ? 3 : 0;
      const u32 denormal = 0x00400001;
      std::memcpy(bench.lab.group().lds + 128, &denormal, 4);
      bench.lab.set_v(2, 0, 128);
      bench.lab.set_v(4, 0, 0x00000001);
      ASSERT_NO_FATAL_FAILURE(bench.run("ds_add_f32 v2, v4", 1));
      u32 sum = 0;
      std::memcpy(&sum, bench.lab.group().lds + 128, 4);
      EXPECT_EQ(sum, keep ? 0x00400002U : 0U) << machine.gfx;
    }
  }
}

TEST(Lds, AppendAndConsumeCountActiveLanes) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    for (const u64 mask : masks(machine.lanes))
      for (const std::string_view name : {"ds_append", "ds_consume"}) {
        u32 counter = 1000;
        std::memcpy(bench.lab.group().lds + 64, &counter, 4);
        set_rows(bench, 4, 1);
        std::vector<Words> before;
        for (unsigned lane = 0; lane < machine.lanes; ++lane)
          before.push_back(rows_of(bench.lab, 4, 1, lane));
        ASSERT_NO_FATAL_FAILURE(bench.run(fmt::format("{} v4 offset:64", name), mask));
        std::memcpy(&counter, bench.lab.group().lds + 64, 4);
        const auto lanes = static_cast<u32>(std::popcount(mask));
        EXPECT_EQ(counter, name == "ds_append" ? 1000 + lanes : 1000 - lanes);
        for (unsigned lane = 0; lane < machine.lanes; ++lane)
          EXPECT_EQ(bench.lab.v(4, lane), active(mask, lane) ? 1000U : before[lane][0]);
      }
  }
}

TEST(Lds, TransposedReadsTurnRowsOfSixteenIntoColumns) {
  Bench bench({"gfx950", 64});
  for (const unsigned bits : {16U, 8U, 4U}) {
    const unsigned elements = 64 / bits;
    // Element (row, column) of each group's matrix, packed row after row.
    for (unsigned lane = 0; lane < 64; ++lane) bench.lab.set_v(2, lane, lane * 8);
    const auto element = [&](unsigned group, unsigned row, unsigned column) {
      const unsigned bit = (row * 16 + column) * bits;
      u32 value = 0;
      for (unsigned i = 0; i < bits; ++i) {
        const unsigned at = bit + i;
        value |= ((bench.lds[group * 128 + at / 8] >> (at % 8)) & 1U) << i;
      }
      return value;
    };
    ASSERT_NO_FATAL_FAILURE(bench.run(fmt::format("ds_read_b64_tr_b{} v[4:5], v2", bits), ~0ULL));
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned k = 0; k < elements; ++k) {
        const u64 got = bench.lab.v64(4, lane) >> (k * bits) & ((1ULL << bits) - 1);
        ASSERT_EQ(got, element(lane / 16, k, lane % 16))
            << bits << " lane " << lane << " row " << k;
      }
  }
}

TEST(Lds, OutOfBoundsFaultsAndNamesTheLane) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    for (unsigned lane = 0; lane < machine.lanes; ++lane) bench.lab.set_v(2, lane, lane * 4);
    bench.lab.set_v(2, 7, kSize - 3);
    bench.lab.wave().set_exec(~0ULL);
    bench.lab.run("ds_add_u32 v2, v4\n");
    EXPECT_EQ(bench.lab.wave().state, WaveState::kFault);
    EXPECT_EQ(bench.lab.wave().fault.kind, Fault::Kind::kBadAddress);
    EXPECT_EQ(bench.lab.wave().fault.lane, 7U);
    // The same lane inactive: no fault.
    Bench other(machine);
    other.lab.set_v(2, 7, kSize - 3);
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      if (lane != 7) other.lab.set_v(2, lane, lane * 4);
    ASSERT_NO_FATAL_FAILURE(other.run("ds_add_u32 v2, v4", masks(machine.lanes)[0] & ~(1ULL << 7)));
  }
}

// Tensile's kernels make zeros of loads there, and send the lanes that store nothing there.
TEST(Lds, NowhereReadsAsZeroAndTakesNothing) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    for (unsigned lane = 0; lane < machine.lanes; ++lane) {
      bench.lab.set_v(2, lane, lane % 2 ? 0xf00000 : lane * 4);
      for (unsigned row : {4U, 5U, 6U, 7U}) bench.lab.set_v(row, lane, 0xdead0000 + lane);
    }
    const std::string read = accepted(bench.lab, {"ds_read_b32 v4, v2", "ds_load_b32 v4, v2"});
    const std::string both = accepted(
        bench.lab, {"ds_read2_b32 v[6:7], v2 offset1:9", "ds_load_2addr_b32 v[6:7], v2 offset1:9"});
    ASSERT_NO_FATAL_FAILURE(bench.run(read + "\n" + both, ~0ULL));
    for (unsigned lane = 0; lane < machine.lanes; ++lane) {
      EXPECT_EQ(bench.lab.v(4, lane) == 0, lane % 2 == 1) << lane;
      EXPECT_EQ(bench.lab.v(7, lane) == 0, lane % 2 == 1) << lane;
    }
    // All lanes there: nothing is stored. Far away from there: a fault.
    Bench other(machine);
    for (unsigned lane = 0; lane < machine.lanes; ++lane) other.lab.set_v(2, lane, 0xf00000);
    const std::string write = accepted(
        other.lab, {"ds_write_b32 v2, v4 offset:65535", "ds_store_b32 v2, v4 offset:65535"});
    ASSERT_NO_FATAL_FAILURE(other.run(write, ~0ULL));
    ASSERT_NO_FATAL_FAILURE(other.expect_lds(write));
    Bench wrong(machine);
    wrong.lab.set_v(2, 1, 0xe00000);
    wrong.lab.wave().set_exec(~0ULL);
    wrong.lab.run(write + "\n");
    EXPECT_EQ(wrong.lab.wave().state, WaveState::kFault);
  }
}

TEST(Lds, AddressPlusOffsetWrapsAtThirtyTwoBits) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    bench.lab.set_v(2, 0, static_cast<u32>(-16));
    const std::string text =
        accepted(bench.lab, {"ds_read_b32 v4, v2 offset:48", "ds_load_b32 v4, v2 offset:48"});
    ASSERT_NO_FATAL_FAILURE(bench.run(text, 1));
    EXPECT_EQ(Words{bench.lab.v(4, 0)}, loaded({"", "", 4}, &bench.lds[32], Words(1)));
  }
}

TEST(Lds, GlobalDataShareIsRejected) {
  for (const std::string_view text : {"ds_gws_barrier v0 offset:0 gds", "ds_add_u32 v0, v1 gds"})
    for (const Machine& machine : machines()) {
      Bench bench(machine);
      if (!bench.lab.accepts(text)) continue;
      bench.lab.run(text);
      EXPECT_EQ(bench.lab.wave().fault.kind, Fault::Kind::kUnsupported) << text;
    }
}

}  // namespace

}  // namespace hipwright::soft
