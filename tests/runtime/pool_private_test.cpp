// SPDX-License-Identifier: MIT
// Private pools: memory of captured graphs. The device of these tests notices frees, event queries
// and waits during a capture.
#include <optional>
#include <thread>

#include "runtime/pool_fixture.h"

namespace hipwright {

namespace {

using testing::HasSubstr;
using PoolPrivate = PoolTest;

TEST_F(PoolPrivate, ItsMemoryIsReusedOnlyInside) {
  open();
  const PrivatePool pool = manager().create_private_pool();
  void* inside = nullptr;
  {
    const PrivatePool::Scope scope = pool.use();
    inside = allocate(1000).data();
    EXPECT_EQ(allocate(1000).data(), inside);
  }
  EXPECT_NE(allocate(1000).data(), inside);
  manager().empty_cache();
  EXPECT_EQ(fake().live_bytes(), 2_MiB) << "a graph may still use it: it stays";
  const PrivatePool::Scope scope = pool.use();
  EXPECT_EQ(allocate(1000).data(), inside);
}

TEST_F(PoolPrivate, SharedMemoryIsNotUsedInside) {
  open();
  void* shared = allocate(15_MiB).data();
  const PrivatePool first = manager().create_private_pool();
  const PrivatePool second = manager().create_private_pool();
  const PrivatePool::Scope outer = first.use();
  void* outer_data = allocate(15_MiB).data();
  EXPECT_NE(outer_data, shared);
  {
    const PrivatePool::Scope inner = second.use();
    void* inner_data = allocate(15_MiB).data();
    EXPECT_NE(inner_data, shared);
    EXPECT_NE(inner_data, outer_data);
  }
  EXPECT_EQ(allocate(15_MiB).data(), outer_data) << "scopes nest";
}

TEST_F(PoolPrivate, AScopeBelongsToOneThreadAndOneManager) {
  open();
  void* shared = allocate(15_MiB).data();
  AMDMemoryManager other(Device(fake_), {});
  void* of_other = other.allocate(15_MiB).data();
  const PrivatePool pool = manager().create_private_pool();
  const PrivatePool::Scope scope = pool.use();
  EXPECT_EQ(other.allocate(15_MiB).data(), of_other);
  std::thread([&] { EXPECT_EQ(allocate(15_MiB).data(), shared); }).join();
}

TEST_F(PoolPrivate, ScopesMayEndInAnyOrder) {
  open();
  const PrivatePool first = manager().create_private_pool();
  const PrivatePool second = manager().create_private_pool();
  struct Holder {
    explicit Holder(const PrivatePool& pool) : scope(pool.use()) {}
    PrivatePool::Scope scope;
  };
  auto outer = std::make_unique<Holder>(first);
  auto inner = std::make_unique<Holder>(second);
  void* data = allocate(15_MiB).data();
  outer.reset();
  EXPECT_EQ(allocate(15_MiB).data(), data);
  inner.reset();
  EXPECT_NE(allocate(15_MiB).data(), data);
}

TEST_F(PoolPrivate, LivesUntilTheLastHandleAndBufferAreDestroyed) {
  open();
  const Stream a = stream("a");
  PrivatePool pool = manager().create_private_pool();
  DeviceBuffer buffer;
  {
    const PrivatePool::Scope scope = pool.use();
    buffer = allocate(1000, a);
    allocate(15_MiB, a);
  }
  touch(buffer, a);
  PrivatePool copy = pool;
  pool = {};
  copy = {};
  EXPECT_EQ(fake().live_bytes(), 18_MiB) << "a buffer is left";
  touch(buffer, a);
  buffer.reset();
  EXPECT_EQ(fake().live_bytes(), 0U);
  EXPECT_EQ(stats().reserved_mb, 0);
}

TEST_F(PoolPrivate, AFreedBufferUsedByAnotherStreamDoesNotKeepItAlive) {
  open();
  const Stream a = stream("a"), b = stream("b");
  std::optional<PrivatePool> pool = manager().create_private_pool();
  {
    const PrivatePool::Scope scope = pool->use();
    DeviceBuffer buffer = allocate(1000, a);
    touch(buffer, b);
    buffer.record_use(b);
  }
  pool.reset();
  EXPECT_EQ(fake().live_bytes(), 0U);
}

TEST_F(PoolPrivate, DuringACaptureOnlyMemoryIsRequestedFromTheDevice) {
  open({.memory_pool_size_gb = 0.0});
  const Stream a = stream("a"), b = stream("b");
  const PrivatePool pool = manager().create_private_pool();
  DeviceBuffer before = allocate(30_MiB, b), shared = allocate(12_MiB, a);
  touch(shared, a);
  touch(before, a);
  before.record_use(a);
  const auto calls = fake().calls();
  {
    const PrivatePool::Scope scope = pool.use();
    ASSERT_TRUE(fake().begin_capture(runtime::native(a)));
    before.reset();  // its users cannot be asked now
    shared.reset();  // beyond what is to be kept, but nothing can be freed now
    DeviceBuffer one = allocate(1000, a), two = allocate(15_MiB, a);
    touch(one, a);
    one.record_use(b);
    one.reset();
    two = allocate(20_MiB, b);
    allocate(20_MiB, a);
    ASSERT_TRUE(fake().end_capture(runtime::native(a)));
    EXPECT_EQ(fake().calls().record, calls.record);
    EXPECT_EQ(fake().calls().reached, calls.reached);
    EXPECT_EQ(fake().calls().free, calls.free);
  }
  complete(a);
  complete(b);
  allocate(12_MiB, a);  // looks what is done
  complete(a);
  allocate(12_MiB, a);
  EXPECT_LE(stats().reserved_mb, 2 + 20 + 20 + 20 + 12) << "what was postponed has been done";
  EXPECT_THAT(manager().snapshot(), testing::Not(HasSubstr("\"waiting\"")));
}

TEST_F(PoolPrivate, ACaptureWithoutAScopeIsDetected) {
  open({.memory_pool_size_gb = 0.0});
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer one = allocate(12_MiB, a), two = allocate(12_MiB, b);
  touch(two, b);
  one.record_use(b);
  ASSERT_TRUE(fake().begin_capture(runtime::native(a)));
  ASSERT_TRUE(fake().begin_capture(runtime::native(b)));
  one.reset();
  two.reset();
  allocate(15_MiB, a);
  EXPECT_THROW(manager().empty_cache(), GraphCaptureError);
  ASSERT_TRUE(fake().end_capture(runtime::native(a)));
  ASSERT_TRUE(fake().end_capture(runtime::native(b)));
  manager().empty_cache();
  EXPECT_EQ(fake().live_bytes(), 0U);
}

TEST_F(PoolPrivate, EventsAreNotAskedForWhileTheirStreamIsCaptured) {
  open();
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer buffer = allocate(15_MiB, a);
  void* data = buffer.data();
  touch(buffer, a);
  order(a, b);
  touch(buffer, b);
  buffer.record_use(b);
  buffer.reset();  // waits for b
  ASSERT_TRUE(fake().begin_capture(runtime::native(b)));
  const auto calls = fake().calls();
  DeviceBuffer next = allocate(15_MiB, a);
  EXPECT_NE(next.data(), data);
  EXPECT_EQ(fake().calls().reached, calls.reached);
  ASSERT_TRUE(fake().end_capture(runtime::native(b)));
  complete(b);
  EXPECT_EQ(allocate(15_MiB, a).data(), data);
}

TEST_F(PoolPrivate, OutOfMemoryDuringACaptureReportsThatNothingWasReleased) {
  open({.max_memory_fraction = 1.0}, 100_MiB);
  allocate(60_MiB);
  const PrivatePool pool = manager().create_private_pool();
  const PrivatePool::Scope scope = pool.use();
  try {
    allocate(60_MiB);
    FAIL();
  } catch (const ROCmMemoryError& error) {
    EXPECT_THAT(error.what(), HasSubstr("call empty_cache() before it"));
  }
}

TEST_F(PoolPrivate, UnpooledMemoryCannotBeCaptured) {
  open({.enable_memory_pooling = false});
  const Stream a = stream("a");
  DeviceBuffer before = allocate(1000, a);
  {
    const PrivatePool pool = manager().create_private_pool();
    const PrivatePool::Scope scope = pool.use();
    EXPECT_THROW(allocate(1000, a), GraphCaptureError);
    before.reset();
    EXPECT_EQ(fake().calls().free, 0);
  }
  EXPECT_EQ(fake().calls().free, 1) << "postponed to the end of the capture";
  ASSERT_TRUE(fake().begin_capture(runtime::native(a)));
  EXPECT_THROW(allocate(1000, a), GraphCaptureError);
  ASSERT_TRUE(fake().end_capture(runtime::native(a)));
}

TEST_F(PoolPrivate, HandlesAndScopesMayOutliveTheManager) {
  open();
  PrivatePool pool = manager().create_private_pool();
  DeviceBuffer buffer;
  {
    const PrivatePool::Scope scope = pool.use();
    buffer = allocate(1000);
    manager_.reset();
  }
  buffer.reset();
  EXPECT_EQ(fake().live_bytes(), 2_MiB);
  pool = {};
  EXPECT_EQ(fake().live_bytes(), 0U);
}

}  // namespace

}  // namespace hipwright
