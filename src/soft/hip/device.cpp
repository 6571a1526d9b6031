// SPDX-License-Identifier: MIT
// Devices by ordinal, their properties and limits, and peers.
#include <array>
#include <atomic>
#include <cstdio>

#include "soft/hip/pending_work.h"
#include "soft/hip/pool.h"
#include "soft/hip/properties.h"
#include "soft/hip/stream.h"

// The header gives the names of HIP 5 to the functions of HIP 6; binaries know both.
#undef hipGetDeviceProperties
#undef hipChooseDevice

namespace hipwright::soft::hip {

namespace {

std::array<std::atomic<unsigned>, kMostDevices> device_flags{};  // hipDeviceScheduleAuto
std::atomic<unsigned>& current_flags() {
  return device_flags[static_cast<std::size_t>(current_device())];
}

// Per thread of a kernel with recursion or function pointers, as ROCm has them.
constexpr std::uint32_t kDefaultStack = 1024, kMostStack = 131056;

hipError_t put(int* out, int value) {
  if (!out) return hipErrorInvalidValue;
  *out = value;
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipInit(unsigned flags) {
  return api([&] {
    if (flags != 0) return hipErrorInvalidValue;
    return any_runtime() ? hipSuccess : hipErrorNoDevice;
  });
}

hipError_t hipDriverGetVersion(int* version) {
  return api([&] { return put(version, HIP_VERSION); });
}
hipError_t hipRuntimeGetVersion(int* version) {
  return api([&] { return put(version, HIP_VERSION); });
}

hipError_t hipGetDeviceCount(int* count) {
  return api([&] {
    HIP_TRY(put(count, device_count()));
    return *count ? hipSuccess : hipErrorNoDevice;
  });
}

hipError_t hipGetDevice(int* device) {
  return async_api([&] { return put(device, current_device()); });
}

hipError_t hipSetDevice(int device) {
  return async_api([&] {
    HIP_TRY(check_device(device));
    set_current_device(device);
    return hipSuccess;
  });
}

hipError_t hipSetValidDevices(int* devices, int count) {
  return api([&] {
    if (count < 0 || (count > 0 && !devices)) return hipErrorInvalidValue;
    for (int i = 0; i < count; ++i) HIP_TRY(check_device(devices[i]));
    return hipSuccess;
  });
}

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  return api([&] {
    HIP_TRY(check_device(ordinal));
    return put(device, ordinal);
  });
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int device) {
  return api([&] {
    if (!properties) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    const Runtime& runtime = *runtime_of(device);
    *properties = device_properties(runtime);
    return hipSuccess;
  });
}

hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000* properties, int device) {
  return api([&] {
    if (!properties) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    const Runtime& runtime = *runtime_of(device);
    *properties = old_properties(device_properties(runtime));
    return hipSuccess;
  });
}
// Called by programs built with HIP 5.
hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000* properties, int device) {
  return hipGetDevicePropertiesR0000(properties, device);
}

hipError_t hipChooseDeviceR0600(int* device, const hipDeviceProp_tR0600* properties) {
  return api([&] { return properties ? put(device, 0) : hipErrorInvalidValue; });
}
hipError_t hipChooseDeviceR0000(int* device, const hipDeviceProp_tR0000* properties) {
  return api([&] { return properties ? put(device, 0) : hipErrorInvalidValue; });
}
hipError_t hipChooseDevice(int* device, const hipDeviceProp_tR0000* properties) {
  return hipChooseDeviceR0000(device, properties);
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  return api([&] {
    if (!value) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    const Runtime& runtime = *runtime_of(device);
    return device_attribute(device_properties(runtime), attribute, *value);
  });
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  return api([&] {
    HIP_TRY(check_device(device));
    const auto properties = device_properties(*runtime_of(device));
    HIP_TRY(put(major, properties.major));
    return put(minor, properties.minor);
  });
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  return api([&] {
    if (!name || length <= 0) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    std::snprintf(name, static_cast<std::size_t>(length), "%s",
                  device_properties(*runtime_of(device)).name);
    return hipSuccess;
  });
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  return api([&] {
    if (!uuid) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    *uuid = device_properties(*runtime_of(device)).uuid;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetPCIBusId(char* id, int length, int device) {
  return api([&] {
    if (!id || length < 13) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    std::snprintf(id, static_cast<std::size_t>(length), "0000:%02x:00.0",
                  static_cast<unsigned>(device));
    return hipSuccess;
  });
}

hipError_t hipDeviceGetByPCIBusId(int* device, const char* id) {
  return api([&] {
    if (!device || !id) return hipErrorInvalidValue;
    unsigned domain = 0, bus = 0, slot = 0;
    if (std::sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3 || domain != 0 || slot != 0 ||
        bus >= static_cast<unsigned>(device_count()))
      return hipErrorInvalidDevice;
    return put(device, static_cast<int>(bus));
  });
}

hipError_t hipDeviceTotalMem(std::size_t* bytes, hipDevice_t device) {
  return api([&] {
    if (!bytes) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    *bytes = runtime_of(device)->memory_bytes();
    return hipSuccess;
  });
}

hipError_t hipDeviceSynchronize(void) {
  return api([&] {
    HIP_TRY(finish_everything());
    release_held_memory();
    HIP_RUNTIME(runtime);
    HIP_TRY(check_not_capturing());
    return break_captures(runtime);
  });
}

hipError_t hipDeviceReset(void) {
  return api([&] {
    Runtime* runtime = any_runtime();
    if (!runtime) return hipErrorNoDevice;
    static_cast<void>(finish_everything());
    runtime->set_sticky_error(hipSuccess);
    runtime->set_stack_limit(std::nullopt);
    return hipSuccess;
  });
}

hipError_t hipGetDeviceFlags(unsigned* flags) {
  return api([&] {
    if (!flags) return hipErrorInvalidValue;
    *flags = current_flags() & hipDeviceScheduleMask;  // ROCm forgets the others
    return hipSuccess;
  });
}
hipError_t hipSetDeviceFlags(unsigned flags) {
  return api([&] {
    if (flags & ~(hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax))
      return hipErrorInvalidValue;
    current_flags() = flags;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetLimit(std::size_t* value, hipLimit_t limit) {
  return api([&] {
    if (!value) return hipErrorInvalidValue;
    HIP_RUNTIME(runtime);
    switch (limit) {
      case hipLimitMallocHeapSize:
        *value = runtime.hostcall().heap_limit();
        return hipSuccess;
      case hipLimitPrintfFifoSize:
        *value = runtime.hostcall().printf_bytes();
        return hipSuccess;
      case hipLimitStackSize:
        *value = runtime.stack_limit().value_or(kDefaultStack);
        return hipSuccess;
      default:
        return hipErrorUnsupportedLimit;
    }
  });
}

hipError_t hipDeviceSetLimit(hipLimit_t limit, std::size_t value) {
  return api([&] {
    if (limit >= hipLimitRange) return hipErrorInvalidValue;
    HIP_RUNTIME(runtime);
    switch (limit) {
      case hipLimitMallocHeapSize:
        runtime.hostcall().set_heap_limit(value);
        return hipSuccess;
      case hipLimitPrintfFifoSize:
        if (value < 64 || value >= (std::size_t{1} << 31)) return hipErrorInvalidValue;
        runtime.hostcall().set_printf_bytes(value);
        return hipSuccess;
      case hipLimitStackSize:
        if (value > kMostStack) return hipErrorInvalidValue;
        runtime.set_stack_limit(static_cast<std::uint32_t>(value));
        return hipSuccess;
      default:
        return hipErrorUnsupportedLimit;
    }
  });
}

// Preferences: AMD hardware has no such settings, and HIP accepts and forgets them.
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  return api([&] {
    if (!config) return hipErrorInvalidValue;
    *config = hipFuncCachePreferNone;
    return hipSuccess;
  });
}
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) {
  return api([] { return hipSuccess; });
}
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  return api([&] {
    if (!config) return hipErrorInvalidValue;
    *config = hipSharedMemBankSizeFourByte;
    return hipSuccess;
  });
}
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  return api([&] {
    return config >= hipSharedMemBankSizeDefault && config <= hipSharedMemBankSizeEightByte
               ? hipSuccess
               : hipErrorInvalidValue;
  });
}

// Peers: every device can access every other once access is enabled.
hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&] {
    HIP_TRY(check_device(device));
    HIP_TRY(check_device(peer));
    return put(can, device == peer ? 0 : 1);
  });
}
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  return api([&] {
    HIP_RUNTIME(runtime);
    HIP_TRY(check_device(peer));
    if (flags != 0) return hipErrorInvalidValue;
    if (peer == runtime.ordinal()) return hipErrorInvalidDevice;
    const std::uint64_t bit = std::uint64_t{1} << peer;
    return runtime.reachable().fetch_or(bit) & bit ? hipErrorPeerAccessAlreadyEnabled : hipSuccess;
  });
}
hipError_t hipDeviceDisablePeerAccess(int peer) {
  return api([&] {
    HIP_RUNTIME(runtime);
    HIP_TRY(check_device(peer));
    if (peer == runtime.ordinal()) return hipErrorPeerAccessNotEnabled;
    const std::uint64_t bit = std::uint64_t{1} << peer;
    return runtime.reachable().fetch_and(~bit) & bit ? hipSuccess : hipErrorPeerAccessNotEnabled;
  });
}
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int device, int peer) {
  return api([&] {
    HIP_TRY(check_device(device));
    HIP_TRY(check_device(peer));
    if (device == peer) return hipErrorInvalidDevice;
    switch (attribute) {
      case hipDevP2PAttrPerformanceRank:
        return put(value, 0);
      case hipDevP2PAttrAccessSupported:
      case hipDevP2PAttrNativeAtomicSupported:
        return put(value, 1);
      case hipDevP2PAttrHipArrayAccessSupported:
        return put(value, 0);
      default:
        return hipErrorInvalidValue;
    }
  });
}

// The devices of one process are next to each other.
hipError_t hipExtGetLinkTypeAndHopCount(int device, int peer, std::uint32_t* type,
                                        std::uint32_t* hops) {
  return api([&] {
    constexpr std::uint32_t kXgmi = 4;  // HSA_AMD_LINK_INFO_TYPE_XGMI
    if (!type || !hops || device == peer || device < 0 || peer < 0) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    HIP_TRY(check_device(peer));
    *type = kXgmi;
    *hops = 1;
    return hipSuccess;
  });
}

hipError_t hipProfilerStart() {
  return api([] { return hipSuccess; });
}
hipError_t hipProfilerStop() {
  return api([] { return hipSuccess; });
}

const char* hipApiName(std::uint32_t) {
  return "unknown";
}

}  // extern "C"

}  // namespace hipwright::soft::hip
