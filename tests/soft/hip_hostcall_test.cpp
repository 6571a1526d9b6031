// SPDX-License-Identifier: MIT
// The hostcall protocol from the device's side, as ockl does it: pop a packet, fill it, push it,
// interrupt, read the answer, give it back.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "soft/hip/hostcall.h"

namespace hipwright::soft::hip {
namespace {

struct Header {
  std::uint64_t next, active;
  std::uint32_t service, control;
};
struct Buffer {
  Header* headers;
  std::uint64_t (*payloads)[64][8];
  std::uint64_t doorbell;
  std::atomic<std::uint64_t> free_stack, ready_stack;
  std::uint64_t index_mask;
};

class Device {
 public:
  explicit Device(Hostcall& hostcall)
      : hostcall_(hostcall), buffer_(*reinterpret_cast<Buffer*>(hostcall.buffer())) {}

  std::uint64_t pop() {
    std::uint64_t top = buffer_.free_stack;
    while (!buffer_.free_stack.compare_exchange_weak(top, header(top).next)) {
    }
    return top;
  }
  void push(std::atomic<std::uint64_t>& stack, std::uint64_t packet) {
    std::uint64_t top = stack;
    do header(packet).next = top;
    while (!stack.compare_exchange_weak(top, packet));
  }
  Header& header(std::uint64_t packet) { return buffer_.headers[packet & buffer_.index_mask]; }
  std::uint64_t* slot(std::uint64_t packet, unsigned lane) {
    return buffer_.payloads[packet & buffer_.index_mask][lane];
  }

  // The two words that lane `lane` gets back.
  std::vector<std::uint64_t> call(std::uint32_t service, std::vector<std::uint64_t> arguments,
                                  unsigned lane = 0) {
    const std::uint64_t packet = pop();
    EXPECT_NE(packet, 0U);
    header(packet).service = service;
    header(packet).active = 1ULL << lane;
    header(packet).control = 1;
    arguments.resize(8);
    std::memcpy(slot(packet, lane), arguments.data(), 64);
    push(buffer_.ready_stack, packet);
    hostcall_.serve();
    EXPECT_EQ(header(packet).control & 1, 0U);
    const std::vector<std::uint64_t> answer(slot(packet, lane), slot(packet, lane) + 2);
    std::uint64_t again = packet + buffer_.index_mask + 1;
    if (again == 0) again = buffer_.index_mask + 1;
    push(buffer_.free_stack, again);
    return answer;
  }

 private:
  Hostcall& hostcall_;
  Buffer& buffer_;
};

TEST(HipHostcall, EveryPacketIsFreeOnce) {
  Memory memory(1ULL << 30);
  Hostcall hostcall(memory);
  Device device(hostcall);
  const std::uint64_t count = reinterpret_cast<Buffer*>(hostcall.buffer())->index_mask + 1;
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t packet = device.pop();
    ASSERT_NE(packet, 0U) << i;
    seen.insert(packet & (count - 1));
  }
  EXPECT_EQ(seen.size(), count);
  EXPECT_EQ(reinterpret_cast<Buffer*>(hostcall.buffer())->free_stack, 0U);
}

TEST(HipHostcall, PrintsAMessageInPieces) {
  Memory memory(1ULL << 30);
  Hostcall hostcall(memory);
  Device device(hostcall);
  const auto piece = [](bool first, bool last, unsigned words, std::uint64_t id) {
    return std::uint64_t{first} | std::uint64_t{last} << 1 | std::uint64_t{words} << 5 | id << 8;
  };
  std::uint64_t format = 0;
  std::memcpy(&format, "%d+%d\n", 7);
  testing::internal::CaptureStdout();
  const auto begun = device.call(2, {piece(true, false, 1, 0), 0});
  const std::uint64_t id = begun[0] >> 8;
  EXPECT_EQ(begun[0] & 1, 0U);
  device.call(2, {piece(false, false, 1, id), format}, 5);
  const auto ended = device.call(2, {piece(false, true, 2, id), 3, 4}, 63);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "3+4\n");
  EXPECT_EQ(ended[0], 4U);
  EXPECT_FALSE(hostcall.take_complaint());
  EXPECT_EQ(device.call(2, {piece(false, true, 0, 12345)})[0], ~0ULL);  // nobody began it
}

TEST(HipHostcall, AllocatesAndFreesMemory) {
  Memory memory(1ULL << 30);
  Hostcall hostcall(memory);
  Device device(hostcall);
  const std::uint64_t slab = device.call(3, {0, 2 << 20})[0];
  const std::uint64_t block = device.call(3, {0, 5000})[0];
  ASSERT_NE(slab, 0U);
  ASSERT_NE(block, 0U);
  EXPECT_EQ(slab % (2 << 20), 0U);
  EXPECT_EQ(block % 4096, 0U);
  ASSERT_TRUE(memory.find(block + 4999));
  EXPECT_FALSE(memory.find(block + 5000));
  device.call(3, {block, 0});
  EXPECT_FALSE(memory.find(block));
  hostcall.set_heap_limit(4 << 20);
  EXPECT_EQ(device.call(3, {0, 3 << 20})[0], 0U);
  EXPECT_NE(device.call(3, {0, 2 << 20})[0], 0U);
}

TEST(HipHostcall, ManyWavesAtOnce) {
  Memory memory(1ULL << 30);
  Hostcall hostcall(memory);
  Device device(hostcall);
  std::vector<std::thread> waves;
  std::atomic<int> given{0};
  for (int wave = 0; wave < 8; ++wave)
    waves.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        // Another wave's interrupt may have served it already.
        const std::uint64_t packet = device.pop();
        device.header(packet).service = 3;
        device.header(packet).active = 1;
        device.header(packet).control = 1;
        device.slot(packet, 0)[0] = 0;
        device.slot(packet, 0)[1] = 4096;
        device.push(reinterpret_cast<Buffer*>(hostcall.buffer())->ready_stack, packet);
        hostcall.serve();
        while (std::atomic_ref(device.header(packet).control).load() & 1) std::this_thread::yield();
        given += device.slot(packet, 0)[0] != 0;
        const std::uint64_t mask = reinterpret_cast<Buffer*>(hostcall.buffer())->index_mask;
        device.push(reinterpret_cast<Buffer*>(hostcall.buffer())->free_stack, packet + mask + 1);
      }
    });
  for (std::thread& wave : waves) wave.join();
  EXPECT_EQ(given, 1600);
}

TEST(HipHostcall, DamagedListsDoNotHang) {
  Memory memory(1ULL << 30);
  Hostcall hostcall(memory);
  auto* buffer = reinterpret_cast<Buffer*>(hostcall.buffer());
  buffer->headers[5].next = 5;
  buffer->headers[5].active = 0;
  buffer->ready_stack = 5;
  buffer->headers = nullptr;  // the host knows where they are
  hostcall.serve();
  EXPECT_EQ(buffer->ready_stack, 0U);
}

}  // namespace
}  // namespace hipwright::soft::hip
