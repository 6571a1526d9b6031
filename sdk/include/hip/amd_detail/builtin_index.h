// SPDX-License-Identifier: MIT
// threadIdx, blockIdx, blockDim, gridDim: objects without storage whose members call a builtin.
#pragma once

#include <hip/amd_detail/api/dim3.h>
#include <hip/amd_detail/host_defines.h>

#if defined(__clang__) && defined(__HIP__)

// The sizes come from the device library: where they lie depends on the code object version, and
// the last block of a grid launched by work-items may be smaller than the others.
extern "C" __device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_local_size(unsigned int);
extern "C" __device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_num_groups(unsigned int);

#define __HW_GETTER(name, expression)                                 \
  static __device__ __forceinline__ unsigned int __hip_get_##name() { \
    return static_cast<unsigned int>(expression);                     \
  }
__HW_GETTER(thread_idx_x, __builtin_amdgcn_workitem_id_x())
__HW_GETTER(thread_idx_y, __builtin_amdgcn_workitem_id_y())
__HW_GETTER(thread_idx_z, __builtin_amdgcn_workitem_id_z())
__HW_GETTER(block_idx_x, __builtin_amdgcn_workgroup_id_x())
__HW_GETTER(block_idx_y, __builtin_amdgcn_workgroup_id_y())
__HW_GETTER(block_idx_z, __builtin_amdgcn_workgroup_id_z())
__HW_GETTER(block_dim_x, __ockl_get_local_size(0))
__HW_GETTER(block_dim_y, __ockl_get_local_size(1))
__HW_GETTER(block_dim_z, __ockl_get_local_size(2))
__HW_GETTER(grid_dim_x, __ockl_get_num_groups(0))
__HW_GETTER(grid_dim_y, __ockl_get_num_groups(1))
__HW_GETTER(grid_dim_z, __ockl_get_num_groups(2))
#undef __HW_GETTER

#define __HW_AXIS(axis, getter)                                   \
  __declspec(property(get = __get_##axis)) unsigned int axis;     \
  static __device__ __forceinline__ unsigned int __get_##axis() { \
    return __hip_get_##getter##_##axis();                         \
  }
#define __HW_INDEX(object, getter)                             \
  struct __hip_builtin_##object##_t {                          \
    __HW_AXIS(x, getter)                                       \
    __HW_AXIS(y, getter)                                       \
    __HW_AXIS(z, getter)                                       \
    __device__ operator dim3() const { return dim3(x, y, z); } \
  };                                                           \
  extern const __device__ __attribute__((weak)) __hip_builtin_##object##_t object;
__HW_INDEX(threadIdx, thread_idx)
__HW_INDEX(blockIdx, block_idx)
__HW_INDEX(blockDim, block_dim)
__HW_INDEX(gridDim, grid_dim)
#undef __HW_INDEX
#undef __HW_AXIS

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#endif
