// SPDX-License-Identifier: MIT
// The runtime API without kernels: what each call checks, and what is the same for all of them.
// Whole programs are in tests/e2e/run.sh.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // contexts
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <thread>

#include "base/file.h"
#include "soft/decode/program.h"
#include "soft/decode/targets.h"
#include "soft/hip/config.h"
#include "soft/hip/properties.h"
#include "toolchain/sdk.h"

namespace hipwright::soft::hip {
namespace {

TEST(HipConfig, TargetsMatchTheDecoders) {
  for (const std::string& target : supported_targets()) {
    EXPECT_TRUE(isa_of(target)) << target;
    ASSERT_TRUE(parse_device(target)) << target;
  }
  EXPECT_EQ(parse_device("MI300X")->id(), "gfx942:sramecc+:xnack-");
  EXPECT_EQ(parse_device("gfx1100")->id(), "gfx1100");
  EXPECT_FALSE(parse_device("gfx1010"));
  EXPECT_FALSE(parse_device("gfx9-4-generic"));
  EXPECT_FALSE(parse_device("gfx924"));
}

TEST(HipConfig, VisibleDevicesAreThoseBeforeTheFirstEntryThatIsNone) {
  const auto visible = [](std::string_view list) { return visible_devices(list, 3); };
  using Numbers = std::vector<int>;
  EXPECT_EQ(visible("0"), Numbers({0}));
  EXPECT_EQ(visible("2,0"), Numbers({2, 0}));
  EXPECT_EQ(visible("1,1,0"), Numbers({1, 0}));
  EXPECT_EQ(visible("0,1,2,3"), Numbers({0, 1, 2}));
  EXPECT_EQ(visible("0,-1,1"), Numbers({0}));
  for (const char* none : {"", "-1", "3", "-1,0", "x", " 0", "00", "0x1", "GPU-1", ",0"})
    EXPECT_EQ(visible(none), Numbers{}) << none;
  EXPECT_EQ(visible("0,"), Numbers({0}));
}

TEST(HipConfig, Schedules) {
  EXPECT_EQ(parse_schedule("parallel")->kind, Schedule::Kind::kParallel);
  EXPECT_EQ(parse_schedule("deterministic")->kind, Schedule::Kind::kDeterministic);
  EXPECT_EQ(parse_schedule("random:77")->seed, 77U);
  for (const char* text : {"", "random", "random:", "random:x", "random:-1", "fast"})
    EXPECT_FALSE(parse_schedule(text)) << text;
}

TEST(HipErrors, EveryCodeHasANameAndAText) {
  for (int code = 0; code < 1060; ++code) {
    const auto error = static_cast<hipError_t>(code);
    const std::string name = hipGetErrorName(error);
    const char* drv_name = nullptr;
    const bool known = hipDrvGetErrorName(error, &drv_name) == hipSuccess;
    EXPECT_EQ(known, name != "hipErrorUnknown" || code == hipErrorUnknown) << code;
    EXPECT_NE(std::string(hipGetErrorString(error)), "");
  }
  EXPECT_STREQ(hipGetErrorName(hipErrorIllegalAddress), "hipErrorIllegalAddress");
  EXPECT_STREQ(hipGetErrorString(hipErrorInvalidValue), "invalid argument");
  static_cast<void>(hipGetLastError());
}

TEST(HipErrors, BelongToTheThread) {
  EXPECT_EQ(hipSetDevice(kMostDevices), hipErrorInvalidDevice);
  std::thread([] { EXPECT_EQ(hipPeekAtLastError(), hipSuccess); }).join();
  EXPECT_EQ(hipGetDeviceCount(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidValue);
  int count = 0;
  EXPECT_EQ(hipGetDeviceCount(&count), hipSuccess);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidValue);  // success does not hide it
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST(HipDevice, PropertiesAreThoseOfTheTarget) {
  hipDeviceProp_t properties;
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  EXPECT_EQ(std::string(properties.gcnArchName), "gfx942:sramecc+:xnack-");
  EXPECT_EQ(properties.warpSize, 64);
  EXPECT_EQ(properties.multiProcessorCount, 304);
  EXPECT_STREQ(properties.name, "AMD Instinct MI300X (hipwright software GPU)");
  EXPECT_EQ(properties.sharedMemPerBlock, 65536U);
  EXPECT_EQ(properties.maxThreadsPerMultiProcessor, 2048);
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.minor, 4);
  hipDeviceProp_tR0000 old;
  ASSERT_EQ(hipGetDevicePropertiesR0000(&old, 0), hipSuccess);
  EXPECT_STREQ(old.gcnArchName, properties.gcnArchName);
  EXPECT_EQ(old.gcnArch, 942);
  EXPECT_STREQ(old.name, properties.name);
  EXPECT_EQ(old.warpSize, 64);
  const struct {
    hipDeviceAttribute_t attribute;
    int value;
  } attributes[] = {{hipDeviceAttributeWarpSize, 64},
                    {hipDeviceAttributeMultiprocessorCount, 304},
                    {hipDeviceAttributeMaxThreadsPerBlock, 1024},
                    {hipDeviceAttributeMaxSharedMemoryPerBlock, 65536},
                    {hipDeviceAttributeCooperativeLaunch, 1},
                    {hipDeviceAttributeMaxTexture2DWidth, 0}};
  for (const auto& [attribute, expected] : attributes) {
    int value = -1;
    EXPECT_EQ(hipDeviceGetAttribute(&value, attribute, 0), hipSuccess) << attribute;
    EXPECT_EQ(value, expected) << attribute;
  }
  int value = 0;
  EXPECT_EQ(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(5000), 0),
            hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, kMostDevices),
            hipErrorInvalidDevice);
}

TEST(HipConfig, SeveralTargetsAreSeveralDevices) {
  const auto devices = parse_devices("gfx942,MI210,gfx942");
  ASSERT_TRUE(devices);
  ASSERT_EQ(devices->size(), 3U);
  EXPECT_EQ((*devices)[1].processor, "gfx90a");
  for (const char* text : {"gfx942,", ",gfx942", "gfx942,,gfx1100", "gfx942 gfx1100"})
    EXPECT_FALSE(parse_devices(text)) << text;
}

// Adds devices to the process for good: everything below runs with them, which must not matter.
TEST(HipDevices, AreAddedOnRequest) {
  int count = 0;
  ASSERT_EQ(hipGetDeviceCount(&count), hipSuccess);
  const auto first = find_device("gfx942", 0), second = find_device("gfx942", 1);
  const auto other = find_device("gfx1100", 0);
  ASSERT_TRUE(first && second && other);
  EXPECT_EQ(*find_device("gfx942:xnack-", 1), *second);
  EXPECT_EQ(*first, 0);
  EXPECT_NE(*first, *second);
  int more = 0;
  ASSERT_EQ(hipGetDeviceCount(&more), hipSuccess);
  EXPECT_EQ(more, count + 2);
  EXPECT_FALSE(find_device("gfx942", -1));
  EXPECT_FALSE(find_device("gfx942", kMostDevices));
  EXPECT_FALSE(find_device("gfx1010", 0));
  hipDeviceProp_t properties;
  ASSERT_EQ(hipGetDeviceProperties(&properties, *other), hipSuccess);
  EXPECT_STREQ(properties.gcnArchName, "gfx1100");
  EXPECT_EQ(properties.pciBusID, *other);
  int value = 0;
  ASSERT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributePhysicalMultiProcessorCount, *other),
            hipSuccess);
  EXPECT_EQ(value, 2 * properties.multiProcessorCount);
  char pci[32];
  ASSERT_EQ(hipDeviceGetPCIBusId(pci, sizeof pci, *other), hipSuccess);
  ASSERT_EQ(hipDeviceGetByPCIBusId(&value, pci), hipSuccess);
  EXPECT_EQ(value, *other);
}

TEST(HipDevices, MemoryStreamsAndEventsBelongToOneDevice) {
  const int other = find_device("gfx942", 1).value();
  ASSERT_EQ(hipSetDevice(other), hipSuccess);
  void* memory = nullptr;
  ASSERT_EQ(hipMalloc(&memory, 4096), hipSuccess);
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipSetDevice(0), hipSuccess);
  hipPointerAttribute_t attributes;
  ASSERT_EQ(hipPointerGetAttributes(&attributes, memory), hipSuccess);
  EXPECT_EQ(attributes.device, other);
  int device = -1;
  ASSERT_EQ(hipStreamGetDevice(stream, &device), hipSuccess);
  EXPECT_EQ(device, other);
  ASSERT_EQ(hipStreamGetDevice(nullptr, &device), hipSuccess);
  EXPECT_EQ(device, 0);
  hipEvent_t event = nullptr;
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  EXPECT_EQ(hipEventRecord(event, stream), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventRecord(event, nullptr), hipSuccess);
  EXPECT_EQ(hipStreamWaitEvent(stream, event, 0), hipSuccess);
  hipCtx_t context = nullptr;
  ASSERT_EQ(hipDevicePrimaryCtxRetain(&context, other), hipSuccess);
  ASSERT_EQ(hipCtxPushCurrent(context), hipSuccess);
  ASSERT_EQ(hipGetDevice(&device), hipSuccess);
  EXPECT_EQ(device, other);
  ASSERT_EQ(hipCtxPopCurrent(&context), hipSuccess);
  ASSERT_EQ(hipGetDevice(&device), hipSuccess);
  EXPECT_EQ(device, 0);
  hipMemPool_t own = nullptr, others = nullptr;
  ASSERT_EQ(hipDeviceGetDefaultMemPool(&own, 0), hipSuccess);
  ASSERT_EQ(hipDeviceGetDefaultMemPool(&others, other), hipSuccess);
  EXPECT_NE(own, others);
  EXPECT_EQ(hipDeviceSetMemPool(0, others), hipErrorInvalidValue);
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  static_cast<void>(hipGetLastError());
}

TEST(HipDevices, PeersAreEnabledOnce) {
  const int other = find_device("gfx942", 1).value();
  ASSERT_EQ(hipSetDevice(0), hipSuccess);
  int can = -1;
  EXPECT_EQ(hipDeviceCanAccessPeer(&can, 0, other), hipSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(hipDeviceCanAccessPeer(&can, 0, 0), hipSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(hipDeviceDisablePeerAccess(other), hipErrorPeerAccessNotEnabled);
  EXPECT_EQ(hipDeviceEnablePeerAccess(other, 0), hipSuccess);
  EXPECT_EQ(hipDeviceEnablePeerAccess(other, 0), hipErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(hipDeviceEnablePeerAccess(0, 0), hipErrorInvalidDevice);
  EXPECT_EQ(hipDeviceDisablePeerAccess(other), hipSuccess);
  static_cast<void>(hipGetLastError());
}

TEST(HipHandles, InvalidOnesAreErrors) {
  char nothing = 0;
  EXPECT_EQ(hipStreamSynchronize(reinterpret_cast<hipStream_t>(&nothing)),
            hipErrorContextIsDestroyed);
  EXPECT_EQ(hipEventDestroy(reinterpret_cast<hipEvent_t>(&nothing)), hipErrorContextIsDestroyed);
  EXPECT_EQ(hipEventSynchronize(reinterpret_cast<hipEvent_t>(&nothing)), hipErrorInvalidHandle);
  EXPECT_EQ(hipModuleUnload(reinterpret_cast<hipModule_t>(&nothing)),
            hipErrorInvalidResourceHandle);
  EXPECT_EQ(hipGraphDestroy(reinterpret_cast<hipGraph_t>(&nothing)), hipErrorInvalidValue);
  EXPECT_EQ(hipLaunchKernel(&nothing, dim3(1), dim3(1), nullptr, 0, nullptr),
            hipErrorInvalidDeviceFunction);
  EXPECT_EQ(hipModuleLaunchKernel(reinterpret_cast<hipFunction_t>(&nothing), 1, 1, 1, 1, 1, 1, 0,
                                  nullptr, nullptr, nullptr),
            hipErrorInvalidResourceHandle);
  void* address = nullptr;
  EXPECT_EQ(hipGetSymbolAddress(&address, &nothing), hipErrorInvalidSymbol);
  static_cast<void>(hipGetLastError());
}

TEST(HipMemory, OnlyMemoryOfTheProcessIsRegistered) {
  constexpr std::size_t kBytes = 8192;
  auto* const own = static_cast<std::byte*>(
      mmap(nullptr, 3 * kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(own, MAP_FAILED);
  munmap(own + 2 * kBytes, kBytes);
  mprotect(own + kBytes, kBytes, PROT_READ);
  EXPECT_EQ(hipHostRegister(own, kBytes, 0), hipSuccess);
  EXPECT_EQ(hipHostUnregister(own), hipSuccess);
  EXPECT_EQ(hipHostUnregister(own), hipErrorHostMemoryNotRegistered);
  EXPECT_EQ(hipHostRegister(own, kBytes, 16), hipErrorInvalidValue) << "no such flag";
  EXPECT_EQ(hipHostRegister(own + 100, 3 * kBytes, 0), hipErrorInvalidValue) << "unmapped end";
  EXPECT_EQ(hipHostRegister(own + 2 * kBytes, 1, 0), hipErrorInvalidValue) << "unmapped";
  EXPECT_EQ(hipHostRegister(own, SIZE_MAX, 0), hipErrorInvalidValue) << "wraps around";
  EXPECT_EQ(hipHostRegister(own, SIZE_MAX / 2, 0), hipErrorInvalidValue) << "absurd";
  EXPECT_EQ(hipHostRegister(own, 2 * kBytes, 0), hipErrorInvalidValue) << "read-only";
  EXPECT_EQ(hipHostRegister(own, 2 * kBytes, hipHostRegisterReadOnly), hipSuccess);
  EXPECT_EQ(hipHostUnregister(own), hipSuccess);
  munmap(own, 2 * kBytes);
  static_cast<void>(hipGetLastError());
}

TEST(HipMemory, RegistrationsMayOverlap) {
  std::vector<std::byte> own(4096);
  const auto size_at = [&](std::size_t offset) -> std::size_t {
    const auto found = runtime_of(0)->memory().find(address_of(&own[offset]));
    return found ? found->size : 0;
  };
  EXPECT_EQ(hipHostRegister(&own[0], 1000, 0), hipSuccess);
  EXPECT_EQ(hipHostRegister(&own[0], 1000, 0), hipSuccess) << "again";
  EXPECT_EQ(hipHostRegister(&own[2000], 1000, 0), hipSuccess);
  EXPECT_EQ(size_at(0), 1000);
  EXPECT_EQ(hipHostRegister(&own[500], 2000, 0), hipSuccess) << "joins both";
  EXPECT_EQ(size_at(0), 3000);
  EXPECT_EQ(hipHostUnregister(&own[500]), hipSuccess);
  EXPECT_EQ(size_at(0), 1000);
  EXPECT_EQ(size_at(1500), 0);
  EXPECT_EQ(size_at(2500), 1000);
  EXPECT_EQ(hipHostUnregister(&own[0]), hipSuccess);
  EXPECT_EQ(hipHostUnregister(&own[2000]), hipSuccess);
  EXPECT_EQ(size_at(2500), 0);
  void* device = nullptr;
  ASSERT_EQ(hipMalloc(&device, 4096), hipSuccess);
  EXPECT_EQ(hipHostRegister(device, 4096, 0), hipErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(hipFree(device), hipSuccess);
  static_cast<void>(hipGetLastError());
}

TEST(HipModules, OnlyFilesAreLoaded) {
  hipModule_t module = nullptr;
  EXPECT_EQ(hipModuleLoad(&module, "/dev/zero"), hipErrorInvalidValue);
  EXPECT_EQ(hipModuleLoad(&module, "/"), hipErrorInvalidValue);
  EXPECT_EQ(hipModuleLoad(&module, "/no/such/file"), hipErrorFileNotFound);
  static_cast<void>(hipGetLastError());
}

TEST(HipModules, DamagedImagesAreErrors) {
  hipModule_t module = nullptr;
  EXPECT_EQ(hipModuleLoadData(&module, nullptr), hipErrorInvalidImage);
  const std::string text(4096, 'x');
  EXPECT_EQ(hipModuleLoadData(&module, text.data()), hipErrorInvalidImage);
  std::string elf(64, '\0');
  std::memcpy(elf.data(), "\177ELF\2\1\1", 7);
  std::memset(elf.data() + 32, 0xff, 24);  // tables anywhere
  EXPECT_NE(hipModuleLoadData(&module, elf.data()), hipSuccess);
  const std::string compressed = "CCOB\2" + std::string(64, '\1');
  EXPECT_NE(hipModuleLoadData(&module, compressed.data()), hipSuccess);
  static_cast<void>(hipGetLastError());
}

}  // namespace
}  // namespace hipwright::soft::hip
