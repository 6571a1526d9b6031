// SPDX-License-Identifier: MIT
// How memory is cut up, put together again and asked for.
#include "runtime/pool_fixture.h"

namespace hipwright {

namespace {

TEST_F(PoolTest, FreedMemoryIsReusedWithoutTheDevice) {
  open();
  void* first = nullptr;
  {
    const DeviceBuffer buffer = allocate(1000);
    first = buffer.data();
    EXPECT_EQ(buffer.size(), 1000U);
    EXPECT_EQ(fake().calls().allocate, 1);
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(allocate(1000).data(), first);
  EXPECT_EQ(fake().calls().allocate, 1);
  EXPECT_EQ(fake().calls().free, 0);
  EXPECT_EQ(stats().hits, 100U);
  EXPECT_EQ(stats().allocations, 101U);
  EXPECT_NEAR(stats().hit_rate_percent, 99.0, 0.1);
}

TEST_F(PoolTest, BlocksAreMultiplesOf512AndStartAtOne) {
  open();
  std::vector<DeviceBuffer> buffers;
  for (std::size_t bytes : {1UL, 511UL, 512UL, 513UL, 1000UL, 4096UL})
    buffers.push_back(allocate(bytes));
  const auto* base = buffers[0].as<char>();
  std::vector<std::ptrdiff_t> offsets;
  for (const DeviceBuffer& buffer : buffers) offsets.push_back(buffer.as<char>() - base);
  EXPECT_THAT(offsets, testing::ElementsAre(0, 512, 1024, 1536, 2560, 3584));
  EXPECT_DOUBLE_EQ(stats().allocated_mb, (3584.0 + 4096) / (1 << 20));
}

TEST_F(PoolTest, SegmentsGrowInSteps) {
  struct Case {
    std::size_t request, segment;
  };
  for (const Case& each :
       {Case{1, 2_MiB}, Case{1_MiB, 2_MiB}, Case{1_MiB + 1, 20_MiB}, Case{10_MiB - 512, 20_MiB},
        Case{10_MiB, 10_MiB}, Case{10_MiB + 1, 12_MiB}, Case{1_GiB + 1, 1_GiB + 2_MiB}}) {
    open();
    const DeviceBuffer buffer = allocate(each.request);
    EXPECT_EQ(fake().live_bytes(), each.segment) << each.request;
    EXPECT_DOUBLE_EQ(stats().reserved_mb, static_cast<double>(each.segment) / (1 << 20));
  }
}

TEST_F(PoolTest, SmallAndLargeRequestsDoNotShareSegments) {
  open();
  const DeviceBuffer small = allocate(4096);
  const DeviceBuffer large = allocate(2_MiB);
  EXPECT_EQ(fake().live_bytes(), 22_MiB);
  const DeviceBuffer more_small = allocate(1_MiB);
  const DeviceBuffer more_large = allocate(9_MiB);
  EXPECT_EQ(fake().live_allocations(), 2U);
}

TEST_F(PoolTest, TheSmallestBlockThatFitsIsTaken) {
  for (std::size_t unit : {1_KiB, 1536_KiB}) {
    open();
    // Holes of 4, 2 and 3 units between buffers that stay.
    std::vector<DeviceBuffer> holes, stay;
    for (std::size_t units : {4, 2, 3}) {
      holes.push_back(allocate(units * unit));
      stay.push_back(allocate(unit));
    }
    const std::vector<void*> addresses = {holes[0].data(), holes[1].data(), holes[2].data()};
    holes.clear();
    const DeviceBuffer three = allocate(3 * unit);
    const DeviceBuffer two = allocate(2 * unit);
    const DeviceBuffer four = allocate(4 * unit);
    EXPECT_EQ(three.data(), addresses[2]);
    EXPECT_EQ(two.data(), addresses[1]);
    EXPECT_EQ(four.data(), addresses[0]);
  }
}

TEST_F(PoolTest, FreeNeighboursMerge) {
  for (std::size_t unit : {256_KiB, 2_MiB}) {
    // Whatever the order of the frees.
    std::vector<std::size_t> order = {0, 1, 2, 3};
    do {
      open();
      std::vector<DeviceBuffer> buffers;
      for (int i = 0; i < 4; ++i) buffers.push_back(allocate(unit));
      const int segments = fake().calls().allocate;
      void* first = buffers[0].data();
      for (std::size_t i : order) buffers[i].reset();
      EXPECT_EQ(stats().allocated_mb, 0);
      EXPECT_EQ(stats().fragmentation, 0) << "one block";
      EXPECT_EQ(allocate(4 * unit).data(), first);
      EXPECT_EQ(fake().calls().allocate, segments);
    } while (std::ranges::next_permutation(order).found);
  }
}

TEST_F(PoolTest, ALargeBlockKeepsARestTooSmallToSplit) {
  open();
  DeviceBuffer buffer = allocate(12_MiB);
  buffer.reset();
  buffer = allocate(11_MiB + 1);
  EXPECT_DOUBLE_EQ(stats().allocated_mb, 12);
  buffer = {};
  buffer = allocate(11_MiB);
  EXPECT_DOUBLE_EQ(stats().allocated_mb, 11);
}

TEST_F(PoolTest, ZeroBytesNeedNoMemory) {
  open();
  const DeviceBuffer buffer = allocate(0);
  EXPECT_FALSE(buffer);
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(stats().allocations, 0U);
  EXPECT_EQ(fake().live_allocations(), 0U);
}

TEST_F(PoolTest, ABufferCanBeMovedAndFreedEarly) {
  open();
  DeviceBuffer first = allocate(1000);
  void* data = first.data();
  DeviceBuffer second = std::move(first);
  EXPECT_FALSE(first);
  EXPECT_EQ(first.size(), 0U);
  EXPECT_EQ(second.data(), data);
  second = allocate(2000);
  EXPECT_EQ(stats().live_buffers, 1U) << "what it held was freed";
  DeviceBuffer& itself = second;
  second = std::move(itself);
  EXPECT_EQ(second.size(), 2000U);
  second.reset();
  second.reset();
  EXPECT_EQ(stats().live_buffers, 0U);
}

TEST_F(PoolTest, BuffersMayOutliveTheManager) {
  open();
  DeviceBuffer buffer = allocate(1000);
  DeviceBuffer other = allocate(5_MiB);
  manager_.reset();
  touch(buffer);
  EXPECT_EQ(fake().live_bytes(), 22_MiB);
  buffer.reset();
  EXPECT_EQ(fake().live_bytes(), 22_MiB);
  other.reset();
  EXPECT_EQ(fake().live_bytes(), 0U) << "the last buffer takes the pool along";
  EXPECT_EQ(fake().live_events(), 0U);
}

TEST_F(PoolTest, DestroyingAManagerReturnsEverything) {
  open();
  allocate(1000);
  allocate(5_MiB);
  manager_.reset();
  EXPECT_EQ(fake().live_bytes(), 0U);
}

TEST_F(PoolTest, EmptyCacheReturnsUnusedMemory) {
  open();
  const DeviceBuffer stays = allocate(1000);
  {
    const DeviceBuffer goes = allocate(5_MiB);
    touch(goes);  // still running when the memory is given back
  }
  manager().empty_cache();
  EXPECT_EQ(fake().live_bytes(), 2_MiB);
  EXPECT_DOUBLE_EQ(stats().reserved_mb, 2);
  EXPECT_EQ(stats().device_frees, 1U);
}

TEST_F(PoolTest, MisuseThrowsClearExceptions) {
  open();
  DeviceBuffer empty;
  EXPECT_THROW(empty.record_use(stream("s")), AMDDeviceError);
  EXPECT_THROW(static_cast<void>(PrivatePool().use()), AMDDeviceError);
  EXPECT_THROW(AMDMemoryManager(Device(), {}), AMDDeviceError);

  const auto other_device = std::make_shared<device::FakeDevice>(1_GiB);
  const Stream foreign(runtime::make_stream(other_device, "foreign", 0));
  EXPECT_THROW(allocate(1000, foreign), AMDDeviceError);
  DeviceBuffer buffer = allocate(1000);
  try {
    buffer.record_use(foreign);
    FAIL();
  } catch (const AMDDeviceError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'foreign'"));
  }
  AMDMemoryManager moved(std::move(manager()));
  EXPECT_THROW(manager().allocate(1), AMDDeviceError);
  EXPECT_EQ(moved.get_memory_stats().live_buffers, 1U);
}

TEST_F(PoolTest, MovingAManagerKeepsItsMemory) {
  open();
  AMDMemoryManager moved(std::move(manager()));
  const DeviceBuffer buffer = moved.allocate(1000);
  AMDMemoryManager other(Device(fake_), {});
  other = std::move(moved);
  EXPECT_EQ(other.get_memory_stats().live_buffers, 1U);
}

}  // namespace

}  // namespace hipwright
