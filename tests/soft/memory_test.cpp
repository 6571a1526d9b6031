// SPDX-License-Identifier: MIT
#include "soft/exec/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "soft/exec/access.h"
#include "soft/launch/launch.h"

namespace hipwright::soft {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST(Memory, AllocationsAreAlignedZeroedAndApart) {
  Memory memory(kMiB * 64);
  std::vector<std::uint64_t> begins;
  for (const std::uint64_t size : {0, 1, 255, 256, 4096, 65535, 65536, 100000}) {
    const auto begin = memory.allocate(size, MemoryKind::kDevice);
    ASSERT_TRUE(begin);
    EXPECT_EQ(*begin % 256, 0U);
    for (std::uint64_t i = 0; i < size; ++i)
      ASSERT_EQ(reinterpret_cast<const char*>(*begin)[i], 0) << size << " " << i;
    begins.push_back(*begin);
  }
  const auto live = memory.live();
  ASSERT_EQ(live.size(), begins.size());
  for (std::size_t i = 1; i < live.size(); ++i) EXPECT_GE(live[i].begin - live[i - 1].end(), 256U);
  EXPECT_EQ(memory.find(begins[0])->size, 1U);  // a request for nothing gives one byte
}

TEST(Memory, FindsByAddressAndBounds) {
  Memory memory(kMiB);
  const std::uint64_t begin = memory.allocate(1000, MemoryKind::kDevice).value();
  EXPECT_TRUE(memory.find(begin));
  EXPECT_TRUE(memory.find(begin + 999));
  EXPECT_FALSE(memory.find(begin + 1000));
  EXPECT_FALSE(memory.find(begin - 1));
  LookupCache cache(memory);
  for (int round = 0; round < 2; ++round) {  // by the table, then from the cache
    EXPECT_TRUE(cache.find(begin, begin + 1000));
    EXPECT_TRUE(cache.find(begin + 996, begin + 1000));
    EXPECT_FALSE(cache.find(begin + 997, begin + 1001));
    EXPECT_FALSE(cache.find(begin - 1, begin + 1));
    EXPECT_FALSE(cache.find(~0ULL - 3, 0));
  }
}

TEST(Memory, KernelsCanAccessWholePagesIfEnabled) {
  Memory memory(kMiB, Bounds::kPages);
  for (const std::uint64_t size : {1ULL, 4095ULL, 4096ULL, 4097ULL, 100000ULL}) {
    const std::uint64_t begin = memory.allocate(size, MemoryKind::kDevice).value();
    const std::uint64_t reach = (size + 4095) / 4096 * 4096;
    EXPECT_EQ(memory.find(begin)->size, size);
    EXPECT_FALSE(memory.find(begin + size));
    LookupCache cache(memory);
    EXPECT_TRUE(cache.find(begin, begin + reach)) << size;
    EXPECT_FALSE(cache.find(begin, begin + reach + 1)) << size;
    std::memset(reinterpret_cast<void*>(begin), 1, reach);  // it is there
    EXPECT_TRUE(memory.release(begin));
    EXPECT_FALSE(cache.find(begin, begin + 1));
  }
}

TEST(Memory, LookupsSeeChanges) {
  Memory memory(kMiB);
  LookupCache cache(memory);
  std::vector<std::uint64_t> begins;
  for (int i = 0; i < 20; ++i) begins.push_back(memory.allocate(64, MemoryKind::kDevice).value());
  for (const std::uint64_t begin : begins) EXPECT_TRUE(cache.find(begin, begin + 64));
  ASSERT_TRUE(memory.release(begins[7]));
  for (const std::uint64_t begin : begins)
    EXPECT_EQ(cache.find(begin, begin + 64) != nullptr, begin != begins[7]);
}

TEST(Memory, FreedRangesAreRememberedAndNotReusedSoon) {
  Memory memory(kMiB * 1024);
  const std::uint64_t freed = memory.allocate(5000, MemoryKind::kDevice).value();
  ASSERT_TRUE(memory.release(freed));
  EXPECT_FALSE(memory.find(freed));
  EXPECT_EQ(memory.around(freed + 10).freed->size, 5000U);
  for (int i = 0; i < 100; ++i)
    EXPECT_NE(memory.allocate(5000, MemoryKind::kDevice).value(), freed);
  EXPECT_THAT(memory.release(freed).error().message(), HasSubstr("freed before"));
}

TEST(Memory, LimitIsEnforced) {
  Memory memory(kMiB);
  const auto first = memory.allocate(kMiB / 2, MemoryKind::kDevice);
  ASSERT_TRUE(first);
  EXPECT_EQ(memory.used(), kMiB / 2);
  EXPECT_FALSE(memory.allocate(kMiB / 2 + 1, MemoryKind::kDevice));
  EXPECT_FALSE(memory.allocate(~0ULL, MemoryKind::kDevice));
  ASSERT_TRUE(memory.release(*first));
  EXPECT_EQ(memory.used(), 0U);
  EXPECT_TRUE(memory.allocate(kMiB, MemoryKind::kDevice));
}

TEST(Memory, DevicesHaveSeparateShares) {
  Memory memory(10 * kMiB);
  memory.set_limit(0, 4 * kMiB);
  memory.set_limit(1, 8 * kMiB);
  const auto first = memory.allocate(3 * kMiB, MemoryKind::kDevice, true, 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(memory.free(0), kMiB);
  EXPECT_EQ(memory.free(1), 7 * kMiB);  // the machine has no more
  EXPECT_FALSE(memory.allocate(2 * kMiB, MemoryKind::kDevice, true, 0));
  EXPECT_TRUE(memory.allocate(2 * kMiB, MemoryKind::kHost, true, 0));
  EXPECT_EQ(memory.used(0), 3 * kMiB);
  const auto second = memory.allocate(5 * kMiB, MemoryKind::kDevice, true, 1);
  ASSERT_TRUE(second);
  EXPECT_EQ(memory.find(*second)->owner, 1);
  EXPECT_EQ(memory.free(1), 0U);
  EXPECT_EQ(memory.free(0), 0U);
  ASSERT_TRUE(memory.release(*second));
  EXPECT_EQ(memory.used(1), 0U);
}

TEST(Memory, LookupsStopAtDevicesThatAreNotPeers) {
  Memory memory(kMiB);
  const std::uint64_t own = memory.allocate(64, MemoryKind::kDevice, true, 0).value();
  const std::uint64_t other = memory.allocate(64, MemoryKind::kDevice, true, 1).value();
  const std::uint64_t host = memory.allocate(64, MemoryKind::kHost, true, 1).value();
  LookupCache alone(memory, 1), peers(memory, 3);
  EXPECT_TRUE(alone.find(own, own + 4));
  EXPECT_TRUE(alone.find(host, host + 4));
  EXPECT_FALSE(alone.find(other, other + 4));
  EXPECT_TRUE(peers.find(other, other + 4));
}

TEST(Memory, RegisteredRangesAreNotFreed) {
  Memory memory(kMiB);
  std::vector<char> host(1000);
  const auto begin = reinterpret_cast<std::uint64_t>(host.data());
  ASSERT_TRUE(memory.register_range(begin, 1000, MemoryKind::kRegistered));
  EXPECT_EQ(memory.find(begin + 5)->kind, MemoryKind::kRegistered);
  EXPECT_FALSE(memory.register_range(begin + 999, 10, MemoryKind::kRegistered));
  EXPECT_FALSE(memory.register_range(begin - 10, 11, MemoryKind::kRegistered));
  EXPECT_FALSE(memory.register_range(begin, 0, MemoryKind::kRegistered));
  EXPECT_FALSE(memory.register_range(~0ULL, 2, MemoryKind::kRegistered));
  EXPECT_FALSE(memory.release(begin));
  EXPECT_TRUE(memory.unregister(begin));
  EXPECT_FALSE(memory.unregister(begin));
}

TEST(Memory, LoansAreReusedAndNotCounted) {
  Memory memory(kMiB);
  const std::uint64_t first = memory.borrow(700).value();
  std::memset(reinterpret_cast<void*>(first), 0xff, 700);
  memory.give_back(first, 700);
  const std::uint64_t second = memory.borrow(700).value();
  EXPECT_EQ(first, second);
  EXPECT_EQ(*reinterpret_cast<const char*>(second), 0);
  const std::uint64_t large = memory.borrow(100'000).value();
  EXPECT_TRUE(memory.find(large + 99'999));
  memory.give_back(large, 100'000);
  EXPECT_FALSE(memory.find(large));
  EXPECT_EQ(memory.used(), 0U);
}

TEST(Memory, KernelsLookWhileTheHostAllocates) {
  Memory memory(kMiB * 64);
  const std::uint64_t begin = memory.allocate(4096, MemoryKind::kDevice).value();
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i)
    readers.emplace_back([&] {
      LookupCache cache(memory);
      while (!stop)
        if (!cache.find(begin, begin + 4096) || cache.find(begin, begin + 4097)) ++wrong;
    });
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t other = memory.allocate(64, MemoryKind::kDevice).value();
    ASSERT_TRUE(memory.release(other));
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
}

// A wave and just enough around it to ask for access.
struct Bench {
  Memory memory{kMiB * 64};
  LookupCache lookups{memory};
  Workgroup group;
  Wave wave;
  Inst inst;
  std::array<std::uint64_t, 64> addresses{};

  Bench() {
    group.lookups = &lookups;
    group.lds_size = 1000;
    group.scratch_per_lane = 64;
    wave.group = &group;
    wave.set_exec(~0ULL);
  }
  std::uint64_t ask(Space space, AccessKind kind, unsigned bytes, std::uint64_t mask) {
    wave.state = WaveState::kReady;
    wave.fault = {};
    return admit(wave, inst,
                 {.space = space,
                  .kind = kind,
                  .bytes = bytes,
                  .mask = mask,
                  .addresses = addresses.data()});
  }
};

TEST(Access, WavesInsideBoundsContinue) {
  Bench bench;
  const std::uint64_t begin = bench.memory.allocate(64 * 12, MemoryKind::kDevice).value();
  for (unsigned stride : {4U, 8U, 12U})
    for (unsigned i = 0; i < 64; ++i) {
      for (unsigned j = 0; j < 64; ++j) bench.addresses[j] = begin + ((j * 7 + i) % 64) * stride;
      EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kLoad, stride, ~0ULL), ~0ULL);
    }
}

TEST(Access, OneLaneOutsideIsNamed) {
  Bench bench;
  const std::uint64_t begin = bench.memory.allocate(256, MemoryKind::kDevice).value();
  for (unsigned bad = 0; bad < 64; ++bad) {
    for (unsigned i = 0; i < 64; ++i) bench.addresses[i] = begin + i * 4;
    bench.addresses[bad] = begin + 253;
    EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kStore, 4, ~0ULL), 0U);
    EXPECT_EQ(bench.wave.state, WaveState::kFault);
    EXPECT_EQ(bench.wave.fault.kind, Fault::Kind::kBadAddress);
    EXPECT_EQ(bench.wave.fault.lane, bad);
    EXPECT_EQ(bench.wave.fault.address, begin + 253);
    EXPECT_TRUE(bench.wave.fault.write);
    EXPECT_THAT(bench.wave.fault.what, HasSubstr("1 bytes past the end"));
    // Lanes that do not take part may hold anything.
    const std::uint64_t others = ~(1ULL << bad);
    EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kLoad, 4, others), others);
    bench.wave.set_exec(others);
    EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kLoad, 4, others), others);
    bench.wave.set_exec(~0ULL);
  }
}

TEST(Access, AddressesWhoseBitsFillTheWholeRangeAreOutside) {
  Bench bench;
  for (const unsigned bytes : {1U, 4U, 8U, 16U}) {
    for (unsigned i = 0; i < 64; ++i)
      bench.addresses[i] =
          (i % 2 ? 0xaaaaaaaaaaaaaaaaULL : 0x5555555555555555ULL) & -std::uint64_t{bytes};
    for (const AccessKind kind : {AccessKind::kLoad, AccessKind::kStore, AccessKind::kAtomic}) {
      EXPECT_EQ(bench.ask(Space::kGlobal, kind, bytes, ~0ULL), 0U) << bytes;
      EXPECT_EQ(bench.wave.fault.kind, Fault::Kind::kBadAddress);
    }
  }
}

TEST(Access, LanesInSeveralAllocationsContinue) {
  Bench bench;
  for (unsigned i = 0; i < 64; ++i)
    bench.addresses[i] = bench.memory.allocate(16, MemoryKind::kDevice).value() + 12;
  EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kLoad, 4, ~0ULL), ~0ULL);
  EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kLoad, 8, ~0ULL), 0U);
}

TEST(Access, ReadOnlyMemoryCannotBeWritten) {
  Bench bench;
  const std::uint64_t begin =
      bench.memory.allocate(256, MemoryKind::kCode, /*writable=*/false).value();
  bench.addresses.fill(begin);
  EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kLoad, 4, 1), 1U);
  EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kStore, 4, 1), 0U);
  EXPECT_THAT(bench.wave.fault.what, HasSubstr("read-only"));
  EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kAtomic, 4, 1), 0U);
}

TEST(Access, AtomicsAreAligned) {
  Bench bench;
  const std::uint64_t begin = bench.memory.allocate(256, MemoryKind::kDevice).value();
  bench.addresses.fill(begin + 2);
  EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kLoad, 4, 3), 3U);
  EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kAtomic, 4, 3), 0U);
  EXPECT_THAT(bench.wave.fault.what, HasSubstr("misaligned atomic"));
  bench.addresses.fill(begin + 4);
  EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kAtomic, 4, 3), 3U);
  EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kAtomic, 8, 3), 0U);
}

TEST(Access, FaultsNameTheNearestAllocation) {
  Bench bench;
  const std::uint64_t begin = bench.memory.allocate(1000, MemoryKind::kDevice).value();
  const std::uint64_t gone = bench.memory.allocate(777, MemoryKind::kDevice).value();
  ASSERT_TRUE(bench.memory.release(gone));
  const struct {
    std::uint64_t address;
    const char* text;
  } cases[] = {
      {begin + 1016, "16 bytes after the end of the allocation of 1000 bytes"},
      {begin - 8, "8 bytes before the allocation of 1000 bytes"},
      {gone + 5, "5 bytes into the allocation of 777 bytes"},
      {16, "a null pointer"},
      {0xdead'0000'0000'0000ULL, "no allocation is nearby"},
  };
  for (const auto& test : cases) {
    bench.addresses.fill(test.address);
    EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kLoad, 4, 1ULL << 5), 0U);
    EXPECT_THAT(bench.wave.fault.what, HasSubstr(test.text));
    EXPECT_EQ(bench.wave.fault.lane, 5U);
  }
}

TEST(Access, LdsAndScratchHaveBounds) {
  Bench bench;
  bench.addresses.fill(996);
  EXPECT_EQ(bench.ask(Space::kLds, AccessKind::kLoad, 4, ~0ULL), ~0ULL);
  EXPECT_EQ(bench.ask(Space::kLds, AccessKind::kLoad, 8, ~0ULL), 0U);
  EXPECT_THAT(bench.wave.fault.what, HasSubstr("of LDS: the workgroup has 1000 bytes"));
  bench.addresses.fill(60);
  EXPECT_EQ(bench.ask(Space::kScratch, AccessKind::kStore, 4, ~0ULL), ~0ULL);
  bench.addresses[63] = 61;
  EXPECT_EQ(bench.ask(Space::kScratch, AccessKind::kStore, 4, ~0ULL), 0U);
  bench.addresses[63] = ~0ULL - 1;  // address + size wraps
  EXPECT_EQ(bench.ask(Space::kScratch, AccessKind::kStore, 4, ~0ULL), 0U);
}

TEST(Memory, ForgetsRegisteredRangesThatWereUnmapped) {
  constexpr std::size_t kBytes = 16384;
  void* const range =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(range, MAP_FAILED);
  const auto begin = reinterpret_cast<std::uint64_t>(range);
  Memory memory(1 << 20);
  const std::uint64_t other = memory.allocate(256, MemoryKind::kDevice).value();
  ASSERT_TRUE(memory.register_range(begin + 100, 9000, MemoryKind::kRegistered));
  LookupCache lookups(memory);
  EXPECT_NE(lookups.find(begin + 100, begin + 104), nullptr);
  EXPECT_TRUE(memory.drop_unmapped().empty());
  munmap(reinterpret_cast<void*>(begin + 8192), 4096);
  const auto dropped = memory.drop_unmapped();
  ASSERT_EQ(dropped.size(), 1U);
  EXPECT_EQ(dropped[0].begin, begin + 100);
  EXPECT_EQ(lookups.find(begin + 100, begin + 104), nullptr);
  EXPECT_NE(lookups.find(other, other + 4), nullptr);
  EXPECT_FALSE(memory.unregister(begin + 100));
  munmap(range, kBytes);
}

TEST(Access, AFaultedWaveTouchesNothing) {
  Bench bench;
  const std::uint64_t begin = bench.memory.allocate(256, MemoryKind::kDevice).value();
  bench.addresses.fill(begin);
  bench.wave.state = WaveState::kFault;
  EXPECT_EQ(admit(bench.wave, bench.inst, {.mask = 1, .addresses = bench.addresses.data()}), 0U);
}

// Which lanes are bad is what a plain loop over all of them says.
TEST(Access, AgreesWithAPlainLoop) {
  Bench bench;
  std::vector<Allocation> all;
  for (const std::uint64_t size : {64, 300, 4096}) {
    const std::uint64_t begin = bench.memory.allocate(size, MemoryKind::kDevice).value();
    all.push_back({.begin = begin, .size = size});
  }
  std::uint64_t random = 1;
  const auto next = [&] {
    return random = random * 6364136223846793005ULL + 1442695040888963407ULL;
  };
  for (int round = 0; round < 20000; ++round) {
    const Allocation& target = all[next() >> 60 & 1 ? 2 : (next() >> 61) % 3];
    const unsigned bytes = 1U << (next() >> 62);
    const std::uint64_t spread = 1 + (next() >> 40) % (target.size + (round % 3 == 0 ? 40 : 0));
    for (std::uint64_t& address : bench.addresses) address = target.begin + (next() >> 33) % spread;
    const std::uint64_t mask = round % 2 ? ~0ULL : next();
    bool good = true;
    for (unsigned i = 0; i < 64; ++i)
      if (mask >> i & 1)
        good = good && bench.addresses[i] >= target.begin &&
               bench.addresses[i] + bytes <= target.end();
    EXPECT_EQ(bench.ask(Space::kGlobal, AccessKind::kLoad, bytes, mask), good ? mask : 0) << round;
  }
}

}  // namespace
}  // namespace hipwright::soft
