// SPDX-License-Identifier: MIT
// Planted bug: queries are loaded by some lanes only, and the others use registers that nobody
// wrote. On hardware the result is whatever ran there before, often zero: tests pass until they
// do not.
#include "../../../examples/common/check.h"

constexpr int kDepth = 4;

__global__ void scores(const float4* queries, const float4* keys, float* out, int heads) {
  float4 Qlocal[kDepth];
  const int lane = threadIdx.x;
  if (lane < heads)
    for (int depth = 0; depth < kDepth; ++depth) Qlocal[depth] = queries[lane * kDepth + depth];
  // An else that zeroes Qlocal is missing.
  float sum = 0;
  for (int depth = 0; depth < kDepth; ++depth) {
    const float4 q = Qlocal[depth], k = keys[depth];
    sum += q.x * k.x + q.y * k.y + q.z * k.z + q.w * k.w;
  }
  out[lane] = sum;  // planted: uninitialised-store
}

int main() {
  constexpr int kHeads = 24, kThreads = 64;
  const DeviceArray<float4> queries(std::vector<float4>(kHeads * kDepth, float4{1, 2, 3, 4}));
  const DeviceArray<float4> keys(std::vector<float4>(kDepth, float4{1, 1, 1, 1}));
  const DeviceArray<float> out(kThreads);
  scores<<<1, kThreads>>>(queries.get(), keys.get(), out.get(), kHeads);
  finish_launch();
  const std::vector<float> got = out.download();
  std::printf("head 0: %g, head %d: %g\n", static_cast<double>(got[0]), kHeads - 1,
              static_cast<double>(got[kHeads - 1]));
  return 0;
}
