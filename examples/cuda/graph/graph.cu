// SPDX-License-Identifier: MIT
// Heat on a rod: many small steps, recorded once as a graph and replayed. Float4 arithmetic as in
// the helper headers that travel with CUDA programs.
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "vector_math.h"

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

#define gpuErrchk(ans) gpu_assert((ans), __FILE__, __LINE__)
inline void gpu_assert(cudaError_t code, const char* file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPU error: %s %s:%d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}

// Four rods at once.
__global__ void __launch_bounds__(128)
    step(const float4* __restrict__ now, float4* __restrict__ next, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0 || i == n - 1) {
    next[i] = now[i];
    return;
  }
  const float4 bend = now[i - 1] + now[i + 1] - 2.0f * now[i];
  next[i] = now[i] + alpha * bend;
}

__global__ void add_step(int* steps) {
  *steps += 1;
}

static void cpu_step(const std::vector<double>& now, std::vector<double>& next, double alpha) {
  next = now;
  for (size_t i = 1; i + 1 < now.size(); ++i)
    next[i] = now[i] + alpha * (now[i - 1] + now[i + 1] - 2 * now[i]);
}

int main() {
  const int n = 256, replays = 5, steps_each = 4;
  const float alpha = 0.25f;
  std::vector<float4> start(n, make_float4(0, 0, 0, 0));
  start[n / 2] = make_float4(100, 200, 300, 400);

  float4 *now, *next;
  int* steps;
  gpuErrchk(cudaMalloc(&now, n * sizeof(float4)));
  gpuErrchk(cudaMalloc(&next, n * sizeof(float4)));
  gpuErrchk(cudaMalloc(&steps, sizeof(int)));
  gpuErrchk(cudaMemset(steps, 0, sizeof(int)));
  gpuErrchk(cudaMemcpy(now, start.data(), n * sizeof(float4), cudaMemcpyHostToDevice));

  cudaStream_t stream;
  gpuErrchk(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  gpuErrchk(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < steps_each; ++i) {
    step<<<dim3(n / 128), dim3(128), 0, stream>>>(now, next, alpha, n);
    add_step<<<1, 1, 0, stream>>>(steps);
    std::swap(now, next);
  }
  cudaStreamCaptureStatus status;
  gpuErrchk(cudaStreamIsCapturing(stream, &status));
  gpuErrchk(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  gpuErrchk(cudaGraphGetNodes(graph, nullptr, &nodes));
  gpuErrchk(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < replays; ++i) gpuErrchk(cudaGraphLaunch(executable, stream));
  gpuErrchk(cudaStreamSynchronize(stream));

  // One more step without the graph, with arguments by address.
  float a = alpha;
  int count = n;
  void* arguments[] = {&now, &next, &a, &count};
  gpuErrchk(cudaLaunchKernel((const void*)step, dim3(n / 128), dim3(128), arguments, 0, stream));
  std::swap(now, next);

  std::vector<float4> out(n);
  int done = 0;
  gpuErrchk(cudaMemcpyAsync(out.data(), now, n * sizeof(float4), cudaMemcpyDeviceToHost, stream));
  gpuErrchk(cudaMemcpyAsync(&done, steps, sizeof(int), cudaMemcpyDeviceToHost, stream));
  gpuErrchk(cudaStreamSynchronize(stream));

  hipwright_golden("rod", &out[0].x, 4 * n);
  hipwright_golden("steps", &done, 1);
  std::vector<double> rod(n), after;
  rod[n / 2] = 100;
  for (int i = 0; i < replays * steps_each + 1; ++i) {
    cpu_step(rod, after, alpha);
    rod.swap(after);
  }
  int wrong = done != replays * steps_each || nodes != 2 * steps_each;
  wrong += status != cudaStreamCaptureStatusActive;
  for (int i = 0; i < n; ++i) {
    const float4 expected = static_cast<float>(rod[i]) * make_float4(1, 2, 3, 4);
    const float4 difference = out[i] - expected;
    wrong += !(dot(difference, difference) < 1e-4f);
  }
  gpuErrchk(cudaGraphExecDestroy(executable));
  gpuErrchk(cudaGraphDestroy(graph));
  gpuErrchk(cudaStreamDestroy(stream));
  cudaFree(now);
  cudaFree(next);
  cudaFree(steps);
  printf("%d steps, %s\n", done, wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
