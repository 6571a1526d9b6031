// SPDX-License-Identifier: MIT
// What programs ask about memory, arrays, and memory of other interfaces.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <numeric>
#include <thread>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {
namespace {

TEST(HipPointers, Attributes) {
  void *device = nullptr, *host = nullptr;
  ASSERT_EQ(hipMalloc(&device, 1000), hipSuccess);
  ASSERT_EQ(hipHostMalloc(&host, 1000, hipHostMallocMapped), hipSuccess);
  std::array<std::uint32_t, 2> size{0, 77};  // 32 bits, as ROCm writes them
  EXPECT_EQ(hipPointerGetAttribute(&size[0], HIP_POINTER_ATTRIBUTE_RANGE_SIZE, device), hipSuccess);
  EXPECT_EQ(size, (std::array<std::uint32_t, 2>{1000, 77}));
  void* pointer = nullptr;
  EXPECT_EQ(hipPointerGetAttribute(&pointer, HIP_POINTER_ATTRIBUTE_HOST_POINTER, device),
            hipErrorInvalidValue);
  EXPECT_EQ(hipPointerGetAttribute(&pointer, HIP_POINTER_ATTRIBUTE_HOST_POINTER, host), hipSuccess);
  EXPECT_EQ(pointer, host);
  hipPointer_attribute both[] = {HIP_POINTER_ATTRIBUTE_HOST_POINTER,
                                 HIP_POINTER_ATTRIBUTE_DEVICE_POINTER};
  void* pointers[] = {host, nullptr};
  void* out[] = {&pointers[0], &pointers[1]};
  EXPECT_EQ(hipDrvPointerGetAttributes(0, both, out, device), hipErrorInvalidValue);
  EXPECT_EQ(hipDrvPointerGetAttributes(2, both, out, device), hipSuccess);
  EXPECT_EQ(pointers[0], nullptr);
  EXPECT_EQ(pointers[1], device);
  std::uint32_t flags = 0;
  EXPECT_EQ(hipPointerGetAttribute(&flags, HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, host), hipSuccess);
  EXPECT_EQ(flags, static_cast<std::uint32_t>(hipHostMallocMapped));
  EXPECT_EQ(hipPointerGetAttribute(&flags, HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, host),
            hipErrorNotSupported);
  EXPECT_EQ(hipPointerGetAttribute(&flags, static_cast<hipPointer_attribute>(-1), host),
            hipErrorInvalidValue);

  unsigned on = 1, wrong = 2;
  bool waits = true;
  EXPECT_EQ(hipPointerGetAttribute(&waits, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, device), hipSuccess);
  EXPECT_FALSE(waits);
  EXPECT_EQ(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, device), hipSuccess);
  EXPECT_EQ(hipPointerGetAttribute(&waits, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, device), hipSuccess);
  EXPECT_TRUE(waits);
  EXPECT_EQ(hipPointerSetAttribute(&wrong, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, device),
            hipErrorInvalidValue);
  EXPECT_EQ(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, &on),
            hipErrorInvalidDevicePointer);
  EXPECT_EQ(hipPointerSetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, device),
            hipErrorInvalidValue);
  EXPECT_EQ(hipFree(device), hipSuccess);
  EXPECT_EQ(hipHostFree(host), hipSuccess);
  EXPECT_EQ(hipHostMalloc(&host, 100, 1U << 20), hipErrorInvalidValue) << "no such flag";
  EXPECT_EQ(hipHostMalloc(&host, 100, hipHostMallocCoherent | hipHostMallocNonCoherent),
            hipErrorInvalidValue);
  static_cast<void>(hipGetLastError());
}

// What the program takes away while it is registered costs it the call, not its life.
TEST(HipMemory, RegisteredMemoryCanVanish) {
  constexpr std::size_t kBytes = 8192;
  const auto map = [] {
    return mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  };
  std::array<char, kBytes> bytes{};
  void* own = map();
  ASSERT_EQ(hipHostRegister(own, kBytes, 0), hipSuccess);
  EXPECT_EQ(hipMemset(own, 1, kBytes), hipSuccess);
  ASSERT_EQ(mprotect(own, kBytes, PROT_READ), 0);
  EXPECT_EQ(hipMemcpy(bytes.data(), own, kBytes, hipMemcpyDefault), hipSuccess) << "only read";
  EXPECT_EQ(bytes[5000], 1);
  EXPECT_EQ(hipMemset(own, 2, kBytes), hipErrorInvalidValue) << "protected";
  EXPECT_EQ(hipHostUnregister(own), hipSuccess);
  munmap(own, kBytes);

  own = map();
  ASSERT_EQ(hipHostRegister(own, kBytes, 0), hipSuccess);
  munmap(own, kBytes);
  EXPECT_EQ(hipMemcpy(bytes.data(), own, kBytes, hipMemcpyDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipHostUnregister(own), hipSuccess);
  munmap(own, kBytes);
}

TEST(HipMemory, DriverCopiesStayInsideTheirRows) {
  void *from = nullptr, *to = nullptr;
  ASSERT_EQ(hipMalloc(&from, 4096), hipSuccess);
  ASSERT_EQ(hipMalloc(&to, 4096), hipSuccess);
  const auto copy = [&](auto change) {
    hip_Memcpy2D p{};
    p.srcMemoryType = p.dstMemoryType = hipMemoryTypeDevice;
    p.srcDevice = from;
    p.dstDevice = to;
    p.srcPitch = p.dstPitch = 64;
    p.WidthInBytes = 32;
    p.Height = 4;
    change(p);
    return hipDrvMemcpy2DUnaligned(&p);
  };
  EXPECT_EQ(copy([](auto&) {}), hipSuccess);
  EXPECT_EQ(copy([](auto& p) { p.dstXInBytes = 32; }), hipSuccess);
  EXPECT_EQ(copy([](auto& p) { p.dstXInBytes = 33; }), hipErrorInvalidValue) << "beyond its row";
  EXPECT_EQ(copy([](auto& p) { p.srcY = 64; }), hipErrorInvalidValue) << "behind the memory";
  EXPECT_EQ(copy([](auto& p) { p.dstMemoryType = hipMemoryTypeArray; }), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(from), hipSuccess);
  EXPECT_EQ(hipFree(to), hipSuccess);
  static_cast<void>(hipGetLastError());
}

// Memory of the host is filled when the call returns; a device's need not be.
TEST(HipMemory, FillsOfHostMemoryWait) {
  hipStream_t stream = nullptr;
  std::uint32_t* gate = nullptr;
  void *host = nullptr, *device = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipHostMalloc(reinterpret_cast<void**>(&gate), sizeof *gate, 0), hipSuccess);
  ASSERT_EQ(hipHostMalloc(&host, 64, 0), hipSuccess);
  ASSERT_EQ(hipMalloc(&device, 64), hipSuccess);
  *gate = 0;
  ASSERT_EQ(hipStreamWaitValue32(stream, gate, 1, hipStreamWaitValueEq, ~0U), hipSuccess);
  EXPECT_EQ(hipMemset(device, 1, 64), hipSuccess);
  EXPECT_EQ(hipStreamQuery(stream), hipErrorNotReady);
  std::thread late([&] { std::atomic_ref(*gate).store(1); });
  EXPECT_EQ(hipMemset(host, 7, 64), hipSuccess);
  EXPECT_EQ(static_cast<const std::uint8_t*>(host)[63], 7);
  EXPECT_EQ(hipStreamQuery(stream), hipSuccess);
  late.join();
  EXPECT_EQ(hipFree(device), hipSuccess);
  EXPECT_EQ(hipHostFree(host), hipSuccess);
  EXPECT_EQ(hipHostFree(gate), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

// A stream that waits for the host shows which calls wait for it.
TEST(HipMemory, CopiesWithinADeviceDoNotWait) {
  hipStream_t stream = nullptr;
  std::uint32_t* gate = nullptr;
  void *from = nullptr, *to = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipHostMalloc(reinterpret_cast<void**>(&gate), sizeof *gate, 0), hipSuccess);
  ASSERT_EQ(hipMalloc(&from, 4096), hipSuccess);
  ASSERT_EQ(hipMalloc(&to, 4096), hipSuccess);
  ASSERT_EQ(hipMemset(from, 5, 4096), hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  *gate = 0;
  ASSERT_EQ(hipStreamWaitValue32(stream, gate, 1, hipStreamWaitValueEq, ~0U), hipSuccess);
  EXPECT_EQ(hipMemcpy(to, from, 4096, hipMemcpyDeviceToDevice), hipSuccess);
  EXPECT_EQ(hipStreamQuery(stream), hipErrorNotReady);
  std::atomic_ref(*gate).store(1);
  std::uint8_t byte = 0;
  EXPECT_EQ(hipMemcpy(&byte, to, 1, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(byte, 5);
  EXPECT_EQ(hipFree(from), hipSuccess);
  EXPECT_EQ(hipFree(to), hipSuccess);
  EXPECT_EQ(hipHostFree(gate), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

TEST(HipMemory, ExternalMemoryIsAFile) {
  const int file = memfd_create("external", 0);
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, 16384), 0);
  auto* const own =
      static_cast<std::uint8_t*>(mmap(nullptr, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  ASSERT_NE(own, MAP_FAILED);
  hipExternalMemoryHandleDesc wanted{};
  wanted.type = hipExternalMemoryHandleTypeOpaqueWin32;
  wanted.size = 16384;
  hipExternalMemory_t memory = nullptr;
  EXPECT_EQ(hipImportExternalMemory(&memory, &wanted), hipErrorNotSupported);
  wanted.type = hipExternalMemoryHandleTypeOpaqueFd;
  wanted.handle.fd = file;
  wanted.size = 16385;
  EXPECT_EQ(hipImportExternalMemory(&memory, &wanted), hipErrorInvalidValue) << "longer than it is";
  wanted.size = 16384;
  ASSERT_EQ(hipImportExternalMemory(&memory, &wanted), hipSuccess);
  EXPECT_EQ(fcntl(file, F_GETFD), -1) << "the descriptor is HIP's now";

  hipExternalMemoryBufferDesc part{};
  part.offset = 5000;
  part.size = 3000;
  void* buffer = nullptr;
  ASSERT_EQ(hipExternalMemoryGetMappedBuffer(&buffer, memory, &part), hipSuccess);
  EXPECT_EQ(hipMemset(buffer, 9, 3001), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset(buffer, 9, 3000), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(std::accumulate(own, own + 16384, 0), 9 * 3000);
  EXPECT_EQ(own[4999] + own[8000], 0);
  part.offset = 16000;
  EXPECT_EQ(hipExternalMemoryGetMappedBuffer(&buffer, memory, &part), hipErrorInvalidValue);
  EXPECT_EQ(hipDestroyExternalMemory(memory), hipSuccess);
  EXPECT_EQ(hipMemset(buffer, 1, 1), hipErrorInvalidValue) << "it has ended with the memory";
  EXPECT_EQ(hipDestroyExternalMemory(memory), hipErrorInvalidValue);
  munmap(own, 16384);
  static_cast<void>(hipGetLastError());
}

class HipArrays : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = find_device("gfx1100", 0);
    ASSERT_TRUE(device);
    ASSERT_EQ(hipSetDevice(*device), hipSuccess);
  }
  void TearDown() override {
    static_cast<void>(hipGetLastError());
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
  }
};

TEST_F(HipArrays, DriverAndRuntimeDescribeTheSame) {
  const HIP_ARRAY3D_DESCRIPTOR wanted{6, 5, 4, HIP_AD_FORMAT_HALF, 2, hipArrayLayered};
  hipArray_t array = nullptr;
  ASSERT_EQ(hipArray3DCreate(&array, &wanted), hipSuccess);
  hipChannelFormatDesc format{};
  hipExtent extent{};
  unsigned flags = 0;
  EXPECT_EQ(hipArrayGetInfo(&format, &extent, &flags, array), hipSuccess);
  EXPECT_EQ(format.x, 16);
  EXPECT_EQ(format.y, 16);
  EXPECT_EQ(format.z, 0);
  EXPECT_EQ(format.f, hipChannelFormatKindFloat);
  EXPECT_EQ(extent.depth, 4);
  EXPECT_EQ(flags, static_cast<unsigned>(hipArrayLayered));
  HIP_ARRAY3D_DESCRIPTOR seen{};
  EXPECT_EQ(hipArray3DGetDescriptor(&seen, array), hipSuccess);
  EXPECT_EQ(seen.Format, HIP_AD_FORMAT_HALF);
  EXPECT_EQ(seen.NumChannels, 2);
  HIP_ARRAY_DESCRIPTOR flat{};
  EXPECT_EQ(hipArrayGetDescriptor(&flat, array), hipErrorInvalidValue) << "it is not flat";
  EXPECT_EQ(hipArrayDestroy(array), hipSuccess);
  EXPECT_EQ(hipArrayDestroy(array), hipErrorContextIsDestroyed);
}

TEST_F(HipArrays, LimitsOfTextures) {
  const hipChannelFormatDesc format{8, 0, 0, 0, hipChannelFormatKindUnsigned};
  int side = 0, depth = 0, device = 0;
  ASSERT_EQ(hipGetDevice(&device), hipSuccess);
  ASSERT_EQ(hipDeviceGetAttribute(&side, hipDeviceAttributeMaxTexture1DWidth, device), hipSuccess);
  ASSERT_EQ(hipDeviceGetAttribute(&depth, hipDeviceAttributeMaxTexture3DDepth, device), hipSuccess);
  const std::size_t widest = static_cast<std::size_t>(side) + 1;
  const std::size_t deepest = static_cast<std::size_t>(depth) + 1;
  hipArray_t array = nullptr;
  EXPECT_EQ(hipMallocArray(&array, &format, widest, 0, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocArray(&array, &format, 4, widest, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocArray(&array, &format, SIZE_MAX, SIZE_MAX, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMalloc3DArray(&array, &format, {4, 4, deepest}, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocArray(&array, &format, 4, 0, hipArrayLayered), hipErrorInvalidValue)
      << "no layers";
  ASSERT_EQ(hipMallocArray(&array, &format, widest - 1, 0, 0), hipSuccess);
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
  char byte = 0;
  EXPECT_EQ(hipMemcpyAtoH(&byte, nullptr, 0, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyHtoA(nullptr, 0, &byte, 1), hipErrorInvalidValue);
}

// Slices of linear memory without a height follow each other.
TEST(HipMemory, DriverCopiesOfSlicesWithoutHeight) {
  std::array<char, 24> from{}, to{};
  std::iota(from.begin(), from.end(), 1);
  HIP_MEMCPY3D copy{};
  copy.srcMemoryType = copy.dstMemoryType = hipMemoryTypeHost;
  copy.srcHost = from.data();
  copy.dstHost = to.data();
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = 4;
  copy.Height = 3;
  copy.Depth = 2;
  EXPECT_EQ(hipDrvMemcpy3D(&copy), hipSuccess);
  EXPECT_EQ(to, from);
}

TEST_F(HipArrays, CopiesStayInside) {
  const hipChannelFormatDesc format{32, 0, 0, 0, hipChannelFormatKindSigned};
  hipArray_t array = nullptr, other = nullptr;
  ASSERT_EQ(hipMallocArray(&array, &format, 8, 4, hipArrayDefault), hipSuccess);
  ASSERT_EQ(hipMallocArray(&other, &format, 8, 4, hipArrayDefault), hipSuccess);
  std::array<int, 32> numbers{}, back{};
  std::iota(numbers.begin(), numbers.end(), 0);
  ASSERT_EQ(hipMemcpy2DToArray(array, 0, 0, numbers.data(), 32, 32, 4, hipMemcpyHostToDevice),
            hipSuccess);
  // Two by two elements from (1, 1) to (5, 2).
  ASSERT_EQ(hipMemcpy2DArrayToArray(other, 20, 2, array, 4, 1, 8, 2, hipMemcpyDeviceToDevice),
            hipSuccess);
  ASSERT_EQ(hipMemcpy2DFromArray(back.data(), 32, other, 0, 0, 32, 4, hipMemcpyDeviceToHost),
            hipSuccess);
  EXPECT_EQ(back[2 * 8 + 5], 9);
  EXPECT_EQ(back[3 * 8 + 6], 18);
  EXPECT_EQ(std::accumulate(back.begin(), back.end(), 0), 9 + 10 + 17 + 18);
  ASSERT_EQ(hipMemcpyAtoA(other, 0, array, 124, 4), hipSuccess);
  ASSERT_EQ(hipMemcpyAtoH(back.data(), other, 0, 4), hipSuccess);
  EXPECT_EQ(back[0], 31);
  EXPECT_EQ(hipMemcpyAtoH(back.data(), other, 0, 64), hipErrorInvalidValue) << "two rows";
  EXPECT_EQ(hipMemcpyAtoA(other, 0, array, 124, 8), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy2DToArray(array, 4, 0, numbers.data(), 32, 32, 1, hipMemcpyHostToDevice),
            hipErrorInvalidValue)
      << "wider than the array";
  EXPECT_EQ(hipMemcpy2DToArray(array, 0, 3, numbers.data(), 32, 32, 2, hipMemcpyHostToDevice),
            hipErrorInvalidValue)
      << "higher than the array";
  EXPECT_EQ(hipMemcpy2DToArray(array, 0, 0, numbers.data(), 16, 32, 2, hipMemcpyHostToDevice),
            hipErrorInvalidPitchValue);
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
  EXPECT_EQ(hipFreeArray(other), hipSuccess);
}

TEST_F(HipArrays, OnlyWhatHardwareCanReadIsMade) {
  hipArray_t array = nullptr;
  const hipChannelFormatDesc three{8, 8, 8, 0, hipChannelFormatKindUnsigned},
      mixed{8, 16, 0, 0, hipChannelFormatKindUnsigned},
      good{8, 0, 0, 0, hipChannelFormatKindSigned};
  EXPECT_EQ(hipMallocArray(&array, &three, 8, 4, hipArrayDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocArray(&array, &mixed, 8, 4, hipArrayDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocArray(&array, &good, 0, 4, hipArrayDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocArray(&array, &good, 8, 4, hipArrayCubemap), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocArray(&array, &good, 8, 0, hipArrayTextureGather), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocArray(&array, nullptr, 8, 4, hipArrayDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipMalloc3DArray(&array, &good, {SIZE_MAX, SIZE_MAX, SIZE_MAX}, hipArrayDefault),
            hipErrorInvalidValue);
  const auto without = find_device("gfx942", 0);
  ASSERT_TRUE(without);
  ASSERT_EQ(hipSetDevice(*without), hipSuccess);
  EXPECT_EQ(hipMallocArray(&array, &good, 8, 4, hipArrayDefault), hipErrorNotSupported);
}

TEST(HipDevices, LimitsAndPreferences) {
  std::size_t before = 0, after = 0;
  ASSERT_EQ(hipDeviceGetLimit(&before, hipLimitStackSize), hipSuccess);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitStackSize, before + 4096), hipSuccess);
  EXPECT_EQ(hipDeviceGetLimit(&after, hipLimitStackSize), hipSuccess);
  EXPECT_EQ(after, before + 4096);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitStackSize, 131057), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceReset(), hipSuccess);
  EXPECT_EQ(hipDeviceGetLimit(&after, hipLimitStackSize), hipSuccess);
  EXPECT_EQ(after, before);
  EXPECT_EQ(hipDeviceSetSharedMemConfig(static_cast<hipSharedMemConfig>(-1)), hipErrorInvalidValue);
  unsigned flags = 0;
  EXPECT_EQ(hipSetDeviceFlags(hipDeviceScheduleSpin | hipDeviceLmemResizeToMax), hipSuccess);
  EXPECT_EQ(hipGetDeviceFlags(&flags), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipDeviceScheduleSpin));
  EXPECT_EQ(hipSetDeviceFlags(hipDeviceScheduleAuto), hipSuccess);
  std::uint32_t type = 0, hops = 0;
  const auto other = find_device("gfx942", 1);
  ASSERT_TRUE(other);
  const int first = *find_device("gfx942", 0);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(first, *other, &type, &hops), hipSuccess);
  EXPECT_EQ(type, 4U);
  EXPECT_EQ(hops, 1U);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(first, first, &type, &hops), hipErrorInvalidValue);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(-1, first, &type, &hops), hipErrorInvalidValue);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(first, 99, &type, &hops), hipErrorInvalidDevice);
  EXPECT_EQ(hipDeviceSetLimit(static_cast<hipLimit_t>(0xffff), 1), hipErrorInvalidValue);
  static_cast<void>(hipGetLastError());
}

}  // namespace
}  // namespace hipwright::soft::hip
