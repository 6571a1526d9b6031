// SPDX-License-Identifier: MIT
// How much is kept, how much may be taken, and what happens when there is no more.
#include <cstring>
#include <map>

#include "runtime/pool/self_test.h"
#include "runtime/pool_fixture.h"

namespace hipwright {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using PoolLimits = PoolTest;

constexpr double kMiBinGB = 1.0 / 1024;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ROCmMemoryError& error) {
    return error.what();
  }
  return "no ROCmMemoryError";
}

device::Failure out_of_memory() {
  device::Failure failure(device::FailureKind::kMemory, "fakeMalloc", "fake", "out of memory");
  failure.code = 2;
  failure.code_name = "fakeErrorOutOfMemory";
  return failure;
}

// --- memory_pool_size_gb ---

TEST_F(PoolLimits, FreedMemoryBeyondThePoolSizeIsReturned) {
  open({.memory_pool_size_gb = 30 * kMiBinGB});
  std::vector<DeviceBuffer> buffers;
  for (int i = 0; i < 4; ++i) buffers.push_back(allocate(12_MiB));
  EXPECT_EQ(fake().live_bytes(), 48_MiB) << "growth goes on beyond the pool's size";
  buffers.clear();
  EXPECT_EQ(fake().live_bytes(), 24_MiB);
  EXPECT_DOUBLE_EQ(stats().reserved_mb, 24);
  EXPECT_EQ(stats().device_frees, 2U);
}

TEST_F(PoolLimits, ThePoolSizeLimitsFreedMemoryOnly) {
  open({.memory_pool_size_gb = 30 * kMiBinGB});
  const DeviceBuffer weights = allocate(200_MiB);
  for (int i = 0; i < 10; ++i) allocate(12_MiB);
  EXPECT_EQ(stats().device_allocations, 2U) << "what is freed is kept, though 200 MiB are in use";
  EXPECT_EQ(stats().device_frees, 0U);
}

TEST_F(PoolLimits, PrivatePoolsDoNotReduceTheSharedPool) {
  open({.memory_pool_size_gb = 30 * kMiBinGB});
  const PrivatePool pool = manager().create_private_pool();
  {
    const auto scope = pool.use();
    allocate(100_MiB);  // kept for the graph
  }
  for (int i = 0; i < 10; ++i) allocate(12_MiB);
  EXPECT_EQ(stats().device_allocations, 2U);
}

TEST_F(PoolLimits, ReturnedMemoryWaitsForItsStream) {
  open({.memory_pool_size_gb = 1 * kMiBinGB});
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer first = allocate(12_MiB, a);
  touch(first, a);
  order(a, b);
  touch(first, b);
  first.record_use(b);
  first.reset();
  EXPECT_EQ(fake().live_bytes(), 12_MiB) << "b still uses it";
  complete(b);
  DeviceBuffer second = allocate(14_MiB, b);  // looks what is done
  EXPECT_EQ(fake().live_bytes(), 14_MiB);
  touch(second, b);
  second.reset();
  EXPECT_EQ(fake().live_bytes(), 14_MiB) << "its own stream still uses it";
  complete(b);
  const DeviceBuffer third = allocate(10_MiB, a);
  EXPECT_EQ(fake().live_bytes(), 10_MiB);
  EXPECT_EQ(fake().calls().synchronize, 0) << "the host never waits";
}

TEST_F(PoolLimits, APoolOfSizeZeroKeepsNothing) {
  open({.memory_pool_size_gb = 0.0});
  for (int i = 0; i < 3; ++i) {
    const DeviceBuffer buffer = allocate(1000);
    EXPECT_EQ(fake().live_bytes(), 2_MiB);
  }
  EXPECT_EQ(fake().live_bytes(), 0U);
  EXPECT_EQ(fake().calls().allocate, 3);
}

// --- max_memory_fraction ---

TEST_F(PoolLimits, TheFractionLimitsAllocationsOnAnyDevice) {
  for (bool protection : {true, false}) {
    open({.max_memory_fraction = 0.5, .enable_oom_protection = protection}, 100_MiB);
    EXPECT_DOUBLE_EQ(stats().limit_mb, 50);
    const DeviceBuffer buffer = allocate(40_MiB);
    EXPECT_THAT(message_of([&] { allocate(12_MiB); }),
                AllOf(HasSubstr("max_memory_fraction reached"), HasSubstr("50.0 MiB")));
    const DeviceBuffer rest = allocate(10_MiB);
    EXPECT_EQ(fake().live_bytes(), 50_MiB);
  }
}

TEST_F(PoolLimits, OnlyOwnMemoryCounts) {
  open({.max_memory_fraction = 0.5}, 100_MiB);
  fake().set_used_by_others(40_MiB);
  const DeviceBuffer buffer = allocate(50_MiB);
  EXPECT_TRUE(buffer);
}

TEST_F(PoolLimits, NearTheLimitASegmentIsAsLargeAsTheRequest) {
  open({.max_memory_fraction = 1.0}, 5_MiB);
  const DeviceBuffer large = allocate(3_MiB);
  EXPECT_EQ(fake().live_bytes(), 3_MiB);
  const DeviceBuffer medium = allocate(1_MiB);
  const DeviceBuffer small = allocate(1000);
  EXPECT_EQ(fake().live_bytes(), 5_MiB) << "2 MiB are shared by the small ones";
}

// --- Out of memory ---

TEST_F(PoolLimits, RequestsBeyondFreeMemoryDoNotReachTheDevice) {
  open({.max_memory_fraction = 1.0}, 100_MiB);
  fake().set_used_by_others(60_MiB);
  EXPECT_THROW(allocate(50_MiB), ROCmMemoryError);
  EXPECT_EQ(fake().calls().allocate, 0);
  EXPECT_TRUE(allocate(30_MiB)) << "the manager works on";
}

TEST_F(PoolLimits, WithoutProtectionOnlyTheDeviceDecides) {
  open({.max_memory_fraction = 1.0, .enable_oom_protection = false}, 200_MiB);
  fake().set_used_by_others(100_MiB);
  allocate(50_MiB);  // kept
  const int looks = fake().calls().memory_info;
  EXPECT_THAT(message_of([&] { allocate(60_MiB); }),
              AllOf(HasSubstr("(fakeErrorOutOfMemory, 2)"), HasSubstr("fake: out of memory")));
  EXPECT_EQ(fake().calls().allocate, 2) << "asked once";
  EXPECT_EQ(fake().calls().free, 0) << "nothing was released";
  EXPECT_LE(fake().calls().memory_info, looks + 1) << "for the message only";
  EXPECT_EQ(stats().oom_retries, 0U);
}

TEST_F(PoolLimits, CachedMemoryIsReleasedBeforeARetry) {
  open({.max_memory_fraction = 1.0}, 100_MiB);
  const Stream a = stream("a");
  {
    const DeviceBuffer one = allocate(30_MiB, a), two = allocate(40_MiB);
    touch(one, a);
    touch(two);
  }
  const DeviceBuffer large = allocate(90_MiB, a);
  touch(large, a);
  EXPECT_EQ(fake().live_bytes(), 90_MiB);
  EXPECT_EQ(stats().oom_retries, 1U);
}

TEST_F(PoolLimits, CachedMemoryIsReleasedWhenTheDeviceFailsDespiteFreeMemory) {
  open();
  allocate(30_MiB);
  int refused = 0;
  fake().before_allocate = [&](std::size_t bytes) -> device::Done {
    if (bytes < 40_MiB || refused++ > 0) return {};
    return std::unexpected(out_of_memory());
  };
  EXPECT_TRUE(allocate(40_MiB));
  EXPECT_EQ(fake().live_bytes(), 40_MiB);
  EXPECT_EQ(stats().oom_retries, 1U);
}

TEST_F(PoolLimits, MemoryInUseByAnotherStreamIsWaitedFor) {
  open({.max_memory_fraction = 1.0}, 40_MiB);
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer buffer = allocate(30_MiB, a);
  touch(buffer, b);
  buffer.record_use(b);
  buffer.reset();
  buffer = allocate(30_MiB, a);
  touch(buffer, a);
  EXPECT_EQ(fake().live_bytes(), 30_MiB);
}

TEST_F(PoolLimits, TheMessageBreaksDownMemoryUse) {
  open({.max_memory_fraction = 0.75}, 1_GiB);
  fake().set_used_by_others(100_MiB);
  std::vector<DeviceBuffer> weights;
  for (int i = 0; i < 3; ++i)
    weights.push_back(manager().allocate(200_MiB, {.purpose = "weights"}));
  const DeviceBuffer state = manager().allocate(1_MiB, {.purpose = "optimizer"});
  try {
    manager().allocate(300_MiB, {.purpose = "activations"});
    FAIL();
  } catch (const ROCmMemoryError& error) {
    EXPECT_STREQ(error.what(),
                 "cannot allocate 300.0 MiB for 'activations' on fake: max_memory_fraction "
                 "reached\n"
                 "  requested  300.0 MiB (314572800 bytes)\n"
                 "  allocated  601.0 MiB in 4 buffers\n"
                 "  reserved   602.0 MiB in device segments\n"
                 "  cached     1.0 MiB, the largest free block 1.0 MiB, fragmentation 0 %\n"
                 "  limit      768.0 MiB (max_memory_fraction 0.75)\n"
                 "  device     322.0 MiB free of 1.00 GiB; 100.0 MiB are not this pool's\n"
                 "  held by    'weights' 600.0 MiB in 3 buffers\n"
                 "             'optimizer' 1.0 MiB in 1 buffer\n"
                 "Free buffers (get_leak_report() lists them with their call sites), reduce the "
                 "batch size, or raise max_memory_fraction.");
    EXPECT_EQ(error.device(), "fake");
    EXPECT_THAT(error.advice(), HasSubstr("get_leak_report()"));
    EXPECT_TRUE(error.device_usable());
  }
  EXPECT_TRUE(allocate(100_MiB)) << "the manager works on";
}

TEST_F(PoolLimits, TheAdviceFitsTheCause) {
  open({}, 1_GiB);
  EXPECT_THAT(message_of([&] { allocate(2_GiB); }), HasSubstr("exceeds the limit"));
  EXPECT_THAT(message_of([&] { allocate(SIZE_MAX); }), HasSubstr("exceeds the limit"));
  fake().set_used_by_others(1000_MiB);
  EXPECT_THAT(message_of([&] { allocate(100_MiB); }), HasSubstr("Another process"));

  open({.enable_oom_protection = false}, 1_GiB);
  allocate(600_MiB);
  EXPECT_THAT(message_of([&] { allocate(601_MiB); }), HasSubstr("Set enable_oom_protection"));

  open({}, 100_MiB);  // a block in the middle of the only segment stays
  std::vector<DeviceBuffer> buffers;
  buffers.push_back(allocate(80_MiB));
  buffers.clear();
  for (int i = 0; i < 3; ++i) buffers.push_back(allocate(26_MiB));
  buffers[0].reset();
  buffers[2].reset();
  EXPECT_THAT(message_of([&] { allocate(50_MiB); }), HasSubstr("in pieces between live buffers"));
}

TEST_F(PoolLimits, OtherDeviceFailuresAreNotReportedAsOutOfMemory) {
  open();
  fake().before_allocate = [](std::size_t) -> device::Done {
    device::Failure failure(device::FailureKind::kDevice, "fakeMalloc", "fake", "the GPU is gone");
    failure.device_lost = true;
    return std::unexpected(failure);
  };
  try {
    allocate(1000);
    FAIL();
  } catch (const AMDDeviceError& error) {
    EXPECT_FALSE(error.device_usable());
  }
  EXPECT_EQ(fake().calls().allocate, 1);
}

// --- enable_memory_pooling = false ---

TEST_F(PoolLimits, WithoutPoolingEveryCallGoesToTheDevice) {
  open({.enable_memory_pooling = false});
  const Stream a = stream("a"), b = stream("b");
  for (int i = 1; i <= 3; ++i) {
    DeviceBuffer buffer = allocate(1000, a);
    EXPECT_EQ(fake().live_bytes(), 1000U) << "not rounded up: overruns are seen";
    touch(buffer, a);
    order(a, b);
    touch(buffer, b);
    buffer.record_use(b);
    buffer.reset();  // a violation if it does not wait for both
    EXPECT_EQ(fake().live_bytes(), 0U);
    EXPECT_EQ(fake().calls().allocate, i);
    EXPECT_EQ(fake().calls().free, i);
  }
  EXPECT_EQ(stats().hits, 0U);
  EXPECT_EQ(stats().reserved_mb, 0);
}

TEST_F(PoolLimits, WithoutPoolingTheLimitStillApplies) {
  open({.enable_memory_pooling = false, .max_memory_fraction = 0.5}, 100_MiB);
  const DeviceBuffer buffer = allocate(40_MiB);
  EXPECT_THROW(allocate(20_MiB), ROCmMemoryError);
  EXPECT_EQ(stats().live_buffers, 1U);
}

TEST_F(PoolLimits, AnUnpooledBufferMayOutliveTheManager) {
  open({.enable_memory_pooling = false});
  DeviceBuffer buffer = allocate(1000);
  manager_.reset();
  touch(buffer);
  buffer.reset();
  EXPECT_EQ(fake().live_bytes(), 0U);
}

// --- enable_stream_ordered_allocator ---

class PoolStreamOrdered : public PoolTest {
 protected:
  void open_with(bool has, bool broken, bool strict = false) {
    fake_ = std::make_shared<device::FakeDevice>(16_GiB);
    fake_->has_stream_ordered_allocator = has;
    fake_->stream_ordered_allocator_is_broken = broken;
    manager_ = std::make_unique<AMDMemoryManager>(
        Device(fake_),
        AMDConfig{.enable_stream_ordered_allocator = true, .enable_strict_validation = strict});
  }
};

TEST_F(PoolStreamOrdered, IsUsedAfterASelfTest) {
  open_with(true, false);
  EXPECT_GT(fake().calls().allocate_async, 10) << "the self-test";
  EXPECT_EQ(fake().live_allocations(), 0U);
  EXPECT_EQ(fake().live_streams(), 0U);
  const auto before = fake().calls();
  const Stream a = stream("a"), b = stream("b");
  DeviceBuffer buffer = allocate(1000, a);
  touch(buffer, a);
  order(a, b);
  touch(buffer, b);
  buffer.record_use(b);
  buffer.reset();  // a violation if a does not wait for b
  EXPECT_EQ(fake().calls().allocate_async, before.allocate_async + 1);
  EXPECT_EQ(fake().calls().free_async, before.free_async + 1);
  EXPECT_EQ(fake().calls().allocate, before.allocate);
}

TEST_F(PoolStreamOrdered, AnAllocatorThatFailsTheSelfTestIsNotUsed) {
  for (bool has : {true, false}) {
    testing::internal::CaptureStderr();
    open_with(has, has);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_THAT(said, HasSubstr("enable_stream_ordered_allocator is ignored on fake"));
    EXPECT_THAT(said,
                HasSubstr(has ? "the same memory was allocated twice" : "this device has none"));
    const auto before = fake().calls();
    allocate(1000);
    EXPECT_EQ(fake().calls().allocate_async, before.allocate_async);
    EXPECT_EQ(fake().calls().allocate, 1);

    testing::internal::CaptureStderr();
    open_with(has, has);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "said once";
    EXPECT_THROW(open_with(has, has, /*strict=*/true), ROCmNotAvailableError);
  }
}

// A device that works only when it is waited for, and whose allocator hands freed memory to
// whoever asks next, in the order of the stream or in none.
class LateDevice : public device::FakeDevice {
 public:
  explicit LateDevice(bool ordered) : FakeDevice(16_GiB), ordered_(ordered) {}
  using FakeDevice::synchronize;

  device::Outcome<void*> allocate_async(std::size_t bytes, device::Stream stream) override {
    for (auto spare = spare_.begin(); spare != spare_.end(); ++spare) {
      if (spare->bytes != bytes || (ordered_ && spare->stream != stream)) continue;
      void* const address = spare->address;
      spare_.erase(spare);
      ++reused;
      return address;
    }
    auto address = allocate(bytes);
    if (address) sizes_[*address] = bytes;
    return address;
  }
  device::Done free_async(void* pointer, device::Stream stream) override {
    spare_.push_back({pointer, sizes_.at(pointer), stream});
    return {};
  }
  device::Done fill(void* to, unsigned char byte, std::size_t bytes,
                    device::Stream stream) override {
    waiting_[stream].push_back([=] { std::memset(to, byte, bytes); });
    return {};
  }
  device::Done synchronize(device::Stream stream) override {
    for (const auto& work : std::exchange(waiting_[stream], {})) work();
    return {};
  }
  device::Outcome<bool> idle(device::Stream stream) override { return waiting_[stream].empty(); }

  int reused = 0;

 private:
  struct Spare {
    void* address;
    std::size_t bytes;
    device::Stream stream;
  };
  const bool ordered_;
  std::vector<Spare> spare_;
  std::map<void*, std::size_t> sizes_;
  std::map<device::Stream, std::vector<std::function<void()>>> waiting_;
};

TEST(PoolSelfTest, FindsMemoryReusedByAnotherStreamWhileInUse) {
  LateDevice device(/*ordered=*/false);
  const auto tested = runtime::test_stream_ordered_allocator(device);
  EXPECT_GT(device.reused, 0);
  ASSERT_FALSE(tested);
  EXPECT_THAT(tested.error().message(), HasSubstr("overwritten by another owner"));
}

TEST(PoolSelfTest, PassesAnAllocatorThatReusesInStreamOrder) {
  LateDevice device(/*ordered=*/true);
  const auto tested = runtime::test_stream_ordered_allocator(device);
  EXPECT_GT(device.reused, 0);
  EXPECT_TRUE(tested) << tested.error().message();
}

}  // namespace

}  // namespace hipwright
