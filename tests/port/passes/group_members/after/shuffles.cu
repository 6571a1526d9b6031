#include "hip_compat.h"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

struct State {
  cg::thread_block_tile<8> tile;
};

template <class T>
__device__ T sum(cg::thread_block_tile<32> warp, T value) {
  for (int i = 16; i > 0; i /= 2) value += hip_compat::shfl_down(warp, value, i);
  return value;
}

__device__ int number(cg::thread_block_tile<32>& warp, int value) {
  const float two = 2 * value;
  value += warp.shfl_xor(value, 1);
  return value + (int)warp.shfl(two, 0);
}

__device__ int ticket(int* counter, State* state, uint4 four) {
  cg::coalesced_group g = warp32::coalesced_threads();
  int prev;
  if (g.thread_rank() == 0) prev = atomicAdd(counter, g.size());
  prev = hip_compat::shfl(g, prev, 0);
  four = hip_compat::shfl_xor(state->tile, four, 2);
  return prev + four.x + hip_compat::shfl_up(g, prev + 1, 1);
}
