// SPDX-License-Identifier: MIT
// Scalar loads: addresses, extension, range rules and bounds.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "soft/lab.h"

namespace hipwright::soft {
namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

class Smem : public testing::TestWithParam<std::string> {
 protected:
  Smem() : lab_(GetParam()), gfx9_(GetParam().starts_with("gfx9")) {
    const auto made = lab_.memory().allocate(kBytes, MemoryKind::kDevice);
    EXPECT_TRUE(made.has_value());
    base_ = *made;
    for (unsigned i = 0; i < kBytes; ++i)
      reinterpret_cast<u8*>(base_)[i] = static_cast<u8>(i * 37 + 11);
  }
  u32 dword(u64 offset) const {
    u32 value = 0;
    for (unsigned i = 0; i < 4; ++i) value |= u32{byte(offset + i)} << (8 * i);
    return value;
  }
  static u8 byte(u64 offset) { return static_cast<u8>(offset * 37 + 11); }
  // "s_load_dwordx4 s[8:11]" or "s_load_b128 s[8:11]".
  std::string load(unsigned dwords, const std::string& stem = "s_load_") const {
    const bool counts_dwords = gfx9_ || GetParam() == "gfx1030";
    const std::string width = counts_dwords
                                  ? dwords == 1 ? "dword" : "dwordx" + std::to_string(dwords)
                                  : "b" + std::to_string(dwords * 32);
    const std::string to = dwords == 1 ? "s8" : "s[8:" + std::to_string(8 + dwords - 1) + "]";
    return stem + width + " " + to + ", ";
  }
  static constexpr unsigned kBytes = 256;
  Lab lab_;
  bool gfx9_;
  u64 base_ = 0;
};

TEST_P(Smem, LoadsEveryWidth) {
  for (const unsigned dwords : {1U, 2U, 3U, 4U, 8U, 16U}) {
    const std::string text = load(dwords) + "s[2:3], 0x20";
    if (!lab_.accepts(text)) {
      EXPECT_TRUE(dwords == 3 && GetParam() != "gfx1201") << text;
      continue;
    }
    lab_.set_s64(2, base_ + 3);  // the two lowest bits do not count
    for (unsigned i = 0; i < 20; ++i) lab_.set_s(8 + i, 0xaaaa0000 + i);
    lab_.run(text);
    for (unsigned i = 0; i < 20; ++i)
      EXPECT_EQ(lab_.s(8 + i), i < dwords ? dword(0x20 + 4 * i) : 0xaaaa0000 + i) << text << i;
  }
}

// A scalar load has one address, however few lanes are active (ASan watches that no other is read).
TEST_P(Smem, LoadsWhenOneLaneIsActive) {
  lab_.wave().set_exec(1);
  lab_.set_s64(2, base_);
  lab_.run(load(2) + "s[2:3], 0x10");
  EXPECT_EQ(lab_.wave().state, WaveState::kEnded);
  EXPECT_EQ(lab_.s(8), dword(0x10));
  EXPECT_EQ(lab_.s(9), dword(0x14));
}

TEST_P(Smem, Offsets) {
  lab_.set_s64(2, base_ + 64);
  lab_.set_s(0, 8);
  lab_.run(load(1) + "s[2:3], s0");
  EXPECT_EQ(lab_.s(8), dword(72));
  lab_.run(load(1) + "s[2:3], s0 offset:0x10");
  EXPECT_EQ(lab_.s(8), dword(88));
  lab_.run(load(1) + "s[2:3], -0x8");
  EXPECT_EQ(lab_.s(8), dword(56));
  // A register's offset is unsigned: far above, not below.
  lab_.set_s(0, static_cast<u32>(-8));
  lab_.run(load(1) + "s[2:3], s0");
  EXPECT_EQ(lab_.wave().state, WaveState::kFault);
}

TEST_P(Smem, OverwritesItsOwnBase) {
  lab_.set_s64(8, base_);
  lab_.run(load(4) + "s[8:9], 0x0");
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(lab_.s(8 + i), dword(4 * i));
}

TEST_P(Smem, SmallValues) {
  if (!lab_.accepts("s_load_u8 s8, s[2:3], 0x0")) return;  // gfx12 has them
  lab_.set_s64(2, base_);
  for (unsigned at = 0; at < 16; ++at) {
    const std::string from = "s8, s[2:3], " + std::to_string(at);
    lab_.run("s_load_u8 " + from);
    EXPECT_EQ(lab_.s(8), byte(at));
    lab_.run("s_load_i8 " + from);
    EXPECT_EQ(lab_.s(8), static_cast<u32>(static_cast<std::int8_t>(byte(at))));
    if (at % 2) continue;
    lab_.run("s_load_u16 " + from);
    EXPECT_EQ(lab_.s(8), dword(at) & 0xffff);
    lab_.run("s_load_i16 " + from);
    EXPECT_EQ(lab_.s(8), static_cast<u32>(static_cast<std::int16_t>(dword(at))));
  }
}

TEST_P(Smem, BufferLoadsAreCheckedPerDword) {
  const auto resource = [&](u32 records, u32 stride) {
    lab_.set_s(40, static_cast<u32>(base_));
    lab_.set_s(41, static_cast<u32>(base_ >> 32) | (stride << 16));
    lab_.set_s(42, records);
    lab_.set_s(43, 0);
  };
  resource(64, 0);
  for (const unsigned dwords : {1U, 2U, 4U, 8U, 16U})
    for (const unsigned at : {0U, 48U, 60U, 64U, 80U}) {
      lab_.run(load(dwords, "s_buffer_load_") + "s[40:43], " + std::to_string(at));
      for (unsigned i = 0; i < dwords; ++i)
        EXPECT_EQ(lab_.s(8 + i), at + 4 * i + 4 <= 64 ? dword(at + 4 * i) : 0U)
            << dwords << " at " << at << " dword " << i;
    }
  resource(5, 16);  // five records of 16 bytes
  lab_.set_s(0, 76);
  lab_.run(load(2, "s_buffer_load_") + "s[40:43], s0");
  EXPECT_EQ(lab_.s(8), dword(76));
  EXPECT_EQ(lab_.s(9), 0U);
  if (lab_.accepts("s_buffer_load_i16 s8, s[40:43], 0x2")) {
    lab_.run("s_buffer_load_i16 s8, s[40:43], 0x2");
    EXPECT_EQ(lab_.s(8), static_cast<u32>(static_cast<std::int16_t>(dword(2))));
    lab_.run("s_buffer_load_u8 s8, s[40:43], 0x50");
    EXPECT_EQ(lab_.s(8), 0U);
  }
}

TEST_P(Smem, WidenedLoadsReadZeroBehindTheAllocation) {
  const auto made = lab_.memory().allocate(12, MemoryKind::kDevice);
  ASSERT_TRUE(made.has_value());
  const u32 data[] = {1, 2, 3};
  std::memcpy(reinterpret_cast<void*>(*made), data, sizeof(data));
  lab_.set_s64(2, *made);
  lab_.run(load(4) + "s[2:3], 0x0");
  EXPECT_NE(lab_.wave().state, WaveState::kFault);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(lab_.s(8 + i), i < 3 ? data[i] : 0U);
}

TEST_P(Smem, FaultsOutside) {
  lab_.set_s64(2, base_);
  lab_.run(load(1) + "s[2:3], 0x100");
  EXPECT_EQ(lab_.wave().state, WaveState::kFault);
  EXPECT_EQ(lab_.wave().fault.kind, Fault::Kind::kBadAddress);
  EXPECT_EQ(lab_.wave().fault.address, base_ + 256);
}

TEST_P(Smem, MostlyOutsideFaultsToo) {
  lab_.set_s64(2, base_ + 252);
  lab_.run(load(4) + "s[2:3], 0x0");
  EXPECT_EQ(lab_.wave().state, WaveState::kFault);
}

TEST_P(Smem, Stores) {
  if (!lab_.accepts("s_store_dword s8, s[2:3], 0x0")) {
    EXPECT_FALSE(gfx9_);
    return;
  }
  auto* const memory = reinterpret_cast<u8*>(base_);
  for (unsigned i = 0; i < 8; ++i) lab_.set_s(8 + i, 0x1000 + i);
  lab_.set_s64(2, base_ + 2);  // the two lowest bits do not count
  lab_.set_s(0, 16);
  const struct {
    const char* text;
    unsigned dwords, at;
  } cases[] = {{"s_store_dword s8, s[2:3], 0x10", 1, 16},
               {"s_store_dword s9, s[2:3], s0 glc", 1, 16},
               {"s_store_dwordx2 s[10:11], s[2:3], 0x28", 2, 40},
               {"s_store_dwordx4 s[8:11], s[2:3], s0 offset:0x30", 4, 64}};
  std::vector<u8> expected(memory, memory + kBytes);
  for (const auto& test : cases) {
    SCOPED_TRACE(test.text);
    lab_.wave().set_exec(0);  // lanes do not matter
    lab_.run(test.text);
    ASSERT_EQ(lab_.wave().state, WaveState::kEnded) << lab_.wave().fault.what;
    const unsigned first = std::string_view(test.text).find("s9,") != std::string_view::npos ? 9
                           : std::string_view(test.text).find("s[10:") != std::string_view::npos
                               ? 10
                               : 8;
    for (unsigned i = 0; i < test.dwords; ++i) {
      const u32 value = 0x1000 + first - 8 + i;
      std::memcpy(&expected[test.at + 4 * i], &value, 4);
    }
    EXPECT_EQ(std::vector<u8>(memory, memory + kBytes), expected);
  }
  // Dwords beyond the end of a buffer are dropped.
  lab_.set_s(40, static_cast<u32>(base_));
  lab_.set_s(41, static_cast<u32>(base_ >> 32) | (16U << 16));
  lab_.set_s(42, 5);
  lab_.set_s(43, 0);
  lab_.run("s_buffer_store_dwordx4 s[8:11], s[40:43], 0x48");
  for (unsigned i = 0; i < 2; ++i) {
    const u32 value = 0x1000 + i;
    std::memcpy(&expected[72 + 4 * i], &value, 4);
  }
  EXPECT_EQ(std::vector<u8>(memory, memory + kBytes), expected);
  lab_.run("s_store_dword s8, s[2:3], 0x100");
  EXPECT_EQ(lab_.wave().fault.kind, Fault::Kind::kBadAddress);
}

TEST_P(Smem, Atomics) {
  if (!lab_.accepts("s_atomic_add s8, s[2:3], 0x0")) {
    EXPECT_FALSE(gfx9_);
    return;
  }
  auto* const memory = reinterpret_cast<u8*>(base_);
  // memory 5, data 3, and for the comparison 5.
  const struct {
    const char* name;
    u64 result;
  } cases[] = {{"swap", 3}, {"cmpswap", 3}, {"add", 8},  {"sub", 2}, {"smin", 3},
               {"umin", 3}, {"smax", 5},    {"umax", 5}, {"and", 1}, {"or", 7},
               {"xor", 6},  {"inc", 0},     {"dec", 3}};
  for (const auto& test : cases)
    for (const bool wide : {false, true})
      for (const bool buffer : {false, true})
        for (const bool returns : {false, true}) {
          const bool compares = std::string_view(test.name) == "cmpswap";
          const unsigned dwords = (wide ? 2U : 1U) * (compares ? 2U : 1U);
          const std::string data =
              dwords == 1 ? "s8" : "s[8:" + std::to_string(8 + dwords - 1) + "]";
          const std::string text = std::string(buffer ? "s_buffer_atomic_" : "s_atomic_") +
                                   test.name + (wide ? "_x2 " : " ") + data +
                                   (buffer ? ", s[40:43]" : ", s[2:3]") + ", 0x20" +
                                   (returns ? " glc" : "");
          SCOPED_TRACE(text);
          const u64 old = 5;
          std::memcpy(memory + 32, &old, 8);
          for (unsigned i = 0; i < 4; ++i) lab_.set_s(8 + i, 0);
          lab_.set_s(8, 3);
          if (compares) lab_.set_s(wide ? 10 : 9, 5);
          lab_.set_s64(2, base_);
          lab_.set_s(40, static_cast<u32>(base_));
          lab_.set_s(41, static_cast<u32>(base_ >> 32));
          lab_.set_s(42, 64);
          lab_.run(text);
          ASSERT_EQ(lab_.wave().state, WaveState::kEnded) << lab_.wave().fault.what;
          u64 now = 0;
          std::memcpy(&now, memory + 32, 8);
          EXPECT_EQ(now, test.result);
          EXPECT_EQ(lab_.s(8), returns ? 5U : 3U);
          // Outside the buffer nothing happens, and the old value is 0.
          if (!buffer) continue;
          lab_.set_s(42, wide ? 36 : 32);
          lab_.run(text);
          std::memcpy(&now, memory + 32, 8);
          EXPECT_EQ(now, test.result);
          if (returns) EXPECT_EQ(lab_.s(8), 0U);
        }
}

INSTANTIATE_TEST_SUITE_P(Targets, Smem, testing::ValuesIn(all_targets()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace hipwright::soft
