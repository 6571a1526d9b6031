// SPDX-License-Identifier: MIT
// How many blocks of a kernel fit.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/flags.h>
#include <hip/amd_detail/api/handles.h>

__HW_API_BEGIN

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* num_blocks, const void* f,
                                                        int block_size,
                                                        size_t dyn_shared_mem_per_blk);
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* num_blocks, const void* f, int block_size, size_t dyn_shared_mem_per_blk,
    unsigned int flags __hw_default(hipOccupancyDefault));
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, const void* f,
                                             size_t dyn_shared_mem_per_blk, int block_size_limit);

#if __HW_ROCM >= 702
hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_smem_size, const void* f,
                                                    int num_blocks, int block_size);
#endif

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, hipFunction_t f,
                                                   size_t dyn_shared_mem_per_blk,
                                                   int block_size_limit);
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size,
                                                            hipFunction_t f,
                                                            size_t dyn_shared_mem_per_blk,
                                                            int block_size_limit,
                                                            unsigned int flags);
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* num_blocks, hipFunction_t f,
                                                              int block_size,
                                                              size_t dyn_shared_mem_per_blk);
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* num_blocks, hipFunction_t f, int block_size, size_t dyn_shared_mem_per_blk,
    unsigned int flags);

__HW_API_END
