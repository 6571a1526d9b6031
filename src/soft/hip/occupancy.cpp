// SPDX-License-Identifier: MIT
// How many blocks fit: from the kernel's registers and LDS and the target's resources.
#include "soft/hip/occupancy.h"

#include <algorithm>

#include "soft/hip/properties.h"
#include "soft/load/residency.h"

namespace hipwright::soft::hip {

namespace {

hipError_t active_blocks(int* out, const FoundFunction& found, int threads, std::size_t lds) {
  if (!out || threads <= 0) return hipErrorInvalidValue;
  HIP_TRY(found.error);
  const Runtime& runtime = *found.module->runtime;
  *out = static_cast<int>(blocks_per_multiprocessor(runtime, *found.function,
                                                    static_cast<std::uint64_t>(threads), lds));
  return hipSuccess;
}

// The largest block size among those that keep most threads resident.
hipError_t potential_block_size(int* grid, int* block, const FoundFunction& found, std::size_t lds,
                                int limit) {
  if (!grid || !block) return hipErrorInvalidValue;
  HIP_TRY(found.error);
  const Runtime& runtime = *found.module->runtime;
  const toolchain::Kernel& info = *found.function->kernel->info;
  const unsigned wave = found.function->kernel->wave_size;
  unsigned largest = std::max(info.max_workgroup_size, wave);
  if (limit > 0) largest = std::min(largest, static_cast<unsigned>(limit));
  unsigned best = 0, best_threads = 0, best_blocks = 0;
  for (unsigned threads = std::max(largest / wave, 1U) * wave; threads >= wave; threads -= wave) {
    const unsigned size = std::min(threads, largest);
    const unsigned blocks = blocks_per_multiprocessor(runtime, *found.function, size, lds);
    if (blocks * size > best_threads) {
      best = size;
      best_blocks = blocks;
      best_threads = blocks * size;
    }
  }
  if (best == 0) return hipErrorInvalidValue;
  *block = static_cast<int>(best);
  *grid = static_cast<int>(best_blocks) * device_properties(runtime).multiProcessorCount;
  return hipSuccess;
}

hipError_t check_flags(unsigned flags) {
  return flags == hipOccupancyDefault || flags == hipOccupancyDisableCachingOverride
             ? hipSuccess
             : hipErrorInvalidValue;
}

}  // namespace

unsigned blocks_per_multiprocessor(const Runtime& runtime, const Function& function,
                                   std::uint64_t threads, std::uint64_t dynamic_lds) {
  return residency(*function.kernel, runtime.arch(), threads, dynamic_lds).workgroups;
}

bool fits_at_once(const Runtime& runtime, const Function& function, std::uint64_t blocks,
                  std::uint64_t threads, std::uint64_t dynamic_lds) {
  const auto units = static_cast<std::uint64_t>(device_properties(runtime).multiProcessorCount);
  return blocks <= units * blocks_per_multiprocessor(runtime, function, threads, dynamic_lds);
}

extern "C" {

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                        int threads, std::size_t lds) {
  return api([&] { return active_blocks(blocks, function_of_host(function), threads, lds); });
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                 int threads, std::size_t lds,
                                                                 unsigned flags) {
  return api([&] {
    HIP_TRY(check_flags(flags));
    return active_blocks(blocks, function_of_host(function), threads, lds);
  });
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* function,
                                             std::size_t lds, int limit) {
  return api(
      [&] { return potential_block_size(grid, block, function_of_host(function), lds, limit); });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t function,
                                                   std::size_t lds, int limit) {
  return api(
      [&] { return potential_block_size(grid, block, function_of_handle(function), lds, limit); });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                            hipFunction_t function, std::size_t lds,
                                                            int limit, unsigned flags) {
  return api([&] {
    HIP_TRY(check_flags(flags));
    return potential_block_size(grid, block, function_of_handle(function), lds, limit);
  });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function,
                                                              int threads, std::size_t lds) {
  return api([&] { return active_blocks(blocks, function_of_handle(function), threads, lds); });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                       hipFunction_t function,
                                                                       int threads, std::size_t lds,
                                                                       unsigned flags) {
  return api([&] {
    HIP_TRY(check_flags(flags));
    return active_blocks(blocks, function_of_handle(function), threads, lds);
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
