// SPDX-License-Identifier: MIT
// Memory pools: sizes, and memory that is handed out through a file descriptor.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>

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

TEST(HipPools, HoldFreedMemoryDownToTheirThreshold) {
  const hipMemPoolProps properties = properties_with(hipMemHandleTypeNone);
  hipMemPool_t pool = nullptr;
  hipStream_t stream = nullptr;
  std::uint64_t threshold = 1 << 20;
  void *memory = nullptr, *again = nullptr;
  ASSERT_EQ(hipMemPoolCreate(&pool, &properties), hipSuccess);
  ASSERT_EQ(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold), hipSuccess);
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipMallocFromPoolAsync(&memory, 10000, pool, stream), hipSuccess);
  ASSERT_EQ(hipFreeAsync(memory, stream), hipSuccess);
  EXPECT_EQ(hipFreeAsync(memory, stream), hipErrorInvalidValue) << "freed already";
  EXPECT_EQ(hipFree(memory), hipErrorInvalidValue) << "freed already";
  ASSERT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrUsedMemCurrent), 0);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrReservedMemCurrent), 10000);
  ASSERT_EQ(hipMallocFromPoolAsync(&again, 12000, pool, stream), hipSuccess);
  EXPECT_NE(again, memory) << "it is too small";
  ASSERT_EQ(hipFreeAsync(again, stream), hipSuccess);
  ASSERT_EQ(hipMallocFromPoolAsync(&again, 9500, pool, stream), hipSuccess);
  EXPECT_EQ(again, memory) << "large enough, and no more than an eighth too large";
  ASSERT_EQ(hipFreeAsync(again, stream), hipSuccess);
  ASSERT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrReservedMemCurrent), 22000);
  ASSERT_EQ(hipMemPoolTrimTo(pool, 12000), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrReservedMemCurrent), 12000);
  EXPECT_FALSE(runtime_of(0)->memory().find(address_of(memory)));
  threshold = 0;
  ASSERT_EQ(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold), hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrReservedMemCurrent), 0);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrReservedMemHigh), 22000);
  EXPECT_EQ(hipMemPoolSetAttribute(pool, hipMemPoolAttrReservedMemHigh, &threshold), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrReservedMemHigh), 0);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hipMemPoolDestroy(pool), hipSuccess);
  static_cast<void>(hipGetLastError());
}

// The first stream waits for the host, so that its free is still to come.
TEST(HipPools, OtherStreamsReuseMemoryOnlyInOrder) {
  const hipMemPoolProps properties = properties_with(hipMemHandleTypeNone);
  hipMemPool_t pool = nullptr;
  hipStream_t first = nullptr, second = nullptr;
  hipEvent_t event = nullptr;
  std::uint32_t* gate = nullptr;
  void *memory = nullptr, *own = nullptr, *others = nullptr, *behind = nullptr;
  ASSERT_EQ(hipMemPoolCreate(&pool, &properties), hipSuccess);
  ASSERT_EQ(hipStreamCreateWithFlags(&first, hipStreamNonBlocking), hipSuccess);
  ASSERT_EQ(hipStreamCreateWithFlags(&second, hipStreamNonBlocking), hipSuccess);
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  ASSERT_EQ(hipHostMalloc(reinterpret_cast<void**>(&gate), sizeof *gate, 0), hipSuccess);
  *gate = 0;
  ASSERT_EQ(hipMallocFromPoolAsync(&memory, 10000, pool, first), hipSuccess);
  ASSERT_EQ(hipStreamWaitValue32(first, gate, 1, hipStreamWaitValueEq, ~0U), hipSuccess);
  ASSERT_EQ(hipFreeAsync(memory, first), hipSuccess);
  EXPECT_EQ(hipMallocFromPoolAsync(&others, 10000, pool, second), hipSuccess);
  EXPECT_NE(others, memory) << "the first stream may still use it";
  EXPECT_EQ(hipMallocFromPoolAsync(&own, 10000, pool, first), hipSuccess);
  EXPECT_EQ(own, memory);
  ASSERT_EQ(hipFreeAsync(own, first), hipSuccess);
  ASSERT_EQ(hipEventRecord(event, first), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(second, event, 0), hipSuccess);
  EXPECT_EQ(hipMallocFromPoolAsync(&behind, 10000, pool, second), hipSuccess);
  EXPECT_EQ(behind, memory) << "the event says that the second stream comes behind the free";
  std::atomic_ref(*gate).store(1);
  ASSERT_EQ(hipFreeAsync(behind, second), hipSuccess);
  ASSERT_EQ(hipFreeAsync(others, second), hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrReservedMemCurrent), 0);
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(first), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(second), hipSuccess);
  EXPECT_EQ(hipHostFree(gate), hipSuccess);
  EXPECT_EQ(hipMemPoolDestroy(pool), hipSuccess);
}

TEST(HipPools, WrongArgumentsAreErrors) {
  hipMemPool_t pool = nullptr;
  ASSERT_EQ(hipDeviceGetDefaultMemPool(&pool, 0), hipSuccess);
  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  EXPECT_EQ(hipMemPoolSetAccess(pool, &access, 1), hipSuccess);
  access.flags = static_cast<hipMemAccessFlags>(0xffff);
  EXPECT_EQ(hipMemPoolSetAccess(pool, &access, 1), hipErrorInvalidValue);
  access = {{hipMemLocationTypeInvalid, 0}, hipMemAccessFlagsProtReadWrite};
  EXPECT_EQ(hipMemPoolSetAccess(pool, &access, 1), hipErrorInvalidValue);
  access = {{hipMemLocationTypeDevice, 99}, hipMemAccessFlagsProtReadWrite};
  EXPECT_EQ(hipMemPoolSetAccess(pool, &access, 1), hipErrorInvalidDevice);
  hipMemAccessFlags flags{};
  hipMemLocation location{hipMemLocationTypeInvalid, 0};
  EXPECT_EQ(hipMemPoolGetAccess(&flags, pool, &location), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceSetMemPool(-1, pool), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetMemPool(&pool, -1), hipErrorInvalidValue);
  void* memory = nullptr;
  char nothing = 0;
  EXPECT_EQ(hipMallocAsync(&memory, 100, reinterpret_cast<hipStream_t>(&nothing)),
            hipErrorInvalidHandle);
  static_cast<void>(hipGetLastError());
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
