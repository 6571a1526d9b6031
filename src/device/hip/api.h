// SPDX-License-Identifier: MIT
// The functions of a HIP runtime library opened at run time. Types come from our SDK's
// headers; they are the same in HIP 5, 6 and 7 for everything that is called here.
#pragma once

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_deprecated.h>
#include <hip/hip_runtime_api.h>

#include <memory>
#include <string>

#include "device/device.h"
#include "toolchain/dynamic_library.h"

// The header defines the HIP 5 name as the HIP 6 function; libraries have both.
#undef hipGetDeviceProperties

namespace hipwright::device::hip {

template <class Signature>
struct Entry {
  const char* name;
  Signature* function = nullptr;  // nullptr if the library lacks it
  explicit operator bool() const { return function != nullptr; }
};

// Name and parameters of every function that is called: without these there is no device.
#define HIPWRIGHT_HIP_REQUIRED(X)                                                           \
  X(hipInit, unsigned)                                                                      \
  X(hipGetDeviceCount, int*)                                                                \
  X(hipSetDevice, int)                                                                      \
  X(hipRuntimeGetVersion, int*)                                                             \
  X(hipDeviceGetAttribute, int*, hipDeviceAttribute_t, int)                                 \
  X(hipDeviceGetPCIBusId, char*, int, int)                                                  \
  X(hipDeviceSynchronize)                                                                   \
  X(hipGetLastError)                                                                        \
  X(hipMalloc, void**, std::size_t)                                                         \
  X(hipFree, void*)                                                                         \
  X(hipHostMalloc, void**, std::size_t, unsigned)                                           \
  X(hipHostFree, void*)                                                                     \
  X(hipMemGetInfo, std::size_t*, std::size_t*)                                              \
  X(hipMemcpy, void*, const void*, std::size_t, hipMemcpyKind)                              \
  X(hipMemcpyAsync, void*, const void*, std::size_t, hipMemcpyKind, hipStream_t)            \
  X(hipMemsetAsync, void*, int, std::size_t, hipStream_t)                                   \
  X(hipModuleLoadData, hipModule_t*, const void*)                                           \
  X(hipModuleUnload, hipModule_t)                                                           \
  X(hipModuleGetFunction, hipFunction_t*, hipModule_t, const char*)                         \
  X(hipModuleLaunchKernel, hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, \
    unsigned, unsigned, hipStream_t, void**, void**)                                        \
  X(hipStreamCreateWithPriority, hipStream_t*, unsigned, int)                               \
  X(hipStreamDestroy, hipStream_t)                                                          \
  X(hipStreamSynchronize, hipStream_t)                                                      \
  X(hipStreamQuery, hipStream_t)                                                            \
  X(hipStreamWaitEvent, hipStream_t, hipEvent_t, unsigned)                                  \
  X(hipDeviceGetStreamPriorityRange, int*, int*)                                            \
  X(hipEventCreateWithFlags, hipEvent_t*, unsigned)                                         \
  X(hipEventDestroy, hipEvent_t)                                                            \
  X(hipEventRecord, hipEvent_t, hipStream_t)                                                \
  X(hipEventQuery, hipEvent_t)                                                              \
  X(hipEventSynchronize, hipEvent_t)                                                        \
  X(hipEventElapsedTime, float*, hipEvent_t, hipEvent_t)

// Without one of these, the calls that need it are not available.
#define HIPWRIGHT_HIP_OPTIONAL(X)                                                                \
  X(hipGetDevicePropertiesR0600, hipDeviceProp_tR0600*, int)                                     \
  X(hipHostRegister, void*, std::size_t, unsigned)                                               \
  X(hipHostUnregister, void*)                                                                    \
  X(hipHostGetDevicePointer, void**, void*, unsigned)                                            \
  X(hipMallocAsync, void**, std::size_t, hipStream_t)                                            \
  X(hipFreeAsync, void*, hipStream_t)                                                            \
  X(hipMemcpyPeerAsync, void*, int, const void*, int, std::size_t, hipStream_t)                  \
  X(hipDeviceCanAccessPeer, int*, int, int)                                                      \
  X(hipDeviceEnablePeerAccess, int, unsigned)                                                    \
  X(hipStreamBeginCapture, hipStream_t, hipStreamCaptureMode)                                    \
  X(hipStreamIsCapturing, hipStream_t, hipStreamCaptureStatus*)                                  \
  X(hipStreamEndCapture, hipStream_t, hipGraph_t*)                                               \
  X(hipGraphInstantiate, hipGraphExec_t*, hipGraph_t, hipGraphNode_t*, char*, std::size_t)       \
  X(hipGraphLaunch, hipGraphExec_t, hipStream_t)                                                 \
  X(hipGraphDestroy, hipGraph_t)                                                                 \
  X(hipGraphExecDestroy, hipGraphExec_t)                                                         \
  X(hipGraphGetNodes, hipGraph_t, hipGraphNode_t*, std::size_t*)                                 \
  X(hipGraphNodeGetType, hipGraphNode_t, hipGraphNodeType*)                                      \
  X(hipGraphKernelNodeGetParams, hipGraphNode_t, hipKernelNodeParams*)                           \
  X(hipGraphExecKernelNodeSetParams, hipGraphExec_t, hipGraphNode_t, const hipKernelNodeParams*) \
  X(hipGraphExecUpdate, hipGraphExec_t, hipGraph_t, hipGraphNode_t*, hipGraphExecUpdateResult*)

struct Api {
#define HIPWRIGHT_ENTRY(name, ...) Entry<hipError_t(__VA_ARGS__)> name{#name};
  HIPWRIGHT_HIP_REQUIRED(HIPWRIGHT_ENTRY)
  HIPWRIGHT_HIP_OPTIONAL(HIPWRIGHT_ENTRY)
#undef HIPWRIGHT_ENTRY
  // In HIP 5 it fills a different structure than in today's headers.
  Entry<hipError_t(hipDeviceProp_tR0000*, int)> hipGetDeviceProperties{"hipGetDeviceProperties"};
  Entry<const char*(hipError_t)> hipGetErrorName{"hipGetErrorName"};
  Entry<const char*(hipError_t)> hipGetErrorString{"hipGetErrorString"};

  std::string path;     // of the library
  std::string version;  // "6.4.43482"
};

bool is_named_by_user();  // HIPWRIGHT_HIP is set

// Names under which the HIP runtime may be installed, best first; HIPWRIGHT_HIP takes precedence.
std::vector<std::string> library_names();

// Looks up every function. The error for a missing required function names it and the library.
Outcome<std::shared_ptr<const Api>> load_api(const toolchain::DynamicLibrary& library);

}  // namespace hipwright::device::hip
