// SPDX-License-Identifier: MIT
#include "hipwright/multi_gpu.h"

#include <atomic>
#include <barrier>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device.h"
#include "runtime/raise.h"

namespace hipwright {

namespace {

using runtime::value_or_raise;
using ::testing::ElementsAre;

TEST(Coordinate, RunsEveryRankOnItsOwnThread) {
  const std::vector<Device> devices(4, Device::open("cpu"));
  std::barrier meeting(4);  // one thread for all would wait here for ever
  std::vector<int> seen(4);
  coordinate(devices, [&](const Device& device, std::size_t rank) {
    meeting.arrive_and_wait();
    seen[rank] = device.is_cpu() ? static_cast<int>(rank) : -1;
  });
  EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3));
  coordinate({}, [](const Device&, std::size_t) { FAIL(); });
}

TEST(Coordinate, RethrowsTheFirstRanksExceptionAfterAllHaveEnded) {
  const std::vector<Device> devices(4, Device::open("cpu"));
  std::atomic<int> ended = 0;
  try {
    coordinate(devices, [&](const Device&, std::size_t rank) {
      ++ended;
      if (rank == 1 || rank == 3) throw std::runtime_error("rank " + std::to_string(rank));
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "rank 1");
  }
  EXPECT_EQ(ended, 4);
}

void* allocate(const Device& device, const std::string& content) {
  void* const memory = value_or_raise(device.driver()->allocate(content.size()));
  value_or_raise(
      device.driver()->copy(memory, content.data(), content.size(), device::Direction::kToDevice));
  return memory;
}

std::string read(const Device& device, const void* memory, std::size_t size) {
  std::string content(size, '\0');
  value_or_raise(device.driver()->copy(content.data(), memory, size, device::Direction::kToHost));
  return content;
}

TEST(CopyBetween, CarriesMemoryBetweenAnyTwoDevices) {
  const auto gpus = list_devices("soft:gfx942,gfx1100");
  ASSERT_EQ(gpus.size(), 2U);
  const Device cpu = Device::open("cpu");
  const std::pair<Device, Device> pairs[] = {
      {cpu, cpu}, {cpu, gpus[0]}, {gpus[0], cpu}, {gpus[0], gpus[1]}, {gpus[1], gpus[1]}};
  for (const auto& [from, to] : pairs) {
    std::string content(17'000'003, 'x');
    content.front() = 'a';
    content.back() = 'z';
    void* const source = allocate(from, content);
    void* const target = allocate(to, std::string(content.size(), '\0'));
    copy_between(target, to, source, from, content.size());
    copy_between(nullptr, to, nullptr, from, 0);
    EXPECT_TRUE(read(to, target, content.size()) == content) << from.id() << " → " << to.id();
    value_or_raise(from.driver()->free(source));
    value_or_raise(to.driver()->free(target));
  }
  EXPECT_THROW(copy_between(nullptr, Device(), nullptr, cpu, 1), AMDDeviceError);
}

TEST(PeerAccess, IsForDevicesOfOneKind) {
  const auto gpus = list_devices("soft:gfx942,gfx1100");
  const Device cpu = Device::open("cpu");
  EXPECT_FALSE(can_access_peer(cpu, gpus[0]));
  for (const Device& device : {cpu, gpus[0]}) {
    EXPECT_TRUE(can_access_peer(device, device));
    EXPECT_NO_THROW(enable_peer_access(device, device));
  }
  EXPECT_THROW(enable_peer_access(cpu, gpus[0]), AMDDeviceError);
  EXPECT_THROW(can_access_peer(Device(), cpu), AMDDeviceError);
  if (!can_access_peer(gpus[0], gpus[1])) GTEST_SKIP() << "not run: no peer access";
  enable_peer_access(gpus[0], gpus[1]);
  EXPECT_NO_THROW(enable_peer_access(gpus[0], gpus[1]));
}

}  // namespace

}  // namespace hipwright
