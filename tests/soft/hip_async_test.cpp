// SPDX-License-Identifier: MIT
// Streams go on while the host does other things.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {
namespace {

// Two streams, and words of memory that both sides see.
class AsyncStreams : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipHostMalloc(&memory_, 64, 0), hipSuccess);
    for (hipStream_t& stream : streams_)
      ASSERT_EQ(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), hipSuccess);
  }
  void TearDown() override {
    for (hipStream_t stream : streams_) EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
    EXPECT_EQ(hipHostFree(memory_), hipSuccess);
    static_cast<void>(hipGetLastError());
  }
  std::atomic_ref<std::uint32_t> word(std::size_t index) {
    return std::atomic_ref(static_cast<std::uint32_t*>(memory_)[index]);
  }
  void* at(std::size_t index) { return static_cast<std::uint32_t*>(memory_) + index; }
  // The stream does nothing until word 0 is 1.
  void hold(hipStream_t stream) {
    ASSERT_EQ(hipStreamWaitValue32(stream, at(0), 1, hipStreamWaitValueEq, ~0U), hipSuccess);
  }
  void* memory_ = nullptr;
  std::array<hipStream_t, 2> streams_{};
};

TEST_F(AsyncStreams, AWaitForAValueHoldsOnlyItsStream) {
  hold(streams_[0]);
  ASSERT_EQ(hipStreamWriteValue32(streams_[0], at(1), 7, 0), hipSuccess);
  EXPECT_EQ(hipStreamQuery(streams_[0]), hipErrorNotReady);
  ASSERT_EQ(hipStreamWriteValue32(streams_[1], at(2), 8, 0), hipSuccess);
  ASSERT_EQ(hipStreamSynchronize(streams_[1]), hipSuccess);
  EXPECT_EQ(word(1), 0U);
  EXPECT_EQ(word(2), 8U);
  word(0) = 1;
  EXPECT_EQ(hipStreamSynchronize(streams_[0]), hipSuccess);
  EXPECT_EQ(word(1), 7U);
  EXPECT_EQ(hipStreamQuery(streams_[0]), hipSuccess);
}

TEST_F(AsyncStreams, AnotherStreamCanWriteTheValue) {
  hold(streams_[0]);
  ASSERT_EQ(hipStreamWriteValue32(streams_[1], at(0), 1, 0), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
}

TEST_F(AsyncStreams, EventsAreDoneWhenTheirStreamHasReachedThem) {
  hipEvent_t start = nullptr, stop = nullptr;
  ASSERT_EQ(hipEventCreate(&start), hipSuccess);
  ASSERT_EQ(hipEventCreate(&stop), hipSuccess);
  ASSERT_EQ(hipEventRecord(start, streams_[0]), hipSuccess);
  hold(streams_[0]);
  ASSERT_EQ(hipEventRecord(stop, streams_[0]), hipSuccess);
  EXPECT_EQ(hipEventSynchronize(start), hipSuccess);
  EXPECT_EQ(hipEventQuery(stop), hipErrorNotReady);
  float time = 0;
  EXPECT_EQ(hipEventElapsedTime(&time, start, stop), hipErrorNotReady);
  // The other stream waits behind the event.
  ASSERT_EQ(hipStreamWaitEvent(streams_[1], stop, 0), hipSuccess);
  ASSERT_EQ(hipStreamWriteValue32(streams_[1], at(2), 8, 0), hipSuccess);
  EXPECT_EQ(hipStreamQuery(streams_[1]), hipErrorNotReady);
  EXPECT_EQ(word(2), 0U);
  word(0) = 1;
  EXPECT_EQ(hipStreamSynchronize(streams_[1]), hipSuccess);
  EXPECT_EQ(word(2), 8U);
  EXPECT_EQ(hipEventElapsedTime(&time, start, stop), hipSuccess);
  EXPECT_GE(time, 0);
  EXPECT_EQ(hipEventDestroy(start), hipSuccess);
  EXPECT_EQ(hipEventDestroy(stop), hipSuccess);
}

TEST_F(AsyncStreams, HostFunctionsRunInOrderBesideTheCaller) {
  static std::promise<void> may_go;
  static std::array<int, 2> order{};
  static std::atomic<int> next{0};
  ASSERT_EQ(hipLaunchHostFunc(
                streams_[0],
                [](void*) {
                  may_go.get_future().wait();  // would never end in the caller's thread
                  order[0] = ++next;
                },
                nullptr),
            hipSuccess);
  ASSERT_EQ(hipLaunchHostFunc(
                streams_[0], [](void*) { order[1] = ++next; }, nullptr),
            hipSuccess);
  EXPECT_EQ(next, 0);
  may_go.set_value();
  ASSERT_EQ(hipStreamSynchronize(streams_[0]), hipSuccess);
  EXPECT_EQ(order, (std::array{1, 2}));
}

TEST_F(AsyncStreams, MemoryIsFreedAfterTheWorkThatUsesIt) {
  void* buffer = nullptr;
  ASSERT_EQ(hipMalloc(&buffer, 64), hipSuccess);
  hold(streams_[0]);
  ASSERT_EQ(hipMemsetAsync(buffer, 1, 64, streams_[0]), hipSuccess);
  ASSERT_EQ(hipMemcpyAsync(at(4), buffer, 4, hipMemcpyDeviceToHost, streams_[0]), hipSuccess);
  const auto freed = std::async(std::launch::async, [&] { return hipFree(buffer); });
  word(0) = 1;
  freed.wait();
  EXPECT_EQ(word(4), 0x01010101U);
}

TEST_F(AsyncStreams, BatchesRunInOrder) {
  std::array<hipStreamBatchMemOpParams, 3> batch{};
  batch[0].writeValue = {hipStreamMemOpWriteValue32, at(1), {.value = 5}, 0, nullptr};
  batch[1].waitValue = {
      hipStreamMemOpWaitValue32, at(0), {.value = 1}, hipStreamWaitValueEq, nullptr};
  batch[2].writeValue = {hipStreamMemOpWriteValue64, at(2), {.value64 = 0x600000006}, 0, nullptr};
  EXPECT_EQ(hipStreamBatchMemOp(streams_[0], 0, batch.data(), 0), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamBatchMemOp(streams_[0], 257, batch.data(), 0), hipErrorInvalidValue);
  ASSERT_EQ(hipStreamBatchMemOp(streams_[0], 3, batch.data(), 0), hipSuccess);
  EXPECT_EQ(hipStreamQuery(streams_[0]), hipErrorNotReady);
  EXPECT_EQ(word(3), 0U);
  word(0) = 1;
  ASSERT_EQ(hipStreamSynchronize(streams_[0]), hipSuccess);
  EXPECT_EQ(word(1), 5U);
  EXPECT_EQ(word(2), 6U);
  EXPECT_EQ(word(3), 6U);
  batch[0].operation = hipStreamMemOpBarrier;
  EXPECT_EQ(hipStreamBatchMemOp(streams_[0], 1, batch.data(), 0), hipErrorNotSupported);
}

}  // namespace
}  // namespace hipwright::soft::hip
