#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void count(unsigned* threads, unsigned* blocks) {
  cg::grid_group grid = cg::this_grid();
  *threads = grid.num_threads();
  *blocks = grid.num_blocks();
}
