#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sum(const int* values, int* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, values[i]);
}

int main() {
  constexpr int kCount = 1000;
  int host[kCount], result = 0, *values, *total;
  for (int i = 0; i < kCount; ++i) host[i] = i;
  if (hipMalloc(&values, sizeof host) != hipSuccess || hipMalloc(&total, sizeof result) != hipSuccess) return 2;
  (void)hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  (void)hipMemcpy(total, &result, sizeof result, hipMemcpyHostToDevice);
  sum<<<4, 256>>>(values, total, kCount);
  (void)hipMemcpy(&result, total, sizeof result, hipMemcpyDeviceToHost);
  (void)hipFree(values);
  (void)hipFree(total);
  std::printf("sum %d\n", result);
  return result == kCount * (kCount - 1) / 2 ? 0 : 1;
}
