// SPDX-License-Identifier: MIT
// Launching kernels.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/launch_types.h>

__HW_API_BEGIN

// By host address. args is one pointer per kernel parameter.
hipError_t hipLaunchKernel(const void* function_address, dim3 num_blocks, dim3 dim_blocks,
                           void** args, size_t shared_mem_bytes __hw_default(0),
                           hipStream_t stream __hw_default(0));
hipError_t hipExtLaunchKernel(const void* function_address, dim3 num_blocks, dim3 dim_blocks,
                              void** args, size_t shared_mem_bytes, hipStream_t stream,
                              hipEvent_t start_event, hipEvent_t stop_event, int flags);
hipError_t hipLaunchCooperativeKernel(const void* f, dim3 grid_dim, dim3 block_dim_x,
                                      void** kernel_params, unsigned int shared_mem_bytes,
                                      hipStream_t stream);
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launch_params_list,
                                                 int num_devices, unsigned int flags);
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launch_params_list, int num_devices,
                                              unsigned int flags);

// By hipFunction_t, from a loaded module.
hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int grid_dim_x, unsigned int grid_dim_y,
                                 unsigned int grid_dim_z, unsigned int block_dim_x,
                                 unsigned int block_dim_y, unsigned int block_dim_z,
                                 unsigned int shared_mem_bytes, hipStream_t stream,
                                 void** kernel_params, void** extra);
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int grid_dim_x,
                                            unsigned int grid_dim_y, unsigned int grid_dim_z,
                                            unsigned int block_dim_x, unsigned int block_dim_y,
                                            unsigned int block_dim_z, unsigned int shared_mem_bytes,
                                            hipStream_t stream, void** kernel_params);
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* launch_params_list,
                                                       unsigned int num_devices,
                                                       unsigned int flags);

// The compiler turns <<<>>> into a push here, and the host function that stands for the kernel pops
// it again.
hipError_t __hipPushCallConfiguration(dim3 grid_dim, dim3 block_dim,
                                      size_t shared_mem __hw_default(0),
                                      hipStream_t stream __hw_default(0));
hipError_t __hipPopCallConfiguration(dim3* grid_dim, dim3* block_dim, size_t* shared_mem,
                                     hipStream_t* stream);

// The older protocol: configure, one call per argument, launch.
hipError_t hipConfigureCall(dim3 grid_dim, dim3 block_dim, size_t shared_mem __hw_default(0),
                            hipStream_t stream __hw_default(0));
hipError_t hipSetupArgument(const void* arg, size_t size, size_t offset);
hipError_t hipLaunchByPtr(const void* func);

__HW_API_END
