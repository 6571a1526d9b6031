// SPDX-License-Identifier: MIT
// Devices: there is one, the chosen target.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "soft/hip/properties.h"
#include "soft/hip/stream.h"

// The header gives the names of HIP 5 to the functions of HIP 6; binaries know both.
#undef hipGetDeviceProperties
#undef hipChooseDevice

namespace hipwright::soft::hip {

namespace {

thread_local int device_of_thread = 0;
std::atomic<unsigned> device_flags{hipDeviceScheduleAuto};

hipError_t put(int* out, int value) {
  if (!out) return hipErrorInvalidValue;
  *out = value;
  return hipSuccess;
}

}  // namespace

int current_device() {
  return device_of_thread;
}

hipError_t check_device(int device) {
  if (!any_runtime()) return hipErrorNoDevice;
  return device == 0 ? hipSuccess : hipErrorInvalidDevice;
}

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
    HIP_TRY(put(count, any_runtime() ? 1 : 0));
    return *count ? hipSuccess : hipErrorNoDevice;
  });
}

hipError_t hipGetDevice(int* device) {
  return api([&] { return put(device, device_of_thread); });
}

hipError_t hipSetDevice(int device) {
  return api([&] {
    HIP_TRY(check_device(device));
    device_of_thread = device;
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
    Runtime& runtime = *any_runtime();
    *properties = device_properties(runtime, runtime.memory().limit());
    return hipSuccess;
  });
}

hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000* properties, int device) {
  return api([&] {
    if (!properties) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    Runtime& runtime = *any_runtime();
    *properties = old_properties(device_properties(runtime, runtime.memory().limit()));
    return hipSuccess;
  });
}
// What programs built with HIP 5 call.
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
    Runtime& runtime = *any_runtime();
    return device_attribute(device_properties(runtime, runtime.memory().limit()), attribute,
                            *value);
  });
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  return api([&] {
    HIP_TRY(check_device(device));
    const auto properties = device_properties(*any_runtime(), 0);
    HIP_TRY(put(major, properties.major));
    return put(minor, properties.minor);
  });
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  return api([&] {
    if (!name || length <= 0) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    std::snprintf(name, static_cast<std::size_t>(length), "%s",
                  device_properties(*any_runtime(), 0).name);
    return hipSuccess;
  });
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  return api([&] {
    if (!uuid) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    *uuid = device_properties(*any_runtime(), 0).uuid;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetPCIBusId(char* id, int length, int device) {
  return api([&] {
    if (!id || length < 13) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    std::snprintf(id, static_cast<std::size_t>(length), "0000:00:00.0");
    return hipSuccess;
  });
}

hipError_t hipDeviceGetByPCIBusId(int* device, const char* id) {
  return api([&] {
    if (!device || !id) return hipErrorInvalidValue;
    if (std::strncmp(id, "0000:00:00", 10) != 0) return hipErrorInvalidDevice;
    return put(device, 0);
  });
}

hipError_t hipDeviceTotalMem(std::size_t* bytes, hipDevice_t device) {
  return api([&] {
    if (!bytes) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    *bytes = any_runtime()->memory().limit();
    return hipSuccess;
  });
}

hipError_t hipDeviceSynchronize(void) {
  return api([&] {
    HIP_RUNTIME(runtime);
    return check_not_capturing();
  });
}

hipError_t hipDeviceReset(void) {
  return api([&] {
    Runtime* runtime = any_runtime();
    if (!runtime) return hipErrorNoDevice;
    runtime->set_sticky_error(hipSuccess);
    return hipSuccess;
  });
}

hipError_t hipGetDeviceFlags(unsigned* flags) {
  return api([&] {
    if (!flags) return hipErrorInvalidValue;
    *flags = device_flags;
    return hipSuccess;
  });
}
hipError_t hipSetDeviceFlags(unsigned flags) {
  return api([&] {
    if (flags & ~(hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax))
      return hipErrorInvalidValue;
    device_flags = flags;
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
        *value = 1024;  // what a kernel with recursion gets per lane without asking
        return hipSuccess;
      default:
        return hipErrorUnsupportedLimit;
    }
  });
}

hipError_t hipDeviceSetLimit(hipLimit_t limit, std::size_t value) {
  return api([&] {
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
        say("hipDeviceSetLimit(hipLimitStackSize): the software GPU's stacks have a fixed size");
        return hipErrorUnsupportedLimit;
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
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) {
  return api([] { return hipSuccess; });
}

// Peers: the one device has none.
hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&] {
    HIP_TRY(check_device(device));
    HIP_TRY(check_device(peer));
    return put(can, 0);
  });
}
hipError_t hipDeviceEnablePeerAccess(int, unsigned) {
  return api([] { return hipErrorInvalidDevice; });
}
hipError_t hipDeviceDisablePeerAccess(int) {
  return api([] { return hipErrorPeerAccessNotEnabled; });
}
hipError_t hipDeviceGetP2PAttribute(int*, hipDeviceP2PAttr, int, int) {
  return api([] { return hipErrorInvalidDevice; });
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
