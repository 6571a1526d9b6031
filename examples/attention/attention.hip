// SPDX-License-Identifier: MIT
// Causal attention without the matrix of scores: keys and values pass through shared memory tile
// by tile while each thread keeps the running maximum and sum of its query (online softmax).
#include "../common/check.h"

constexpr int kHeads = 2, kLength = 160, kDepth = 32;
constexpr int kQueries = 64;  // per block, one thread each
constexpr int kKeys = 16;     // per tile

__global__ void attention(const float* q, const float* k, const float* v, float* out, float scale) {
  __shared__ float keys[kKeys][kDepth], values[kKeys][kDepth];
  const int head = blockIdx.y * kLength;
  const int query = blockIdx.x * kQueries + threadIdx.x;
  const bool active = query < kLength;

  float own[kDepth], sum[kDepth];
  for (int d = 0; d < kDepth; ++d) {
    own[d] = active ? q[(head + query) * kDepth + d] * scale : 0.0F;
    sum[d] = 0.0F;
  }
  float largest = -INFINITY, weights = 0.0F;

  const int last = min(kLength, static_cast<int>(blockIdx.x + 1) * kQueries);
  for (int start = 0; start < last; start += kKeys) {
    for (int i = threadIdx.x; i < kKeys * kDepth; i += kQueries) {
      const int key = start + i / kDepth;
      keys[i / kDepth][i % kDepth] = key < kLength ? k[(head + key) * kDepth + i % kDepth] : 0.0F;
      values[i / kDepth][i % kDepth] = key < kLength ? v[(head + key) * kDepth + i % kDepth] : 0.0F;
    }
    __syncthreads();
    for (int i = 0; i < kKeys && start + i <= query && start + i < kLength; ++i) {
      float score = 0.0F;
      for (int d = 0; d < kDepth; ++d) score = fmaf(own[d], keys[i][d], score);
      const float next = fmaxf(largest, score);
      const float shrink = expf(largest - next), weight = expf(score - next);
      weights = weights * shrink + weight;
      for (int d = 0; d < kDepth; ++d) sum[d] = sum[d] * shrink + weight * values[i][d];
      largest = next;
    }
    __syncthreads();
  }
  if (!active) return;
  for (int d = 0; d < kDepth; ++d) out[(head + query) * kDepth + d] = sum[d] / weights;
}

int main() {
  constexpr std::size_t kCount = std::size_t{kHeads} * kLength * kDepth;
  Numbers numbers(8);
  std::vector<float> q = numbers.units(kCount), k = numbers.units(kCount),
                     v = numbers.units(kCount);
  for (float& value : q) value *= 4;
  const float scale = 1.0F / std::sqrt(static_cast<float>(kDepth));

  const DeviceArray<float> dq(q), dk(k), dv(v), out(kCount);
  attention<<<dim3((kLength + kQueries - 1) / kQueries, kHeads), kQueries>>>(
      dq.get(), dk.get(), dv.get(), out.get(), scale);
  finish_launch();

  const std::vector<float> got = out.download();
  Verdict verdict;
  for (int head = 0; head < kHeads; ++head)
    for (int query = 0; query < kLength; ++query) {
      const auto at = [&](int token, int d) {
        return (static_cast<std::size_t>(head) * kLength + token) * kDepth + d;
      };
      std::vector<double> weight(query + 1);
      double largest = -INFINITY, total = 0;
      for (int key = 0; key <= query; ++key) {
        for (int d = 0; d < kDepth; ++d)
          weight[key] += static_cast<double>(q[at(query, d)]) * k[at(key, d)];
        weight[key] *= scale;
        largest = std::fmax(largest, weight[key]);
      }
      for (double& w : weight) total += w = std::exp(w - largest);
      for (int d = 0; d < kDepth; ++d) {
        double want = 0;
        for (int key = 0; key <= query; ++key) want += weight[key] / total * v[at(key, d)];
        verdict.expect_near("attention", at(query, d), got[at(query, d)], want, 2e-6);
      }
    }
  return verdict.print("causal attention, 2 heads of 160 tokens");
}
