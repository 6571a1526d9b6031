// SPDX-License-Identifier: MIT
// Counts bytes: every block counts in shared memory and adds its counts to the result at the end.
#include "../common/check.h"

constexpr int kBins = 256, kThreads = 256;

__global__ void histogram(const unsigned char* bytes, int count, unsigned* bins) {
  __shared__ unsigned own[kBins];
  for (int i = threadIdx.x; i < kBins; i += kThreads) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads)
    atomicAdd(&own[bytes[i]], 1U);
  __syncthreads();
  for (int i = threadIdx.x; i < kBins; i += kThreads)
    if (own[i] != 0) atomicAdd(&bins[i], own[i]);
}

int main() {
  constexpr int kCount = 200001;
  Numbers numbers(5);
  std::vector<unsigned char> bytes(kCount);
  std::vector<unsigned> want(kBins, 0);
  for (unsigned char& byte : bytes) {
    const unsigned x = numbers.next();
    byte = static_cast<unsigned char>(x % 3 == 0 ? 7 : x >> 8);  // one bin is crowded
    ++want[byte];
  }
  const DeviceArray<unsigned char> device_bytes(bytes);
  DeviceArray<unsigned> bins(kBins);
  bins.zero();
  histogram<<<16, kThreads>>>(device_bytes.get(), kCount, bins.get());
  finish_launch();

  const std::vector<unsigned> got = bins.download();
  Verdict verdict;
  for (int i = 0; i < kBins; ++i)
    verdict.expect(got[i] == want[i], "bin %d holds %u, expected %u", i, got[i], want[i]);
  return verdict.print("histogram of 200001 bytes");
}
