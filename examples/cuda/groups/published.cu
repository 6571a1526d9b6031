// SPDX-License-Identifier: MIT
// libcu++: one block publishes a value, the others take it, with atomics that say their scope and
// order.
#include <cuda/atomic>
#include <cuda/std/cstdint>

#include <cstdio>

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

struct Shared {
  cuda::atomic<int, cuda::thread_scope_device> ready{0};
  cuda::atomic<cuda::std::uint32_t, cuda::thread_scope_device> taken{0};
  int value = 0;
};

__global__ void publish_and_take(Shared* shared, int* counter) {
  cuda::atomic_ref<int, cuda::thread_scope_device> total(*counter);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    shared->value = 42;
    shared->ready.store(1, cuda::memory_order_release);
  }
  if (threadIdx.x == 0) {
    while (shared->ready.load(cuda::memory_order_acquire) == 0) {
    }
    if (shared->value == 42) shared->taken.fetch_add(1, cuda::memory_order_relaxed);
  }
  total.fetch_add(1, cuda::std::memory_order_relaxed);
}

int main() {
  Shared* shared = nullptr;
  int* counter = nullptr;
  if (cudaMallocManaged(&shared, sizeof(Shared)) != cudaSuccess) return 1;
  if (cudaMallocManaged(&counter, sizeof(int)) != cudaSuccess) return 1;
  new (shared) Shared;
  *counter = 0;
  publish_and_take<<<3, 64>>>(shared, counter);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  hipwright_golden("counter", counter, 1);
  const bool is_right = shared->taken.load() == 3 && *counter == 3 * 64;
  cudaFree(shared);
  cudaFree(counter);
  puts(is_right ? "PASS" : "FAIL");
  return is_right ? 0 : 1;
}
