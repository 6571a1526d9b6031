// SPDX-License-Identifier: MIT
// Virtual memory management: reserved addresses, physical memory, mappings and access.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {
namespace {

constexpr hipMemAllocationProp kProperties = {
    .type = hipMemAllocationTypePinned,
    .requestedHandleType = hipMemHandleTypePosixFileDescriptor,
    .location = {.type = hipMemLocationTypeDevice, .id = 0},
    .win32HandleMetaData = nullptr,
    .allocFlags = {}};
constexpr hipMemAccessDesc access(hipMemAccessFlags flags) {
  return {.location = {.type = hipMemLocationTypeDevice, .id = 0}, .flags = flags};
}

class VirtualMemory : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(
        hipMemGetAllocationGranularity(&unit_, &kProperties, hipMemAllocationGranularityMinimum),
        hipSuccess);
    ASSERT_EQ(hipMemAddressReserve(&begin_, 4 * unit_, 0, nullptr, 0), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipMemAddressFree(begin_, 4 * unit_), hipSuccess);
    static_cast<void>(hipGetLastError());
  }
  std::byte* at(std::size_t unit) const { return static_cast<std::byte*>(begin_) + unit * unit_; }
  // What kernels may touch.
  std::optional<Allocation> seen(std::size_t unit) const {
    return runtime_of(0)->memory().find(address_of(at(unit)));
  }
  std::size_t unit_ = 0;
  void* begin_ = nullptr;
};

TEST_F(VirtualMemory, NeighboursAreOneRangeAndOutliveTheirHandles) {
  hipMemGenericAllocationHandle_t handles[2] = {};
  const hipMemAccessDesc all = access(hipMemAccessFlagsProtReadWrite);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(hipMemCreate(&handles[i], unit_, &kProperties, 0), hipSuccess);
    ASSERT_EQ(hipMemMap(at(i), unit_, 0, handles[i], 0), hipSuccess);
    EXPECT_FALSE(seen(i)) << "mapped, but nobody has access";
    EXPECT_EQ(hipMemSetAccess(at(i), unit_, &all, 1), hipSuccess);
    EXPECT_EQ(hipMemRelease(handles[i]), hipSuccess);
  }
  ASSERT_TRUE(seen(1));
  EXPECT_EQ(seen(1)->begin, address_of(begin_));
  EXPECT_EQ(seen(1)->size, 2 * unit_);
  EXPECT_FALSE(seen(2));
  EXPECT_EQ(hipMemset(begin_, 7, 2 * unit_), hipSuccess);
  EXPECT_EQ(*at(1), std::byte{7});
  const hipMemAccessDesc read = access(hipMemAccessFlagsProtRead);
  EXPECT_EQ(hipMemSetAccess(at(1), unit_, &read, 1), hipSuccess);
  EXPECT_TRUE(seen(0)->writable);
  EXPECT_FALSE(seen(1)->writable);
  EXPECT_EQ(seen(1)->size, unit_);
  unsigned long long flags = 0;
  EXPECT_EQ(hipMemGetAccess(&flags, &read.location, at(1)), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned long long>(hipMemAccessFlagsProtRead));
  EXPECT_EQ(hipFree(begin_), hipErrorInvalidValue) << "it was not allocated";
  EXPECT_EQ(hipMemAddressFree(begin_, 4 * unit_), hipErrorInvalidValue) << "still mapped";
  EXPECT_EQ(hipMemUnmap(begin_, 2 * unit_), hipSuccess);
  EXPECT_FALSE(seen(0));
}

TEST_F(VirtualMemory, OneMemoryHasTwoAddressesAndGoesThroughAFile) {
  hipMemGenericAllocationHandle_t handle{}, again{}, imported{};
  ASSERT_EQ(hipMemCreate(&handle, unit_, &kProperties, 0), hipSuccess);
  ASSERT_EQ(hipMemMap(at(0), unit_, 0, handle, 0), hipSuccess);
  ASSERT_EQ(hipMemRetainAllocationHandle(&again, at(0)), hipSuccess);
  ASSERT_EQ(hipMemMap(at(1), unit_, 0, again, 0), hipSuccess);
  int file = -1;
  ASSERT_EQ(hipMemExportToShareableHandle(&file, handle, hipMemHandleTypePosixFileDescriptor, 0),
            hipSuccess);
  ASSERT_EQ(hipMemImportFromShareableHandle(
                &imported, reinterpret_cast<void*>(static_cast<std::uintptr_t>(file)),
                hipMemHandleTypePosixFileDescriptor),
            hipSuccess);
  close(file);
  ASSERT_EQ(hipMemMap(at(2), unit_, 0, imported, 0), hipSuccess);
  const hipMemAccessDesc all = access(hipMemAccessFlagsProtReadWrite);
  ASSERT_EQ(hipMemSetAccess(at(0), 3 * unit_, &all, 1), hipSuccess);
  *at(0) = std::byte{42};
  EXPECT_EQ(*at(1), std::byte{42});
  EXPECT_EQ(*at(2), std::byte{42});
  hipMemAllocationProp properties{};
  EXPECT_EQ(hipMemGetAllocationPropertiesFromHandle(&properties, handle), hipSuccess);
  EXPECT_EQ(properties.location.id, 0);
  EXPECT_EQ(hipMemUnmap(at(0), 3 * unit_), hipSuccess);
  for (const auto each : {handle, again, imported}) EXPECT_EQ(hipMemRelease(each), hipSuccess);
  EXPECT_EQ(hipMemRelease(handle), hipErrorInvalidValue);
}

TEST_F(VirtualMemory, WrongRequestsAreErrors) {
  void* address = nullptr;
  hipMemGenericAllocationHandle_t handle{};
  const hipMemAccessDesc all = access(hipMemAccessFlagsProtReadWrite);
  EXPECT_EQ(hipMemAddressReserve(&address, unit_ + 1, 0, nullptr, 0), hipErrorOutOfMemory);
  EXPECT_EQ(hipMemAddressReserve(&address, 0, 0, nullptr, 0), hipErrorOutOfMemory);
  EXPECT_EQ(hipMemAddressReserve(&address, unit_, 3, nullptr, 0), hipErrorOutOfMemory);
  EXPECT_EQ(hipMemAddressFree(begin_, unit_), hipErrorInvalidValue);
  EXPECT_EQ(hipMemCreate(&handle, 100, &kProperties, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMemCreate(&handle, unit_, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMemCreate(&handle, SIZE_MAX / unit_ * unit_, &kProperties, 0), hipErrorOutOfMemory);
  hipMemAllocationProp elsewhere = kProperties;
  elsewhere.location.id = 77;
  EXPECT_EQ(hipMemCreate(&handle, unit_, &elsewhere, 0), hipErrorInvalidValue);
  ASSERT_EQ(hipMemCreate(&handle, unit_, &kProperties, 0), hipSuccess);
  EXPECT_EQ(hipMemMap(at(4), unit_, 0, handle, 0), hipErrorInvalidValue) << "not reserved";
  EXPECT_EQ(hipMemMap(at(0), 2 * unit_, 0, handle, 0), hipErrorInvalidValue) << "too large";
  EXPECT_EQ(hipMemMap(at(0), unit_, 4096, handle, 0), hipErrorInvalidValue) << "offset";
  EXPECT_EQ(hipMemSetAccess(at(0), unit_, &all, 1), hipErrorInvalidValue) << "not mapped";
  ASSERT_EQ(hipMemMap(at(1), unit_, 0, handle, 0), hipSuccess);
  EXPECT_EQ(hipMemMap(at(1), unit_, 0, handle, 0), hipErrorInvalidValue) << "mapped before";
  EXPECT_EQ(hipMemUnmap(at(0), 2 * unit_), hipErrorInvalidValue) << "half of it is not mapped";
  EXPECT_EQ(hipMemUnmap(at(1), unit_), hipSuccess);
  EXPECT_EQ(hipMemRelease(handle), hipSuccess);
}

}  // namespace
}  // namespace hipwright::soft::hip
