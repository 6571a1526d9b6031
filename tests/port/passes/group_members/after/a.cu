#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void count(unsigned* threads, unsigned* blocks) {
  cg::grid_group grid = cg::this_grid();
  *threads = grid.size();
  *blocks = (gridDim.x * gridDim.y * gridDim.z);
}
