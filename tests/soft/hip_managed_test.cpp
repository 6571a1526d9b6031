// SPDX-License-Identifier: MIT
// What a program says about managed memory, and asks for.
#include <gtest/gtest.h>

#include <array>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {
namespace {

constexpr std::size_t kPage = 4096;

class ManagedMemory : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipMallocManaged(&memory_, 4 * kPage, hipMemAttachGlobal), hipSuccess);
  }
  void TearDown() override {
    if (memory_) EXPECT_EQ(hipFree(memory_), hipSuccess);
    static_cast<void>(hipGetLastError());
  }
  std::byte* page(std::size_t index) const {
    return static_cast<std::byte*>(memory_) + index * kPage;
  }
  int get(hipMemRangeAttribute attribute, std::size_t first, std::size_t count) const {
    int value = -99;
    EXPECT_EQ(hipMemRangeGetAttribute(&value, sizeof value, attribute, page(first), count * kPage),
              hipSuccess);
    return value;
  }
  void* memory_ = nullptr;
};

TEST_F(ManagedMemory, HintsAreKeptByPages) {
  ASSERT_EQ(hipMemAdvise(page(1), 2 * kPage, hipMemAdviseSetReadMostly, 0), hipSuccess);
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 1, 2), 1);
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 0, 1), 0);
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 0, 4), 0) << "not all of it";
  ASSERT_EQ(hipMemAdvise(page(2), kPage, hipMemAdviseUnsetReadMostly, 0), hipSuccess);
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 1, 1), 1);
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 1, 2), 0);

  EXPECT_EQ(get(hipMemRangeAttributePreferredLocation, 0, 4), hipInvalidDeviceId);
  ASSERT_EQ(hipMemAdvise(memory_, 4 * kPage, hipMemAdviseSetPreferredLocation, hipCpuDeviceId),
            hipSuccess);
  EXPECT_EQ(get(hipMemRangeAttributePreferredLocation, 0, 4), hipCpuDeviceId);
  ASSERT_EQ(hipMemPrefetchAsync(page(3), kPage, 0, nullptr), hipSuccess);
  EXPECT_EQ(get(hipMemRangeAttributeLastPrefetchLocation, 3, 1), 0);
  EXPECT_EQ(get(hipMemRangeAttributeLastPrefetchLocation, 0, 4), hipInvalidDeviceId);
  ASSERT_EQ(hipMemAdvise(page(0), kPage, hipMemAdviseSetCoarseGrain, 0), hipSuccess);
  EXPECT_EQ(get(hipMemRangeAttributeCoherencyMode, 0, 1), hipMemRangeCoherencyModeCoarseGrain);
  EXPECT_EQ(get(hipMemRangeAttributeCoherencyMode, 0, 2), hipMemRangeCoherencyModeIndeterminate);
}

TEST_F(ManagedMemory, SeveralDevicesHaveAccess) {
  ASSERT_EQ(hipMemAdvise(memory_, kPage, hipMemAdviseSetAccessedBy, 0), hipSuccess);
  ASSERT_EQ(hipMemAdvise(memory_, kPage, hipMemAdviseSetAccessedBy, hipCpuDeviceId), hipSuccess);
  std::array<int, 3> devices{};
  std::size_t bytes = sizeof devices;
  void* data = devices.data();
  auto attribute = hipMemRangeAttributeAccessedBy;
  EXPECT_EQ(hipMemRangeGetAttributes(&data, &bytes, &attribute, 1, memory_, kPage), hipSuccess);
  EXPECT_EQ(devices, (std::array<int, 3>{hipCpuDeviceId, 0, hipInvalidDeviceId}));
  EXPECT_EQ(hipMemRangeGetAttributes(&data, &bytes, &attribute, 1, memory_, 2 * kPage), hipSuccess);
  EXPECT_EQ(devices[0], hipInvalidDeviceId);
}

TEST_F(ManagedMemory, HintsEndWithTheMemory) {
  ASSERT_EQ(hipMemAdvise(memory_, 4 * kPage, hipMemAdviseSetReadMostly, 0), hipSuccess);
  // The same addresses, as they may come back from another allocation.
  std::byte* const before = page(0);
  ASSERT_EQ(hipFree(std::exchange(memory_, nullptr)), hipSuccess);
  for (int i = 0; i < 10000 && memory_ != before; ++i) {
    if (memory_) ASSERT_EQ(hipFree(memory_), hipSuccess);
    ASSERT_EQ(hipMallocManaged(&memory_, 4 * kPage, hipMemAttachGlobal), hipSuccess);
  }
  EXPECT_EQ(get(hipMemRangeAttributeReadMostly, 0, 4), 0);
}

TEST_F(ManagedMemory, WrongQuestionsAreErrors) {
  int value = 0;
  void* device = nullptr;
  ASSERT_EQ(hipMalloc(&device, kPage), hipSuccess);
  const struct {
    void* data;
    std::size_t bytes;
    hipMemRangeAttribute attribute;
    const void* pointer;
    std::size_t count;
  } cases[] = {
      {nullptr, 4, hipMemRangeAttributeReadMostly, memory_, kPage},
      {&value, 0, hipMemRangeAttributeReadMostly, memory_, kPage},
      {&value, 8, hipMemRangeAttributeReadMostly, memory_, kPage},
      {&value, 8, hipMemRangeAttributePreferredLocation, memory_, kPage},
      {&value, 6, hipMemRangeAttributeAccessedBy, memory_, kPage},
      {&value, 4, static_cast<hipMemRangeAttribute>(999), memory_, kPage},
      {&value, 4, hipMemRangeAttributeReadMostly, nullptr, kPage},
      {&value, 4, hipMemRangeAttributeReadMostly, memory_, 0},
      {&value, 4, hipMemRangeAttributeReadMostly, memory_, 5 * kPage},
      {&value, 4, hipMemRangeAttributeReadMostly, device, kPage},
  };
  for (const auto& each : cases)
    EXPECT_EQ(
        hipMemRangeGetAttribute(each.data, each.bytes, each.attribute, each.pointer, each.count),
        hipErrorInvalidValue)
        << &each - cases;
  EXPECT_EQ(hipMemAdvise(memory_, 5 * kPage, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMemAdvise(memory_, kPage, hipMemAdviseSetAccessedBy, 7), hipErrorInvalidDevice);
  EXPECT_EQ(hipMemPrefetchAsync(memory_, kPage, 7, nullptr), hipErrorInvalidDevice);
  EXPECT_EQ(hipMemPrefetchAsync(memory_, 5 * kPage, 0, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamAttachMemAsync(nullptr, memory_, 0, hipMemAttachSingle), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamAttachMemAsync(nullptr, memory_, kPage, hipMemAttachHost),
            hipErrorInvalidValue);
  EXPECT_EQ(hipStreamAttachMemAsync(nullptr, memory_, 4 * kPage, hipMemAttachHost), hipSuccess);
  EXPECT_EQ(hipFree(device), hipSuccess);
}

}  // namespace
}  // namespace hipwright::soft::hip
