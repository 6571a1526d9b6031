#include "hip_compat.h"
#include <hip/hip_cooperative_groups.h>
#include <hipcub/hipcub.hpp>

namespace cg = cooperative_groups;

typedef ::hipcub::BlockReduce<float, 128> Reduce;
using Storage = typename ::hipcub::BlockReduce<float, 128>::TempStorage;

__device__ int alike(int label) {
  __shared__ cg::block_tile_memory<256> memory;  // reports: HP202
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto same = cg::labeled_partition(tile, label);
  return __popc(label) + same.size();
}

// A variable of this name is not CUDA's template.
__global__ void fill(float* surface, int texture) { surface[texture] = 1; }
