// SPDX-License-Identifier: MIT
// Memory pools: sizes, and memory that is handed out through a file descriptor.
#include <gtest/gtest.h>
#include <unistd.h>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {
namespace {

hipMemPoolProps properties_with(hipMemAllocationHandleType handles) {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.handleTypes = handles;
  properties.location = {hipMemLocationTypeDevice, 0};
  return properties;
}

std::uint64_t attribute(hipMemPool_t pool, hipMemPoolAttr which) {
  std::uint64_t value = ~std::uint64_t{0};
  EXPECT_EQ(hipMemPoolGetAttribute(pool, which, &value), hipSuccess);
  return value;
}

TEST(HipPools, GiveNoMoreThanTheirSize) {
  hipMemPoolProps properties = properties_with(hipMemHandleTypeNone);
  properties.maxSize = 10000;
  hipMemPool_t pool = nullptr;
  ASSERT_EQ(hipMemPoolCreate(&pool, &properties), hipSuccess);
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(hipMallocFromPoolAsync(&first, 6000, pool, nullptr), hipSuccess);
  EXPECT_EQ(hipMallocFromPoolAsync(&second, 6000, pool, nullptr), hipErrorOutOfMemory);
  EXPECT_EQ(hipMallocFromPoolAsync(&second, SIZE_MAX, pool, nullptr), hipErrorOutOfMemory);
  EXPECT_EQ(hipFreeAsync(first, nullptr), hipSuccess);
  EXPECT_EQ(hipMallocFromPoolAsync(&second, 6000, pool, nullptr), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrUsedMemHigh), 6000);
  EXPECT_EQ(hipFreeAsync(second, nullptr), hipSuccess);
  EXPECT_EQ(hipMemPoolDestroy(pool), hipSuccess);
}

TEST(HipPools, MemoryInAFileIsTheSameThroughBothPools) {
  const hipMemPoolProps properties = properties_with(hipMemHandleTypePosixFileDescriptor);
  hipMemPool_t pool = nullptr, imported = nullptr;
  int file = -1;
  void *other = nullptr, *memory = nullptr, *seen = nullptr;
  hipMemPoolPtrExportData data;
  ASSERT_EQ(hipMemPoolCreate(&pool, &properties), hipSuccess);
  ASSERT_EQ(hipMallocFromPoolAsync(&other, 5000, pool, nullptr), hipSuccess);
  ASSERT_EQ(hipMallocFromPoolAsync(&memory, 5000, pool, nullptr), hipSuccess);
  EXPECT_EQ(hipMemPoolExportToShareableHandle(&file, pool, hipMemHandleTypeNone, 0),
            hipErrorInvalidValue);
  ASSERT_EQ(hipMemPoolExportToShareableHandle(&file, pool, hipMemHandleTypePosixFileDescriptor, 0),
            hipSuccess);
  ASSERT_EQ(hipMemPoolExportPointer(&data, memory), hipSuccess);
  EXPECT_EQ(hipMemPoolExportPointer(&data, &data), hipErrorInvalidValue);
  void* const handle = reinterpret_cast<void*>(static_cast<std::uintptr_t>(file));
  ASSERT_EQ(hipMemPoolImportFromShareableHandle(&imported, handle,
                                                hipMemHandleTypePosixFileDescriptor, 0),
            hipSuccess);
  close(file);
  ASSERT_EQ(hipMemPoolImportPointer(&seen, imported, &data), hipSuccess);
  EXPECT_NE(seen, memory);
  EXPECT_EQ(hipMemset(other, 1, 5000), hipSuccess);
  EXPECT_EQ(hipMemset(memory, 2, 5000), hipSuccess);
  EXPECT_EQ(static_cast<const std::uint8_t*>(seen)[4999], 2);
  EXPECT_EQ(hipMemset(seen, 3, 5001), hipErrorInvalidValue) << "behind its end";
  EXPECT_EQ(hipMemset(seen, 3, 5000), hipSuccess);
  EXPECT_EQ(static_cast<const std::uint8_t*>(memory)[0], 3);
  EXPECT_EQ(static_cast<const std::uint8_t*>(other)[4999], 1);
  EXPECT_EQ(hipMallocFromPoolAsync(&other, 10, imported, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipMemPoolImportPointer(&seen, pool, &data), hipErrorInvalidValue) << "not imported";
  data.reserved[9] ^= 1;
  EXPECT_EQ(hipMemPoolImportPointer(&seen, imported, &data), hipErrorInvalidValue) << "no page";
  EXPECT_EQ(hipFree(memory), hipSuccess);
  EXPECT_FALSE(runtime_of(0)->memory().find(address_of(memory)));
  EXPECT_EQ(hipFree(other), hipSuccess);
  EXPECT_EQ(hipFree(seen), hipSuccess);
  EXPECT_EQ(hipMemPoolDestroy(imported), hipSuccess);
  EXPECT_EQ(hipMemPoolDestroy(pool), hipSuccess);
  static_cast<void>(hipGetLastError());
}

TEST(HipPools, OnlyDescriptorsOfMemoryAreImported) {
  hipMemPool_t pool = nullptr;
  EXPECT_EQ(
      hipMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(std::uintptr_t{9999}),
                                          hipMemHandleTypePosixFileDescriptor, 0),
      hipErrorOutOfMemory);
  EXPECT_EQ(
      hipMemPoolImportFromShareableHandle(&pool, nullptr, hipMemHandleTypePosixFileDescriptor, 0),
      hipErrorInvalidValue);
  static_cast<void>(hipGetLastError());
}

}  // namespace
}  // namespace hipwright::soft::hip
