// SPDX-License-Identifier: MIT
// Launches with a list of attributes. Since ROCm 7.0.
#pragma once

#include <hip/amd_detail/api/config.h>
#include <hip/amd_detail/api/dim3.h>
#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/graph_types.h>
#include <hip/amd_detail/api/handles.h>

typedef struct hipLaunchAttribute_st {
  hipLaunchAttributeID id;
  char pad[8 - sizeof(hipLaunchAttributeID)];
  union {
    hipLaunchAttributeValue val;
    hipLaunchAttributeValue value;
  };
} hipLaunchAttribute;

typedef struct hipLaunchConfig_st {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  hipStream_t stream;
  hipLaunchAttribute* attrs;
  unsigned int numAttrs;
} hipLaunchConfig_t;

typedef struct HIP_LAUNCH_CONFIG_st {
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  hipStream_t hStream;
  hipLaunchAttribute* attrs;
  unsigned int numAttrs;
} HIP_LAUNCH_CONFIG;

__HW_API_BEGIN

hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* f_ptr, void** args);
hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* config, hipFunction_t f, void** params,
                                void** extra);

__HW_API_END

#if defined(__cplusplus)

#include <utility>

// Converts the arguments to the kernel's parameters.
template <typename... KernelArgs, typename... Params>
static inline __host__ hipError_t hipLaunchKernelEx(const hipLaunchConfig_t* config,
                                                    void (*kernel)(KernelArgs...),
                                                    Params&&... args) {
  const auto launch = [&](KernelArgs... converted) {
    void* addresses[] = {&converted...};
    return ::hipLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), addresses);
  };
  return launch(std::forward<Params>(args)...);
}

#endif
