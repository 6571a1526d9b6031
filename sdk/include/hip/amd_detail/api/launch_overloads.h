// SPDX-License-Identifier: MIT
// C++ forms of the cooperative launches: kernels by name instead of by const void*.
#pragma once

#include <hip/amd_detail/api/kernel_launch.h>

template <class T>
inline hipError_t hipLaunchCooperativeKernel(T f, dim3 grid_dim, dim3 block_dim,
                                             void** kernel_params, unsigned int shared_mem_bytes,
                                             hipStream_t stream) {
  return ::hipLaunchCooperativeKernel(reinterpret_cast<const void*>(f), grid_dim, block_dim,
                                      kernel_params, shared_mem_bytes, stream);
}

// T is never deduced: these two are for callers that name it, and default the flags.
template <class T>
inline hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launch_params_list,
                                                        unsigned int num_devices,
                                                        unsigned int flags = 0) {
  return ::hipLaunchCooperativeKernelMultiDevice(launch_params_list, static_cast<int>(num_devices),
                                                 flags);
}

template <class T>
inline hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launch_params_list,
                                                     unsigned int num_devices,
                                                     unsigned int flags = 0) {
  return ::hipExtLaunchMultiKernelMultiDevice(launch_params_list, static_cast<int>(num_devices),
                                              flags);
}
