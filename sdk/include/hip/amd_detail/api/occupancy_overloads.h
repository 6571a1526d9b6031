// SPDX-License-Identifier: MIT
// C++ forms of the occupancy functions: kernels by name, and shared memory that depends on the
// block size.
#pragma once

#include <hip/amd_detail/api/device.h>
#include <hip/amd_detail/api/module.h>
#include <hip/amd_detail/api/occupancy.h>

template <class T>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* num_blocks, T f, int block_size,
                                                               size_t dyn_shared_mem_per_blk) {
  return ::hipOccupancyMaxActiveBlocksPerMultiprocessor(
      num_blocks, reinterpret_cast<const void*>(f), block_size, dyn_shared_mem_per_blk);
}

template <class T>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* num_blocks, T f, int block_size, size_t dyn_shared_mem_per_blk, unsigned int flags) {
  return ::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      num_blocks, reinterpret_cast<const void*>(f), block_size, dyn_shared_mem_per_blk, flags);
}

#if __HW_ROCM >= 702
template <typename F>
inline hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_smem_size, F f,
                                                           int num_blocks, int block_size) {
  return ::hipOccupancyAvailableDynamicSMemPerBlock(
      dynamic_smem_size, reinterpret_cast<const void*>(f), num_blocks, block_size);
}
#endif

#if defined(__clang__) && defined(__HIP__)

template <typename T>
static __host__ inline hipError_t hipOccupancyMaxPotentialBlockSize(
    int* grid_size, int* block_size, T f, size_t dyn_shared_mem_per_blk = 0,
    int block_size_limit = 0) {
  return ::hipOccupancyMaxPotentialBlockSize(grid_size, block_size,
                                             reinterpret_cast<const void*>(f),
                                             dyn_shared_mem_per_blk, block_size_limit);
}

// The flags have no effect on AMD.
template <typename T>
static __host__ inline hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(
    int* grid_size, int* block_size, T f, size_t dyn_shared_mem_per_blk = 0,
    int block_size_limit = 0, unsigned int /*flags*/ = 0) {
  return ::hipOccupancyMaxPotentialBlockSize(grid_size, block_size,
                                             reinterpret_cast<const void*>(f),
                                             dyn_shared_mem_per_blk, block_size_limit);
}

#endif

template <typename F>
inline hipError_t hipOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, F kernel,
                                                    size_t dyn_shared_mem_per_blk,
                                                    uint32_t block_size_limit) {
  return ::hipOccupancyMaxPotentialBlockSize(
      grid_size, block_size, reinterpret_cast<const void*>(kernel), dyn_shared_mem_per_blk,
      static_cast<int>(block_size_limit));
}

namespace __hip_detail {

// What the search for a block size needs to know of the device and the kernel.
struct occupancy_bounds {
  int warp_size;
  int compute_units;
  int threads_per_compute_unit;
  int threads_per_block;

  static hipError_t query(const void* kernel, occupancy_bounds* bounds) {
    int device = 0;
    hipError_t status = hipGetDevice(&device);
    const struct {
      hipDeviceAttribute_t attribute;
      int* value;
    } wanted[] = {
        {hipDeviceAttributeWarpSize, &bounds->warp_size},
        {hipDeviceAttributeMultiprocessorCount, &bounds->compute_units},
        {hipDeviceAttributeMaxThreadsPerMultiProcessor, &bounds->threads_per_compute_unit},
    };
    for (const auto& want : wanted) {
      if (status == hipSuccess) status = hipDeviceGetAttribute(want.value, want.attribute, device);
    }
    hipFuncAttributes function;
    if (status == hipSuccess) status = hipFuncGetAttributes(&function, kernel);
    if (status == hipSuccess) bounds->threads_per_block = function.maxThreadsPerBlock;
    return status;
  }
};

}  // namespace __hip_detail

// Tries whole warps from the largest block down, and keeps the first block size that puts the most
// threads on a compute unit.
template <typename UnaryFunction, class T>
static __host__ inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* min_grid_size, int* block_size, T func, UnaryFunction block_size_to_dynamic_smem_size,
    int block_size_limit = 0, unsigned int flags = 0) {
  const void* const kernel = reinterpret_cast<const void*>(func);
  if (!min_grid_size || !block_size || !kernel) return hipErrorInvalidValue;

  __hip_detail::occupancy_bounds bounds;
  hipError_t status = __hip_detail::occupancy_bounds::query(kernel, &bounds);
  if (status != hipSuccess) return status;

  int limit = bounds.threads_per_block;
  if (block_size_limit != 0 && block_size_limit < limit) limit = block_size_limit;

  int best_size = 0, best_blocks = 0;
  const int warps = (limit + bounds.warp_size - 1) / bounds.warp_size;
  for (int warp = warps; warp > 0; --warp) {
    const int size = warp == warps ? limit : warp * bounds.warp_size;
    int blocks = 0;
    status = ::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, kernel, size, block_size_to_dynamic_smem_size(size), flags);
    if (status != hipSuccess) return status;
    if (size * blocks > best_size * best_blocks) {
      best_size = size;
      best_blocks = blocks;
    }
    if (best_size * best_blocks == bounds.threads_per_compute_unit) break;
  }
  *min_grid_size = best_blocks * bounds.compute_units;
  *block_size = best_size;
  return hipSuccess;
}

template <typename UnaryFunction, class T>
static __host__ inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(
    int* min_grid_size, int* block_size, T func, UnaryFunction block_size_to_dynamic_smem_size,
    int block_size_limit = 0) {
  return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      min_grid_size, block_size, func, block_size_to_dynamic_smem_size, block_size_limit);
}
