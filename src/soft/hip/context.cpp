// SPDX-License-Identifier: MIT
// CUDA driver-style contexts: HIP has one per device, which exists already.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <vector>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {

namespace {

char primary_contexts[kMostDevices];  // their addresses are the handles

hipCtx_t primary(int device) {
  return reinterpret_cast<hipCtx_t>(&primary_contexts[device]);
}
// -1: unknown context.
int device_of(hipCtx_t context) {
  const auto at = reinterpret_cast<char*>(context) - primary_contexts;
  return at >= 0 && at < device_count() ? static_cast<int>(at) : -1;
}

struct Pushed {
  hipCtx_t context;
  int device_before;
};
thread_local std::vector<Pushed> stack;

void push(hipCtx_t context) {
  stack.push_back({context, current_device()});
  set_current_device(device_of(context));
}
void pop() {
  set_current_device(stack.back().device_before);
  stack.pop_back();
}

hipError_t check(hipCtx_t context) {
  return !context || device_of(context) >= 0 ? hipSuccess : hipErrorInvalidContext;
}

}  // namespace

extern "C" {

hipError_t hipCtxCreate(hipCtx_t* context, unsigned, hipDevice_t device) {
  return api([&] {
    if (!context) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    *context = primary(device);
    push(*context);
    return hipSuccess;
  });
}
hipError_t hipCtxDestroy(hipCtx_t context) {
  return api([&] {
    if (device_of(context) < 0) return hipErrorInvalidContext;
    if (!stack.empty()) pop();
    return hipSuccess;
  });
}
hipError_t hipCtxPushCurrent(hipCtx_t context) {
  return api([&] {
    if (device_of(context) < 0) return hipErrorInvalidContext;
    push(context);
    return hipSuccess;
  });
}
hipError_t hipCtxPopCurrent(hipCtx_t* context) {
  return api([&] {
    if (stack.empty()) return hipErrorInvalidContext;
    if (context) *context = stack.back().context;
    pop();
    return hipSuccess;
  });
}
hipError_t hipCtxSetCurrent(hipCtx_t context) {
  return api([&] {
    HIP_TRY(check(context));
    if (!stack.empty()) pop();
    if (context) push(context);
    return hipSuccess;
  });
}
hipError_t hipCtxGetCurrent(hipCtx_t* context) {
  return api([&] {
    if (!context) return hipErrorInvalidValue;
    *context = primary(current_device());
    return hipSuccess;
  });
}
hipError_t hipCtxGetDevice(hipDevice_t* device) {
  return hipGetDevice(device);
}
hipError_t hipCtxSynchronize(void) {
  return hipDeviceSynchronize();
}
hipError_t hipCtxGetApiVersion(hipCtx_t context, int* version) {
  return api([&] {
    HIP_TRY(check(context));
    if (!version) return hipErrorInvalidValue;
    *version = 4;
    return hipSuccess;
  });
}
hipError_t hipCtxGetFlags(unsigned* flags) {
  return hipGetDeviceFlags(flags);
}
hipError_t hipCtxGetCacheConfig(hipFuncCache_t* config) {
  return hipDeviceGetCacheConfig(config);
}
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) {
  return hipDeviceSetCacheConfig(config);
}
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config) {
  return hipDeviceGetSharedMemConfig(config);
}
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) {
  return hipDeviceSetSharedMemConfig(config);
}

hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned flags) {
  return device_of(peer) < 0 ? record(hipErrorInvalidContext)
                             : hipDeviceEnablePeerAccess(device_of(peer), flags);
}
hipError_t hipCtxDisablePeerAccess(hipCtx_t peer) {
  return device_of(peer) < 0 ? record(hipErrorInvalidContext)
                             : hipDeviceDisablePeerAccess(device_of(peer));
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned* flags, int* active) {
  return api([&] {
    HIP_TRY(check_device(device));
    if (flags) *flags = 0;
    if (active) *active = 1;
    return hipSuccess;
  });
}
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t device) {
  return api([&] {
    if (!context) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    *context = primary(device);
    return hipSuccess;
  });
}
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return api([&] { return check_device(device); });
}
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return api([&] { return check_device(device); });
}
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned) {
  return api([&] {
    HIP_TRY(check_device(device));
    return hipErrorContextAlreadyInUse;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
