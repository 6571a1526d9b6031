// SPDX-License-Identifier: MIT
// GLOBAL, FLAT and SCRATCH instructions against models of memory as arrays of bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "soft/memory_cases.h"

namespace hipwright::soft {

namespace {

using namespace memory_test;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned kSize = 0x4000;
constexpr unsigned kScratch = 1024;

// One allocation, LDS and scratch, and what they should hold.
struct Bench {
  explicit Bench(const Machine& machine)
      : lab(machine.gfx, machine.lanes), global(kSize), lds(kSize), scratch(machine.lanes) {
    begin = lab.memory().allocate(kSize, MemoryKind::kDevice).value();
    refill();
  }
  void refill() {
    fill(global, random);
    fill(lds, random);
    std::memcpy(pointer(), global.data(), kSize);
    std::memcpy(lab.group().lds, lds.data(), kSize);
    for (unsigned lane = 0; lane < scratch.size(); ++lane) {
      scratch[lane].resize(kScratch);
      fill(scratch[lane], random);
      for (unsigned i = 0; i < kScratch; ++i) *scratch_byte(lane, i) = scratch[lane][i];
    }
  }
  std::uint8_t* pointer() const { return reinterpret_cast<std::uint8_t*>(begin); }
  // The layout that workgroup.h describes.
  std::uint8_t* scratch_byte(unsigned lane, unsigned byte) {
    return lab.group().scratch_of(lab.wave()) + (byte / 4 * lab.lanes() + lane) * 4 + byte % 4;
  }
  void run(std::string_view text, u64 mask) {
    lab.wave().set_exec(mask);
    lab.run(text);
    ASSERT_EQ(lab.wave().state, WaveState::kEnded) << text << ": " << lab.wave().fault.what;
  }
  void expect_memory() {
    ASSERT_EQ(std::memcmp(pointer(), global.data(), kSize), 0) << "global memory differs";
    ASSERT_EQ(std::memcmp(lab.group().lds, lds.data(), kSize), 0) << "LDS differs";
    for (unsigned lane = 0; lane < scratch.size(); ++lane)
      for (unsigned i = 0; i < kScratch; ++i)
        if (*scratch_byte(lane, i) != scratch[lane][i])
          FAIL() << "scratch of lane " << lane << " differs at byte " << i;
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

  std::mt19937_64 random{7};
  Lab lab;
  Bytes global, lds;
  std::vector<Bytes> scratch;  // by lane
  u64 begin = 0;
};

// How an instruction makes its addresses. After `place`, registers name for each lane the bytes
// that `bytes_at` gives.
struct Mode {
  std::string_view family;
  std::string_view vector, scalar;  // as the text has them; "" for flat, which has no scalar part
  int offset = 0;
  bool uniform = false;  // no vector part: all lanes at one place
  std::string_view what;
};

const std::vector<Mode>& modes() {
  static const std::vector<Mode> kModes = {
      {"global", "v[2:3]", "off", 0, false, "pointer"},
      {"global", "v[2:3]", "off", -64, false, "pointer, negative offset"},
      {"global", "v2", "s[4:5]", 32, false, "scalar base"},
      {"flat", "v[2:3]", "", 0, false, "global"},
      {"flat", "v[2:3]", "", 16, false, "mixed"},
      {"scratch", "v2", "off", 8, false, "vector"},
      {"scratch", "off", "s4", -12, true, "scalar"},
      {"scratch", "v2", "s4", 4, false, "both"},
      {"scratch", "off", "off", 20, true, "neither"},
  };
  return kModes;
}

struct Spot {
  enum Space { kGlobal, kLds, kPrivate } space = kGlobal;
  unsigned at = 0;
};

std::uint8_t* model_of(Bench& bench, const Spot& spot, unsigned lane) {
  switch (spot.space) {
    case Spot::kGlobal:
      return &bench.global[spot.at];
    case Spot::kLds:
      return &bench.lds[spot.at];
    default:
      return &bench.scratch[lane][spot.at];
  }
}

// Writes the address registers so that lane's access begins at a spot, and returns it.
// pattern 0: lanes next to each other; 1: anywhere aligned; 2: anywhere.
std::vector<Spot> place(Bench& bench, const Mode& mode, unsigned bytes, int pattern) {
  std::vector<Spot> spots;
  const unsigned lanes = bench.lab.lanes();
  const bool scratch = mode.family == "scratch";
  const u32 scalar_part = scratch ? 40 : 256;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned room = (scratch || mode.what == "mixed" ? kScratch : kSize) - 512;
    unsigned at = static_cast<unsigned>(bench.random() % room / bytes * bytes) + 256;
    if (pattern == 0) at = scratch ? 256 : 256 + (mode.what == "mixed" ? lane % 16 : lane) * bytes;
    if (pattern == 2) at += static_cast<unsigned>(bench.random() % 4);
    if (mode.uniform)
      at = static_cast<unsigned>(mode.offset) + (mode.scalar == "off" ? 0 : scalar_part);
    Spot spot{scratch ? Spot::kPrivate : Spot::kGlobal, at};
    u64 address = 0;
    if (scratch) {
      address = at - static_cast<u32>(mode.offset) - (mode.scalar == "off" ? 0 : scalar_part);
    } else {
      if (mode.what == "mixed") spot.space = static_cast<Spot::Space>(lane % 3);
      const u64 base = spot.space == Spot::kGlobal ? bench.begin
                       : spot.space == Spot::kLds  ? kSharedAperture
                                                   : kPrivateAperture;
      address = base + at - static_cast<u64>(static_cast<std::int64_t>(mode.offset));
      // The vector part is unsigned: the scalar one lies below.
      if (mode.scalar == "s[4:5]") address -= bench.begin - scalar_part;
    }
    bench.lab.set_v(2, lane, static_cast<u32>(address));
    if (mode.vector == "v[2:3]") bench.lab.set_v(3, lane, static_cast<u32>(address >> 32));
    spots.push_back(spot);
  }
  if (mode.scalar == "s4") bench.lab.set_s(4, scalar_part);
  if (mode.scalar == "s[4:5]") bench.lab.set_s64(4, bench.begin - scalar_part);
  return spots;
}

std::string suffix_of(const Mode& mode) {
  std::string text = mode.scalar.empty() ? "" : fmt::format(", {}", mode.scalar);
  if (mode.offset != 0) text += fmt::format(" offset:{}", mode.offset);
  return text;
}

// What some targets' assemblers do not take: flat offsets below zero on none here, scratch forms
// with both parts before gfx942 and on gfx1030, without any on gfx9 before gfx942.
bool may_lack(const Machine& machine, const Mode& mode) {
  const bool old_gfx9 = machine.gfx == "gfx908" || machine.gfx == "gfx90a";
  return mode.family == "scratch" &&
         ((mode.what == "both" && (old_gfx9 || machine.gfx == "gfx1030")) ||
          (mode.what == "neither" && old_gfx9));
}

TEST(Global, LoadsOfEveryWidthAndAddressingMode) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    for (const Mode& mode : modes())
      for (const Move& move : loads())
        for (const u64 mask : masks(machine.lanes)) {
          const std::string rest = fmt::format(" {}, {}{}", registers('v', 4, move.dwords()),
                                               mode.vector, suffix_of(mode));
          const std::string text =
              accepted(bench.lab, {fmt::format("{}_{}{}", mode.family, move.gfx11, rest),
                                   fmt::format("{}_{}{}", mode.family, move.gfx9, rest)});
          if (text.empty() && may_lack(machine, mode)) continue;
          ASSERT_FALSE(text.empty()) << machine.gfx << mode.family << move.gfx9 << rest;
          for (int pattern = 0; pattern < (mask == bench.lab.wave().full_exec ? 3 : 1); ++pattern) {
            SCOPED_TRACE(
                fmt::format("{} {} {} {:#x} {}", machine.gfx, machine.lanes, text, mask, pattern));
            bench.randomize(4, 4);
            const std::vector<Spot> spots =
                place(bench, mode, move.bytes, mask == bench.lab.wave().full_exec ? pattern : 2);
            std::vector<Words> expected;
            for (unsigned lane = 0; lane < machine.lanes; ++lane) {
              Words words = bench.rows(4, 4, lane);
              if (active(mask, lane))
                words = loaded(move, model_of(bench, spots[lane], lane), words);
              expected.push_back(words);
            }
            ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
            for (unsigned lane = 0; lane < machine.lanes; ++lane)
              ASSERT_EQ(bench.rows(4, 4, lane), expected[lane]) << "lane " << lane;
          }
        }
  }
}

TEST(Global, StoresOfEveryWidthAndAddressingMode) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    for (const Mode& mode : modes())
      for (const Move& move : stores())
        for (const u64 mask : masks(machine.lanes)) {
          const std::string rest = fmt::format(" {}, {}{}", mode.vector,
                                               registers('v', 4, move.dwords()), suffix_of(mode));
          const std::string text =
              accepted(bench.lab, {fmt::format("{}_{}{}", mode.family, move.gfx11, rest),
                                   fmt::format("{}_{}{}", mode.family, move.gfx9, rest)});
          if (text.empty() && may_lack(machine, mode)) continue;
          ASSERT_FALSE(text.empty()) << machine.gfx << mode.family << move.gfx9 << rest;
          for (int pattern = 0; pattern < (mask == bench.lab.wave().full_exec ? 3 : 1); ++pattern) {
            SCOPED_TRACE(
                fmt::format("{} {} {} {:#x} {}", machine.gfx, machine.lanes, text, mask, pattern));
            bench.randomize(4, 4);
            const std::vector<Spot> spots =
                place(bench, mode, move.bytes, mask == bench.lab.wave().full_exec ? pattern : 2);
            for (unsigned lane = 0; lane < machine.lanes; ++lane)
              if (active(mask, lane))
                std::ranges::copy(stored(move, bench.rows(4, 4, lane)),
                                  model_of(bench, spots[lane], lane));
            ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
            ASSERT_NO_FATAL_FAILURE(bench.expect_memory());
          }
        }
  }
}

// FLAT and GLOBAL atomics with and without the old value.
TEST(Global, AtomicsOnEveryTargetThatHasThem) {
  std::set<std::string> seen;
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    const Isa isa = bench.lab.wave().isa;
    for (const std::string_view family : {"global", "flat"})
      for (const Atomic& atomic : atomics())
        for (const bool returns : {false, true}) {
          const unsigned dwords = atomic.bits / 32;
          const std::string operands = fmt::format(
              " {}v[2:3], {}{} offset:16", returns ? registers('v', 8, dwords) + ", " : "",
              registers('v', 4, atomic.compares ? 2 * dwords : dwords),
              family == "global" ? ", off" : "");
          std::vector<std::string> texts;
          for (const std::string_view name : {atomic.gfx11, atomic.gfx9, atomic.gfx10})
            for (const std::string_view flag : {" glc", " sc0", " th:TH_ATOMIC_RETURN"})
              texts.push_back(
                  fmt::format("{}_atomic_{}{}{}", family, name, operands, returns ? flag : ""));
          const std::string text = accepted(bench.lab, texts);
          if (text.empty()) continue;
          seen.insert(fmt::format("{}_{}", family, atomic.gfx9));
          for (const u64 mask : masks(machine.lanes)) {
            SCOPED_TRACE(fmt::format("{} {} {} {:#x}", machine.gfx, machine.lanes, text, mask));
            bench.randomize(8, 2);
            for (unsigned spot = 0; spot < 8; ++spot) {
              const u64 value = pick(atomic.values, atomic.bits, bench.random);
              std::memcpy(&bench.global[16 + spot * 8], &value, 8);
              std::memcpy(bench.pointer() + 16 + spot * 8, &value, 8);
            }
            std::vector<Words> expected;
            for (unsigned lane = 0; lane < machine.lanes; ++lane) {
              const u64 at = bench.random() % 8 * 8;
              u64 old = 0;
              std::memcpy(&old, &bench.global[16 + at], dwords * 4);
              u64 data = pick(atomic.values, atomic.bits, bench.random);
              u64 compare = pick(atomic.values, atomic.bits, bench.random);
              if (bench.random() % 2) compare = old;
              if (bench.random() % 4 == 0) data = old;
              bench.lab.set_v64(2, lane, bench.begin + at);
              for (unsigned i = 0; i < dwords; ++i) {
                bench.lab.set_v(4 + i, lane, static_cast<u32>(data >> (32 * i)));
                bench.lab.set_v(4 + dwords + i, lane, static_cast<u32>(compare >> (32 * i)));
              }
              Words words = bench.rows(8, 2, lane);
              if (active(mask, lane)) {
                const u64 changed = atomic.result(old, data, compare, isa);
                std::memcpy(&bench.global[16 + at], &changed, dwords * 4);
                for (unsigned i = 0; returns && i < dwords; ++i)
                  words[i] = static_cast<u32>(old >> (32 * i));
              }
              expected.push_back(words);
            }
            ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
            for (unsigned lane = 0; lane < machine.lanes; ++lane)
              ASSERT_EQ(bench.rows(8, 2, lane), expected[lane]) << "lane " << lane;
            ASSERT_NO_FATAL_FAILURE(bench.expect_memory());
          }
        }
  }
  for (const Atomic& atomic : atomics())
    EXPECT_TRUE(seen.contains(fmt::format("global_{}", atomic.gfx9))) << atomic.gfx9;
}

TEST(Global, FlatAtomicsReachLdsAndScratch) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    const std::string text = accepted(
        bench.lab, {"flat_atomic_add v8, v[2:3], v4 glc", "flat_atomic_add v8, v[2:3], v4 sc0",
                    "flat_atomic_add_u32 v8, v[2:3], v4 th:TH_ATOMIC_RETURN"});
    ASSERT_FALSE(text.empty());
    std::vector<u32> old;
    for (unsigned lane = 0; lane < machine.lanes; ++lane) {
      const Spot spot{static_cast<Spot::Space>(lane % 3), 64 + 4 * (lane % 3 == 2 ? 5 : lane)};
      const u64 base = spot.space == Spot::kGlobal ? bench.begin
                       : spot.space == Spot::kLds  ? kSharedAperture
                                                   : kPrivateAperture;
      bench.lab.set_v64(2, lane, base + spot.at);
      bench.lab.set_v(4, lane, lane + 1);
      u32 value = 0;
      std::memcpy(&value, model_of(bench, spot, lane), 4);
      old.push_back(value);
      value += lane + 1;
      std::memcpy(model_of(bench, spot, lane), &value, 4);
    }
    ASSERT_NO_FATAL_FAILURE(bench.run(text, masks(machine.lanes)[0]));
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      EXPECT_EQ(bench.lab.v(8, lane), old[lane]);
    ASSERT_NO_FATAL_FAILURE(bench.expect_memory());
  }
}

TEST(Global, LoadsToLdsFollowM0AndTheLane) {
  struct Form {
    std::string_view name;
    Move move;
  };
  const Form forms[] = {
      {"ubyte", {"", "", 1}},        {"sbyte", {"", "", 1, true}}, {"ushort", {"", "", 2}},
      {"sshort", {"", "", 2, true}}, {"dword", {"", "", 4}},       {"dwordx3", {"", "", 12}},
      {"dwordx4", {"", "", 16}},
  };
  unsigned ran = 0;
  for (const std::string gfx : {"gfx942", "gfx950"})
    for (const Form& form : forms)
      for (const bool scratch : {false, true})
        for (const u64 mask : masks(64)) {
          Bench bench({gfx, 64});
          const std::string text =
              scratch ? fmt::format("scratch_load_lds_{} v2, off offset:8", form.name)
                      : fmt::format("global_load_lds_{} v[2:3], off offset:8", form.name);
          if (!bench.lab.accepts(text)) continue;
          ++ran;
          SCOPED_TRACE(fmt::format("{} {} {:#x}", gfx, text, mask));
          bench.lab.set_s(kM0, 0x100);
          const Mode mode{
              scratch ? "scratch" : "global", scratch ? "v2" : "v[2:3]", "off", 8, false, ""};
          const std::vector<Spot> spots = place(bench, mode, form.move.bytes, 1);
          for (unsigned lane = 0; lane < 64; ++lane) {
            if (!active(mask, lane)) continue;
            const Words words = loaded(form.move, model_of(bench, spots[lane], lane), Words(4));
            const unsigned dwords = form.move.dwords();
            std::memcpy(&bench.lds[0x108 + lane * dwords * 4], words.data(), dwords * 4);
          }
          ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
          ASSERT_NO_FATAL_FAILURE(bench.expect_memory());
        }
  EXPECT_EQ(ran, 4U * (5 + 5 + 7 + 5));
}

TEST(Global, AddtidFormsAddTheLane) {
  unsigned ran = 0;
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    const u64 mask = masks(machine.lanes)[3];
    bench.lab.set_s64(4, bench.begin + 64);
    bench.randomize(4, 2);
    std::string text =
        "global_load_addtid_b32 v4, s[4:5] offset:8\n"
        "global_store_addtid_b32 v5, s[4:5] offset:1024";
    if (machine.gfx == "gfx1030")
      text =
          "global_load_dword_addtid v4, s[4:5] offset:8\n"
          "global_store_dword_addtid v5, s[4:5] offset:1024";
    if (!bench.lab.accepts(text)) continue;
    ++ran;
    std::vector<Words> expected;
    for (unsigned lane = 0; lane < machine.lanes; ++lane) {
      Words words = bench.rows(4, 1, lane);
      if (active(mask, lane)) {
        words = loaded({"", "", 4}, &bench.global[72 + lane * 4], words);
        std::ranges::copy(stored({"", "", 4}, bench.rows(5, 1, lane)),
                          &bench.global[1024 + 64 + lane * 4]);
      }
      expected.push_back(words);
    }
    ASSERT_NO_FATAL_FAILURE(bench.run(text, mask));
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      ASSERT_EQ(bench.rows(4, 1, lane), expected[lane]) << lane;
    ASSERT_NO_FATAL_FAILURE(bench.expect_memory());
  }
  EXPECT_EQ(ran, 6U);
}

TEST(Global, AddressesOutsideFaultAndNameTheLane) {
  struct Bad {
    std::string_view text9, text11;
    u64 address;  // of lane 3; from the allocation's begin, or absolute
    bool absolute;
    bool write;
  };
  const Bad cases[] = {
      {"global_load_dword v4, v[2:3], off", "global_load_b32 v4, v[2:3], off", kSize - 3, false,
       false},
      {"global_store_dword v[2:3], v4, off", "global_store_b32 v[2:3], v4, off", kSize, false,
       true},
      {"flat_load_dwordx2 v[4:5], v[2:3]", "flat_load_b64 v[4:5], v[2:3]", 0, true, false},
      {"flat_load_dword v4, v[2:3]", "flat_load_b32 v4, v[2:3]", kSharedAperture + 0x10000, true,
       false},
      {"flat_store_byte v[2:3], v4", "flat_store_b8 v[2:3], v4", kPrivateAperture + kScratch, true,
       true},
      {"global_load_dword v4, v[2:3], off", "global_load_b32 v4, v[2:3], off", kSharedAperture,
       true, false},
      {"global_atomic_add v[2:3], v4, off", "global_atomic_add_u32 v[2:3], v4, off", 6, false,
       true},
      {"scratch_load_dword v4, v2, off", "scratch_load_b32 v4, v2, off", kScratch - 2, true, false},
  };
  for (const Machine& machine : machines())
    for (const Bad& bad : cases) {
      Bench bench(machine);
      const std::string text =
          accepted(bench.lab, {std::string(bad.text9), std::string(bad.text11)});
      ASSERT_FALSE(text.empty()) << machine.gfx << bad.text9;
      SCOPED_TRACE(machine.gfx + " " + text);
      const bool scratch = text.starts_with("scratch");
      for (unsigned lane = 0; lane < machine.lanes; ++lane)
        bench.lab.set_v64(2, lane, scratch ? 0 : bench.begin);
      if (scratch)
        bench.lab.set_v(2, 3, static_cast<u32>(bad.address));
      else
        bench.lab.set_v64(2, 3, bad.address + (bad.absolute ? 0 : bench.begin));
      bench.lab.wave().set_exec(~0ULL);
      bench.lab.run(text);
      EXPECT_EQ(bench.lab.wave().state, WaveState::kFault);
      EXPECT_EQ(bench.lab.wave().fault.kind, Fault::Kind::kBadAddress);
      EXPECT_EQ(bench.lab.wave().fault.lane, 3U);
      EXPECT_EQ(bench.lab.wave().fault.write, bad.write);
    }
}

TEST(Global, DestinationsMayOverlapAddresses) {
  for (const Machine& machine : machines()) {
    Bench bench(machine);
    const std::string text = accepted(bench.lab, {"global_load_dwordx4 v[2:5], v[2:3], off",
                                                  "global_load_b128 v[2:5], v[2:3], off"});
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      bench.lab.set_v64(2, lane, bench.begin + (lane * 7 % 64) * 16);
    ASSERT_NO_FATAL_FAILURE(bench.run(text, masks(machine.lanes)[0]));
    for (unsigned lane = 0; lane < machine.lanes; ++lane)
      ASSERT_EQ(bench.rows(2, 4, lane),
                loaded({"", "", 16}, &bench.global[(lane * 7 % 64) * 16], Words(4)));
  }
}

}  // namespace

}  // namespace hipwright::soft
