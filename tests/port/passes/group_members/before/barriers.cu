#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

struct Bar {
  void barrier_wait(int);
};

__global__ void step(int* sum, Bar* mine) {
  cg::grid_group grid = cg::this_grid();
  auto token = grid.barrier_arrive();  // reports: HP202
  mine->barrier_wait(1);
  grid.barrier_wait(static_cast<decltype(token)&&>(token));  // reports: HP202
  cg::reduce_store_async(grid, sum, *sum, cg::plus<int>());  // reports: HP202
}
