#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void match(unsigned* out, const int* in) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int all, key = in[threadIdx.x];
  bool is_odd = key & 1;
  out[0] = tile.match_any(key);
  out[1] = tile.match_any(is_odd);
  out[2] = tile.match_all(is_odd, all);
  out[3] = tile.match_all(in[3], all) + all;
}
