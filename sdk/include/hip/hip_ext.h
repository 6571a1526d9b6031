// SPDX-License-Identifier: MIT
// AMD's own launches: sizes in work-items, and events that bracket the kernel.
#pragma once

#include <hip/hip_runtime.h>

#if defined(__cplusplus)

#include <hip/amd_detail/launch_arguments.h>

__HW_API_BEGIN

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t global_work_size_x,
                                    uint32_t global_work_size_y, uint32_t global_work_size_z,
                                    uint32_t local_work_size_x, uint32_t local_work_size_y,
                                    uint32_t local_work_size_z, size_t shared_mem_bytes,
                                    hipStream_t h_stream, void** kernel_params, void** extra,
                                    hipEvent_t start_event = NULL, hipEvent_t stop_event = NULL,
                                    uint32_t flags = 0);
HIP_DEPRECATED("use hipExtModuleLaunchKernel instead")
hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t global_work_size_x,
                                    uint32_t global_work_size_y, uint32_t global_work_size_z,
                                    uint32_t local_work_size_x, uint32_t local_work_size_y,
                                    uint32_t local_work_size_z, size_t shared_mem_bytes,
                                    hipStream_t h_stream, void** kernel_params, void** extra,
                                    hipEvent_t start_event = NULL, hipEvent_t stop_event = NULL);

__HW_API_END

template <typename... Args, typename F = void (*)(Args...)>
inline void hipExtLaunchKernelGGL(F kernel, const dim3& num_blocks, const dim3& dim_blocks,
                                  std::uint32_t shared_mem_bytes, hipStream_t stream,
                                  hipEvent_t start_event, hipEvent_t stop_event,
                                  std::uint32_t flags, Args... args) {
  __hip_detail::launch(
      kernel,
      [&](void** pointers) {
        (void)hipExtLaunchKernel(reinterpret_cast<void*>(kernel), num_blocks, dim_blocks, pointers,
                                 shared_mem_bytes, stream, start_event, stop_event,
                                 static_cast<int>(flags));
      },
      std::move(args)...);
}

#endif  // __cplusplus
