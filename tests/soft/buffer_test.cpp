// SPDX-License-Identifier: MIT
// Buffer instructions: descriptors, addressing, range rules, the private segment of gfx90a.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "soft/memory_cases.h"

namespace hipwright::soft {

namespace {

using namespace memory_test;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned kSize = 0x4000;

// The fields of a descriptor, packed as the target lays them out.
struct Descriptor {
  u64 base = 0;
  u32 stride = 0;
  u32 records = 0;
  bool swizzle = false;
  u32 index_stride = 64;  // 8, 16, 32, 64
  bool add_lane = false;
  u32 bounds = 3;  // gfx11+
};

bool is_gfx9_name(const std::string& gfx) {
  return !gfx.starts_with("gfx1");
}

std::array<u32, 4> packed(const Descriptor& d, bool gfx9, bool gfx10) {
  const u32 index_stride = d.index_stride == 8    ? 0
                           : d.index_stride == 16 ? 1
                           : d.index_stride == 32 ? 2
                                                  : 3;
  std::array<u32, 4> words = {static_cast<u32>(d.base),
                              static_cast<u32>(d.base >> 32) | (d.stride << 16), d.records,
                              (index_stride << 21) | (u32{d.add_lane} << 23)};
  if (d.swizzle) words[1] |= gfx9 || gfx10 ? 0x80000000U : 0x40000000U;
  if (!gfx9) words[3] |= d.bounds << 28;
  return words;
}

struct Bench {
  explicit Bench(const Machine& machine)
      : lab(machine.gfx, machine.lanes), gfx9(is_gfx9_name(machine.gfx)), memory(kSize) {
    begin = lab.memory().allocate(kSize, MemoryKind::kDevice).value();
    fill(memory, random);
    std::memcpy(pointer(), memory.data(), kSize);
  }
  std::uint8_t* pointer() const { return reinterpret_cast<std::uint8_t*>(begin); }
  void describe(Descriptor d) {
    if (d.base == 0) d.base = begin;
    const auto words = packed(d, gfx9, lab.wave().isa == Isa::kGfx10);
    for (unsigned i = 0; i < 4; ++i) lab.set_s(8 + i, words[i]);
  }
  void run(std::string_view text, u64 mask) {
    lab.wave().set_exec(mask);
    lab.run(text);
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << text << ": " << lab.wave().fault.what;
  }
  void randomize(unsigned first, unsigned count) {
    for (unsigned row = first; row < first + count; ++row)
      for (unsigned lane = 0; lane < lab.lanes(); ++lane)
        lab.set_v(row, lane, static_cast<u32>(random()));
  }
  Words rows(unsigned first, unsigned count, unsigned lane) const {
    Words words;
    for (unsigned i = 0; i < count; ++i) words.push_back(lab.v(first + i, lane));
    return words;
  }
  void expect_memory() const {
    ASSERT_EQ(std::memcmp(pointer(), memory.data(), kSize), 0) << "memory differs";
  }

  std::mt19937_64 random{11};
  Lab lab;
  bool gfx9;
  Bytes memory;
  u64 begin = 0;
};

// Descriptors and instruction forms, and what the manual makes of them, said once more in plain
// words: for a lane's index and offset, the byte it touches, or -1 when that is outside.
struct Layout {
  std::string_view what;
  Descriptor descriptor;
  bool offen = true, idxen = false;
};

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> kLayouts = {
      {"raw", {.records = 0x1000}, true, false},
      {"raw, no vector offset", {.records = 0x1000}, false, false},
      {"raw, not a multiple of a dword", {.records = 0x7fe}, true, false},
      {"empty", {.records = 0}, true, false},
      {"structured", {.stride = 32, .records = 100, .bounds = 0}, true, true},
      {"structured, index only", {.stride = 24, .records = 40, .bounds = 0}, false, true},
      {"structured, offset unchecked", {.stride = 16, .records = 64, .bounds = 1}, true, true},
      {"unchecked", {.records = 0x1000, .bounds = 2}, true, false},
      {"swizzled",
       {.stride = 64, .records = 64, .swizzle = true, .index_stride = 16, .bounds = 0},
       true,
       true},
      {"swizzled by lane",
       {.stride = 32,
        .records = 64,
        .swizzle = true,
        .index_stride = 32,
        .add_lane = true,
        .bounds = 0},
       true,
       false},
      {"linear by lane", {.stride = 16, .records = 50, .add_lane = true, .bounds = 0}, true, false},
      {"stride without an index", {.stride = 4, .records = 0x1000}, true, false},
      {"stride without an index, not a multiple", {.stride = 4, .records = 0x7fe}, true, false},
      {"stride without index and offset", {.stride = 8, .records = 80}, false, false},
      {"wider than its stride", {.stride = 4, .records = 200, .bounds = 1}, true, true},
      {"swizzled without an index",
       {.stride = 64, .records = 0x1000, .swizzle = true, .index_stride = 16},
       true,
       false},
  };
  return kLayouts;
}

// gfx9: a buffer with a stride is structured (bounded by records, swizzled) where the instruction
// has an index, else raw (bounded by bytes, linear). Later targets go by the descriptor alone.
bool is_raw(const Layout& layout, bool gfx9) {
  const Descriptor& d = layout.descriptor;
  if (gfx9) return d.stride == 0 || !(layout.idxen || d.add_lane);
  return d.bounds == 3 && !(d.swizzle && d.stride != 0);
}

long locate(const Descriptor& d, const Layout& layout, bool gfx9, u64 index, u64 offset, u64 scalar,
            unsigned bytes) {
  const u64 linear = index * d.stride + offset;
  bool outside = false;
  const bool raw = is_raw(layout, gfx9);
  if (gfx9) {
    outside = raw ? linear + scalar >= d.records : index >= d.records;
  } else if (d.bounds == 0 || (d.bounds == 3 && d.swizzle && d.stride != 0)) {
    outside = index >= d.records || offset + bytes > d.stride;
  } else if (d.bounds == 1) {
    outside = index >= d.records;
  } else if (d.bounds == 2) {
    outside = d.records == 0;
  } else {
    outside = linear + scalar + bytes > d.records;
  }
  if (outside) return -1;
  if (!d.swizzle || (gfx9 && raw)) return static_cast<long>(linear + scalar);
  // Blocks of index_stride records; within one, dword after dword, each of all its records.
  const u64 block = index / d.index_stride, record = index % d.index_stride;
  return static_cast<long>(block * d.stride * d.index_stride + offset / 4 * 4 * d.index_stride +
                           record * 4 + offset % 4 + scalar);
}

struct LaneAddress {
  u64 index, offset;
};

// Fills v2 (and v3) and returns what each lane addresses.
std::vector<LaneAddress> place(Bench& bench, const Layout& layout, int instruction_offset) {
  std::vector<LaneAddress> all;
  const Descriptor& d = layout.descriptor;
  for (unsigned lane = 0; lane < bench.lab.lanes(); ++lane) {
    LaneAddress address{0, static_cast<u64>(instruction_offset)};
    unsigned row = 2;
    if (layout.idxen) {
      // Some indices and offsets beyond the end.
      const u32 index = static_cast<u32>(bench.random() % (d.records + d.records / 4 + 1));
      bench.lab.set_v(row++, lane, index);
      address.index += index;
    }
    if (d.add_lane) address.index += lane;
    if (layout.offen) {
      const bool raw = d.stride == 0 || is_raw(layout, bench.gfx9);
      const u32 range = raw ? 0x1100 : d.stride + 8;
      u32 offset = static_cast<u32>(bench.random() % range / 4 * 4);
      // Where the target does not check, the test must not leave the allocation.
      if (raw && lane % 9 == 0) offset = 0xfffffff0;
      if (!bench.gfx9 && d.bounds == 2) offset %= 0x1000;
      bench.lab.set_v(row, lane, offset);
      address.offset += offset;
    }
    all.push_back(address);
  }
  return all;
}

std::string address_text(const Layout& layout) {
  const std::string registers = layout.offen && layout.idxen   ? "v[2:3]"
                                : layout.offen || layout.idxen ? "v2"
                                                               : "off";
  return fmt::format("{}, s[8:11], s4{}{} offset:12", registers, layout.idxen ? " idxen" : "",
                     layout.offen ? " offen" : "");
}

TEST(Buffer, LoadsOutsideGiveZero) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    bench.lab.set_s(4, 64);
    for (const Layout& layout : layouts())
      for (const Move& move : loads())
        for (const u64 mask : masks(machine.lanes)) {
          const std::string rest =
              fmt::format(" {}, {}", registers('v', 4, move.dwords()), address_text(layout));
          const std::string text =
              accepted(bench.lab, {fmt::format("buffer_{}{}", move.gfx11, rest),
                                   fmt::format("buffer_{}{}", move.gfx9, rest)});
          ASSERT_FALSE(text.empty()) << machine.gfx << move.gfx9 << rest;
          SCOPED_TRACE(fmt::format("{} {} {} ({}) {:#x}", machine.gfx, machine.lanes, text,
                                   layout.what, mask));
          bench.describe(layout.descriptor);
          bench.randomize(4, 4);
          const auto addresses = place(bench, layout, 12);
          std::vector<Words> expected;
          for (unsigned lane = 0; lane < machine.lanes; ++lane) {
            Words words = bench.rows(4, 4, lane);
            // Dwords are checked one by one.
            Bytes bytes(16);
            for (unsigned at = 0; at < move.bytes; at += 4) {
              const unsigned size = std::min(move.bytes, 4U);
              const long from = locate(layout.descriptor, layout, bench.gfx9, addresses[lane].index,
                                       addresses[lane].offset + at, 64, size);
              if (from >= 0) std::copy_n(bench.memory.begin() + from, size, bytes.begin() + at);
            }
            if (active(mask, lane)) words = loaded(move, bytes.data(), words);
            expected.push_back(words);
          }
          ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
          for (unsigned lane = 0; lane < machine.lanes; ++lane)
            ASSERT_EQ(bench.rows(4, 4, lane), expected[lane])
                << "lane " << lane << " index " << addresses[lane].index << " offset "
                << addresses[lane].offset;
        }
  }
}

TEST(Buffer, StoresOutsideAreDropped) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    bench.lab.set_s(4, 64);
    for (const Layout& layout : layouts())
      for (const Move& move : stores())
        for (const u64 mask : masks(machine.lanes)) {
          const std::string rest =
              fmt::format(" {}, {}", registers('v', 4, move.dwords()), address_text(layout));
          const std::string text =
              accepted(bench.lab, {fmt::format("buffer_{}{}", move.gfx11, rest),
                                   fmt::format("buffer_{}{}", move.gfx9, rest)});
          ASSERT_FALSE(text.empty()) << machine.gfx << move.gfx9 << rest;
          SCOPED_TRACE(fmt::format("{} {} {} ({}) {:#x}", machine.gfx, machine.lanes, text,
                                   layout.what, mask));
          bench.describe(layout.descriptor);
          bench.randomize(4, 4);
          const auto addresses = place(bench, layout, 12);
          // Dword after dword, lane after lane: overlapping lanes are told apart only when all
          // are inside and go in one copy, so neighbours keep their distance.
          const auto write = [&](unsigned lane, unsigned at) {
            const unsigned size = std::min(move.bytes, 4U);
            const Bytes bytes = stored(move, bench.rows(4, 4, lane));
            const long to = locate(layout.descriptor, layout, bench.gfx9, addresses[lane].index,
                                   addresses[lane].offset + at, 64, size);
            if (to >= 0 && active(mask, lane))
              std::copy_n(bytes.begin() + at, size, bench.memory.begin() + to);
          };
          const Descriptor& d = layout.descriptor;
          bool any_outside = layout.idxen || d.add_lane || !is_raw(layout, bench.gfx9);
          for (unsigned lane = 0; lane < machine.lanes && !any_outside; ++lane)
            any_outside = active(mask, lane) &&
                          addresses[lane].offset + 64 + move.bytes > layout.descriptor.records;
          if (any_outside)
            for (unsigned at = 0; at < move.bytes; at += 4)
              for (unsigned lane = 0; lane < machine.lanes; ++lane) write(lane, at);
          else
            for (unsigned lane = 0; lane < machine.lanes; ++lane)
              for (unsigned at = 0; at < move.bytes; at += 4) write(lane, at);
          ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
          ASSERT_NO_FATAL_FAILURE(bench.expect_memory());
        }
  }
}

TEST(Buffer, AtomicsReturnWhereTheirDataWas) {
  std::set<std::string> seen;
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    bench.lab.set_s(4, 64);
    bench.describe({.records = 64 + 9 * 8});
    const Isa isa = bench.lab.wave().isa;
    for (const Atomic& atomic : atomics())
      for (const bool returns : {false, true}) {
        const unsigned dwords = atomic.bits / 32;
        const unsigned data_rows = atomic.compares ? 2 * dwords : dwords;
        const std::string operands =
            fmt::format(" {}, v2, s[8:11], s4 offen", registers('v', 4, data_rows));
        std::vector<std::string> texts;
        for (const std::string_view name : {atomic.gfx11, atomic.gfx9, atomic.gfx10})
          for (const std::string_view flag : {" glc", " sc0", " th:TH_ATOMIC_RETURN"})
            texts.push_back(
                fmt::format("buffer_atomic_{}{}{}", name, operands, returns ? flag : ""));
        const std::string text = accepted(bench.lab, texts);
        if (text.empty()) continue;
        seen.insert(std::string(atomic.gfx9));
        for (const u64 mask : masks(machine.lanes)) {
          SCOPED_TRACE(fmt::format("{} {} {} {:#x}", machine.gfx, machine.lanes, text, mask));
          for (unsigned spot = 0; spot < 9; ++spot) {
            const u64 value = pick(atomic.values, atomic.bits, bench.random);
            std::memcpy(&bench.memory[64 + spot * 8], &value, 8);
            std::memcpy(bench.pointer() + 64 + spot * 8, &value, 8);
          }
          std::vector<Words> expected;
          for (unsigned lane = 0; lane < machine.lanes; ++lane) {
            // The tenth place is outside.
            const u64 at = bench.random() % 10 * 8;
            u64 old = 0;
            std::memcpy(&old, &bench.memory[64 + at], dwords * 4);
            const u64 data = pick(atomic.values, atomic.bits, bench.random);
            const u64 compare =
                bench.random() % 2 ? old : pick(atomic.values, atomic.bits, bench.random);
            bench.lab.set_v(2, lane, static_cast<u32>(at));
            for (unsigned i = 0; i < dwords; ++i) {
              bench.lab.set_v(4 + i, lane, static_cast<u32>(data >> (32 * i)));
              bench.lab.set_v(4 + dwords + i, lane, static_cast<u32>(compare >> (32 * i)));
            }
            Words words = bench.rows(4, 4, lane);
            if (active(mask, lane)) {
              const bool inside = at < 72;
              const u64 changed = atomic.result(old, data, compare, isa);
              if (inside) std::memcpy(&bench.memory[64 + at], &changed, dwords * 4);
              for (unsigned i = 0; returns && i < dwords; ++i)
                words[i] = inside ? static_cast<u32>(old >> (32 * i)) : 0;
            }
            expected.push_back(words);
          }
          ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
          for (unsigned lane = 0; lane < machine.lanes; ++lane)
            ASSERT_EQ(bench.rows(4, 4, lane), expected[lane]) << "lane " << lane;
          ASSERT_NO_FATAL_FAILURE(bench.expect_memory());
        }
      }
  }
  for (const Atomic& atomic : atomics())
    EXPECT_TRUE(seen.contains(std::string(atomic.gfx9))) << atomic.gfx9;
}

TEST(Buffer, LoadsToLdsWriteZeroForLanesOutside) {
  const Move moves[] = {{"ubyte", "", 1},        {"sbyte", "", 1, true}, {"ushort", "", 2},
                        {"sshort", "", 2, true}, {"dword", "", 4},       {"dwordx3", "", 12},
                        {"dwordx4", "", 16}};
  unsigned ran = 0;
  for (const std::string gfx : {"gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030"})
    for (const Move& move : moves)
      for (const u64 mask : masks(64)) {
        Bench bench({gfx, 64});
        const std::string text =
            fmt::format("buffer_load_{} v2, s[8:11], 0 offen offset:8 lds", move.gfx9);
        if (!bench.lab.accepts(text)) continue;
        ++ran;
        SCOPED_TRACE(fmt::format("{} {} {:#x}", gfx, text, mask));
        bench.describe({.records = 1024});
        bench.lab.set_s(kM0, 0x200);
        Bytes lds(bench.lab.group().lds, bench.lab.group().lds + 0x2000);
        for (unsigned lane = 0; lane < 64; ++lane) {
          const u32 offset = lane * 20;
          bench.lab.set_v(2, lane, offset);
          if (!active(mask, lane)) continue;
          Bytes bytes(16);
          for (unsigned at = 0; at < move.bytes; at += 4)
            if (offset + 8 + at < 1024)
              std::copy_n(&bench.memory[offset + 8 + at], std::min(move.bytes, 4U), &bytes[at]);
          const Words words = loaded(move, bytes.data(), Words(4));
          std::memcpy(&lds[0x208 + lane * 4 * move.dwords()], words.data(), 4 * move.dwords());
        }
        ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
        ASSERT_EQ(std::memcmp(bench.lab.group().lds, lds.data(), lds.size()), 0);
      }
  EXPECT_EQ(ran, 4U * (4 * 5 + 7));
}

// The descriptor that kernels of gfx908, gfx90a and gfx10 get for their private segment: each lane
// sees its own bytes, as FLAT and SCRATCH instructions would.
class PrivateSegment : public testing::TestWithParam<Machine> {};

TEST_P(PrivateSegment, IsTheWavesScratch) {
  const unsigned lanes = GetParam().lanes;
  Bench bench(GetParam());
  const u64 base = reinterpret_cast<u64>(bench.lab.group().scratch_of(bench.lab.wave()));
  bench.lab.set_s(8, static_cast<u32>(base));
  bench.lab.set_s(9, static_cast<u32>(base >> 32) | 0x80000000U);
  bench.lab.set_s(10, 0xffffffff);
  // Lane numbers are added; gfx10 bounds such a buffer only when it is empty.
  bench.lab.set_s(11, (lanes == 64 ? 0x00e00000U : 0x00c00000U) | (bench.gfx9 ? 0U : 2U << 28));
  // The stack pointer counts the bytes of all lanes.
  bench.lab.set_s(32, 128 * lanes);
  for (const u64 mask : masks(lanes)) {
    bench.randomize(4, 2);
    for (unsigned lane = 0; lane < lanes; ++lane) bench.lab.set_v(2, lane, lane % 5 * 4);
    ASSERT_NO_FATAL_FAILURE(
        bench.run("buffer_store_dword v4, off, s[8:11], s32 offset:16\n"
                  "buffer_store_dword v5, v2, s[8:11], 0 offen offset:64\n"
                  "buffer_store_byte v5, off, s[8:11], s32 offset:22\n"
                  "buffer_load_dword v6, off, s[8:11], s32 offset:16\n"
                  "scratch_load_dword v7, off, s20\n",
                  mask));
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (!active(mask, lane)) continue;
      const auto byte = [&](unsigned at) {
        return reinterpret_cast<const std::uint8_t*>(base)[(at / 4 * lanes + lane) * 4 + at % 4];
      };
      const auto dword = [&](unsigned at) {
        return byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (u32{byte(at + 3)} << 24);
      };
      EXPECT_EQ(dword(128 + 16), bench.lab.v(4, lane));
      EXPECT_EQ(dword(64 + lane % 5 * 4), bench.lab.v(5, lane));
      EXPECT_EQ(byte(128 + 22), bench.lab.v(5, lane) & 0xff);
      EXPECT_EQ(bench.lab.v(6, lane), bench.lab.v(4, lane));
    }
  }
  // Beyond what a lane has.
  bench.lab.wave().set_exec(bench.lab.wave().full_exec);
  bench.lab.set_s(32, 1024 * lanes);
  bench.lab.run("buffer_load_dword v6, off, s[8:11], s32");
  EXPECT_EQ(bench.lab.wave().state, WaveState::kFault);
  EXPECT_EQ(bench.lab.wave().fault.kind, Fault::Kind::kBadAddress);
}

INSTANTIATE_TEST_SUITE_P(Targets, PrivateSegment,
                         testing::Values(Machine{"gfx908", 64}, Machine{"gfx90a", 64},
                                         Machine{"gfx1030", 32}, Machine{"gfx1030", 64}),
                         [](const auto& each) {
                           return each.param.gfx + "_" + std::to_string(each.param.lanes);
                         });

TEST(Buffer, InsideTheDescriptorButOutsideMemoryFaults) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    bench.describe({.records = 0x10000});
    for (unsigned lane = 0; lane < machine.lanes; ++lane) bench.lab.set_v(2, lane, lane * 4);
    bench.lab.set_v(2, 9, kSize);
    bench.lab.wave().set_exec(~0ULL);
    bench.lab.run(accepted(bench.lab, {"buffer_load_b32 v4, v2, s[8:11], 0 offen",
                                       "buffer_load_b32 v4, v2, s[8:11], null offen",
                                       "buffer_load_dword v4, v2, s[8:11], 0 offen"}));
    EXPECT_EQ(bench.lab.wave().fault.kind, Fault::Kind::kBadAddress) << machine.gfx;
    EXPECT_EQ(bench.lab.wave().fault.lane, 9U);
  }
}

TEST(Buffer, FormatsAreRejectedByName) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    bench.lab.run(accepted(bench.lab, {"buffer_load_format_x v4, off, s[8:11], s4"}));
    EXPECT_EQ(bench.lab.wave().fault.kind, Fault::Kind::kUnsupported) << machine.gfx;
  }
}

}  // namespace

}  // namespace hipwright::soft
