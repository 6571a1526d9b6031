#include "hip_compat.h"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void match(unsigned* out, const int* in) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int all, key = in[threadIdx.x];
  bool is_odd = key & 1;
  out[0] = tile.match_any(key);
  out[1] = hip_compat::match_any(tile, is_odd);
  out[2] = hip_compat::match_all(tile, is_odd, all);
  out[3] = hip_compat::match_all(tile, in[3], all) + all;
}
