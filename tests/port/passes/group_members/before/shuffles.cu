#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct State {
  cg::thread_block_tile<8> tile;
};

template <class T>
__device__ T sum(cg::thread_block_tile<32> warp, T value) {
  for (int i = 16; i > 0; i /= 2) value += warp.shfl_down(value, i);
  return value;
}

__device__ int number(cg::thread_block_tile<32>& warp, int value) {
  const float two = 2 * value;
  value += warp.shfl_xor(value, 1);
  return value + (int)warp.shfl(two, 0);
}

__device__ int ticket(int* counter, State* state, uint4 four) {
  cg::coalesced_group g = cg::coalesced_threads();
  int prev;
  if (g.thread_rank() == 0) prev = atomicAdd(counter, g.size());
  prev = g.shfl(prev, 0);
  four = state->tile.shfl_xor(four, 2);
  return prev + four.x + g.shfl_up(prev + 1, 1);
}
