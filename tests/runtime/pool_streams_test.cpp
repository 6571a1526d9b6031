// SPDX-License-Identifier: MIT
// Who may have freed memory, and when. The device of these tests notices two streams that use the
// same memory in no order.
#include "runtime/pool_fixture.h"

namespace hipwright {

namespace {

using PoolStreams = PoolTest;

TEST_F(PoolStreams, TheSameStreamReusesMemoryImmediately) {
  open();
  const Stream a = stream("a");
  DeviceBuffer buffer = allocate(1000, a);
  void* data = buffer.data();
  touch(buffer, a);
  buffer.reset();
  buffer = allocate(1000, a);
  touch(buffer, a);
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(fake().calls().record, 0);
}

TEST_F(PoolStreams, TheDefaultIsTheThreadsCurrentStream) {
  open();
  const Stream a = stream("a");
  const Stream before = runtime::exchange_current_stream(fake(), a);
  DeviceBuffer buffer = allocate(1000);
  touch(buffer, a);
  void* data = buffer.data();
  buffer.reset();
  runtime::exchange_current_stream(fake(), before);
  buffer = allocate(1000, a);
  touch(buffer, a);
  EXPECT_EQ(buffer.data(), data);
}

TEST_F(PoolStreams, MemoryUsedByAnotherStreamWaitsForIt) {
  open();
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer buffer = allocate(15_MiB, a);
  void* data = buffer.data();
  touch(buffer, a);
  order(a, b);
  touch(buffer, b);
  buffer.record_use(b);
  buffer.record_use(b);  // once is enough, twice does no harm
  buffer.reset();
  EXPECT_EQ(stats().allocated_mb, 0);

  DeviceBuffer next = allocate(15_MiB, a);
  EXPECT_NE(next.data(), data) << "b has not come so far";
  touch(next, a);
  complete(b);
  DeviceBuffer third = allocate(15_MiB, a);
  EXPECT_EQ(third.data(), data);
  touch(third, a);
  EXPECT_EQ(fake().calls().synchronize, 0) << "the host never waits";
}

TEST_F(PoolStreams, SeveralUsersMustAllBeDone) {
  open();
  const Stream a = stream("a"), b = stream("b"), c = stream("c");
  DeviceBuffer buffer = allocate(15_MiB, a);
  void* data = buffer.data();
  touch(buffer, a);
  Stream previous = a;
  for (const Stream& user : {b, c, Stream()}) {
    order(previous, user);
    touch(buffer, user);
    buffer.record_use(user);
    previous = user;
  }
  buffer.reset();
  complete(c);
  complete(b);
  EXPECT_NE(allocate(15_MiB, a).data(), data);
  complete();
  manager().empty_cache();
  EXPECT_EQ(fake().live_bytes(), 0U);
}

TEST_F(PoolStreams, RecordingTheOwnStreamCostsNothing) {
  open();
  const Stream a = stream("a");
  DeviceBuffer buffer = allocate(1000, a);
  buffer.record_use(a);
  void* data = buffer.data();
  touch(buffer, a);
  buffer.reset();
  EXPECT_EQ(allocate(1000, a).data(), data);
  EXPECT_EQ(fake().calls().record, 0);
}

TEST_F(PoolStreams, FreeBlocksOfOtherStreamsAreUsedBeforeTheDevice) {
  for (std::size_t bytes : {1000UL, 15_MiB}) {
    open();
    const Stream a = stream("a"), b = stream("b");
    DeviceBuffer buffer = allocate(bytes, a);
    void* data = buffer.data();
    touch(buffer, a);
    buffer.reset();
    DeviceBuffer taken = allocate(bytes, b);
    EXPECT_EQ(taken.data(), data);
    touch(taken, b);  // a violation if b does not wait for a
    EXPECT_EQ(fake().calls().allocate, 1);
    EXPECT_EQ(fake().calls().record, 1);
    EXPECT_EQ(fake().calls().wait, 1);
    EXPECT_EQ(fake().calls().synchronize, 0) << "the device waits, not the host";
    EXPECT_EQ(stats().hits, 1U);
    taken.reset();
    EXPECT_EQ(allocate(bytes, b).data(), data) << "now it is b's";
    EXPECT_EQ(fake().calls().record, 1);
  }
}

TEST_F(PoolStreams, AnIdleStreamsBlockIsTakenOverWithoutWaiting) {
  open();
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer buffer = allocate(15_MiB, a);
  touch(buffer, a);
  buffer.reset();
  complete(a);
  buffer = allocate(15_MiB, b);
  touch(buffer, b);
  EXPECT_EQ(fake().calls().allocate, 1);
  EXPECT_EQ(fake().calls().wait, 0);
}

TEST_F(PoolStreams, TheOtherStreamKeepsTheRestOfALargeBlock) {
  open();
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer buffer = allocate(100_MiB, a);
  touch(buffer, a);
  buffer.reset();
  const DeviceBuffer taken = allocate(2_MiB, b);
  const int records = fake().calls().record;
  const DeviceBuffer rest = allocate(98_MiB, a);
  touch(taken, b);
  touch(rest, a);
  EXPECT_EQ(fake().calls().record, records);
  EXPECT_EQ(fake().calls().allocate, 1);
}

TEST_F(PoolStreams, PiecesOfSeveralStreamsMergeAgain) {
  for (std::size_t unit : {512_KiB, 4_MiB}) {
    open();
    const Stream a = stream("a"), b = stream("b"), c = stream("c");
    const DeviceBuffer stays = allocate(2 * unit, a);
    DeviceBuffer first = allocate(unit, a);
    DeviceBuffer second = allocate(unit, b);
    void* data = first.data();
    touch(first, a);
    touch(second, b);
    first.reset();
    second.reset();
    const int segments = fake().calls().allocate;
    const DeviceBuffer both = allocate(2 * unit, c);
    EXPECT_EQ(both.data(), data);
    touch(both, c);
    EXPECT_EQ(fake().calls().allocate, segments);
    EXPECT_EQ(fake().calls().synchronize, 0);
  }
}

TEST_F(PoolStreams, AStreamLivesAsLongAsItsMemoryIsOrderedByIt) {
  open();
  DeviceBuffer buffer;
  {
    const Stream a = stream("a");
    buffer = allocate(15_MiB, a);
    touch(buffer, a);
  }
  EXPECT_EQ(fake().live_streams(), 1U);
  buffer.reset();
  EXPECT_EQ(fake().live_streams(), 1U) << "its work may still run";
  manager_.reset();
  EXPECT_EQ(fake().live_streams(), 0U);
}

TEST_F(PoolStreams, MemoryOfAClosedStreamIsInherited) {
  open();
  {
    const Stream a = stream("a");
    const DeviceBuffer buffer = allocate(15_MiB, a);
    touch(buffer, a);
    complete(a);
  }
  const Stream b = stream("b");
  const DeviceBuffer buffer = allocate(15_MiB, b);
  touch(buffer, b);
  EXPECT_EQ(fake().calls().allocate, 1);
  EXPECT_EQ(fake().live_streams(), 1U) << "a is closed";
}

TEST_F(PoolStreams, ManyStreamsDoNotKeepManyEvents) {
  open();
  const Stream a = stream("a"), b = stream("b");
  for (int i = 0; i < 1000; ++i) {
    DeviceBuffer buffer = allocate(15_MiB, a);
    touch(buffer, a);
    order(a, b);
    touch(buffer, b);
    buffer.record_use(b);
    buffer.reset();
    complete(b);
  }
  EXPECT_LE(fake().live_events(), 2U);
  EXPECT_LE(fake().live_allocations(), 2U);
}

TEST_F(PoolStreams, WhenTheDeviceCannotRecordTheHostWaits) {
  open();
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer buffer = allocate(15_MiB, a);
  void* data = buffer.data();
  touch(buffer, b);
  buffer.record_use(b);
  fake().before_record = [] {
    return std::unexpected(
        device::Failure(device::FailureKind::kDevice, "record", "fake", "no more events"));
  };
  buffer.reset();
  EXPECT_EQ(fake().calls().synchronize, 1);
  buffer = allocate(15_MiB, a);
  EXPECT_EQ(buffer.data(), data);
  touch(buffer, a);
}

TEST_F(PoolStreams, MemoryWithUnknownUsersIsNeverReused) {
  open();
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer buffer = allocate(15_MiB, a);
  void* data = buffer.data();
  touch(buffer, b);
  buffer.record_use(b);
  const auto broken = [] {
    return std::unexpected(
        device::Failure(device::FailureKind::kDevice, "call", "fake", "a kernel faulted"));
  };
  fake().before_record = broken;
  fake().before_synchronize = broken;
  buffer.reset();  // a destructor never throws
  EXPECT_NE(allocate(15_MiB, a).data(), data);
  EXPECT_THAT(manager().snapshot(), testing::HasSubstr("\"lost\""));
  EXPECT_THROW(manager().empty_cache(), AMDDeviceError);
  fake().before_record = nullptr;
  fake().before_synchronize = nullptr;
}

}  // namespace

}  // namespace hipwright
