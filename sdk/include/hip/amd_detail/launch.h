// SPDX-License-Identifier: MIT
// Kernel launch: __launch_bounds__, hipLaunchKernelGGL, and dynamic shared memory.
#pragma once

#include <hip/amd_detail/host_defines.h>
#if !defined(__HIPCC_RTC__)
#include <hip/amd_detail/launch_arguments.h>
#include <hip/hip_runtime_api.h>
#endif

#if defined(__clang__) && defined(__HIP__)

// The second argument is CUDA's minimum of blocks per multiprocessor; HIP takes it as the minimum
// of waves per execution unit.
#define __launch_bounds__(...) __hw_launch_bounds(__VA_ARGS__)
#define __hw_launch_bounds(max_threads_per_block, ...)                   \
  __attribute__((amdgpu_flat_work_group_size(1, max_threads_per_block))) \
  __VA_OPT__(__hw_min_waves(__VA_ARGS__))
#define __hw_min_waves(min_waves_per_eu) __attribute__((amdgpu_waves_per_eu(min_waves_per_eu)))

// From before HIP had extern __shared__.
#if !defined(HIP_DYNAMIC_SHARED)
#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#endif

#if !defined(__HIPCC_RTC__)

typedef int hipLaunchParm;

__host__ inline void* __get_dynamicgroupbaseptr() {
  return nullptr;
}

// Protects the commas of a template kernel's arguments: HIP_KERNEL_NAME(k<float, 4>).
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(X) X

#if defined(HIP_TEMPLATE_KERNEL_LAUNCH)

template <typename... Args, typename F = void (*)(Args...)>
void hipLaunchKernelGGL(F kernel, const dim3& numBlocks, const dim3& dimBlocks,
                        std::uint32_t sharedMemBytes, hipStream_t stream, Args... args) {
  __hip_detail::launch(
      kernel,
      [&](void** pointers) {
        (void)hipLaunchKernel(reinterpret_cast<void*>(kernel), numBlocks, dimBlocks, pointers,
                              sharedMemBytes, stream);
      },
      std::move(args)...);
}

#else

// Two steps, so that one macro may stand for several of the arguments.
#define hipLaunchKernelGGL(kernelName, ...) hipLaunchKernelGGLInternal((kernelName), __VA_ARGS__)
#define hipLaunchKernelGGLInternal(kernelName, numBlocks, numThreads, memPerBlock, streamId, ...) \
  do {                                                                                            \
    kernelName<<<(numBlocks), (numThreads), (memPerBlock), (streamId)>>>(__VA_ARGS__);            \
  } while (0)

#endif

#endif  // !__HIPCC_RTC__
#endif  // HIP compiler
