// SPDX-License-Identifier: MIT
// CUDA driver-style contexts: HIP has one per device, which exists already.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <vector>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {

namespace {

char primary_context;  // its address is the handle

hipCtx_t primary() {
  return reinterpret_cast<hipCtx_t>(&primary_context);
}
thread_local std::vector<hipCtx_t> stack;

hipError_t check(hipCtx_t context) {
  return !context || context == primary() ? hipSuccess : hipErrorInvalidContext;
}

}  // namespace

extern "C" {

hipError_t hipCtxCreate(hipCtx_t* context, unsigned, hipDevice_t device) {
  return api([&] {
    if (!context) return hipErrorInvalidValue;
    HIP_TRY(check_device(device));
    stack.push_back(primary());
    *context = primary();
    return hipSuccess;
  });
}
hipError_t hipCtxDestroy(hipCtx_t context) {
  return api([&] {
    if (context != primary()) return hipErrorInvalidContext;
    if (!stack.empty()) stack.pop_back();
    return hipSuccess;
  });
}
hipError_t hipCtxPushCurrent(hipCtx_t context) {
  return api([&] {
    HIP_TRY(check(context));
    stack.push_back(context);
    return hipSuccess;
  });
}
hipError_t hipCtxPopCurrent(hipCtx_t* context) {
  return api([&] {
    if (stack.empty()) return hipErrorInvalidContext;
    if (context) *context = stack.back();
    stack.pop_back();
    return hipSuccess;
  });
}
hipError_t hipCtxSetCurrent(hipCtx_t context) {
  return api([&] {
    HIP_TRY(check(context));
    if (!stack.empty()) stack.pop_back();
    if (context) stack.push_back(context);
    return hipSuccess;
  });
}
hipError_t hipCtxGetCurrent(hipCtx_t* context) {
  return api([&] {
    if (!context) return hipErrorInvalidValue;
    *context = stack.empty() ? primary() : stack.back();
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
    *context = primary();
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
