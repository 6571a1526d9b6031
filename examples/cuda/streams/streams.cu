// SPDX-License-Identifier: MIT
// Two streams share the work on one array: the second waits for an event of the first, a host
// callback counts what is done, scratch memory comes from a stream-ordered pool, and the sum is
// read from managed memory.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

#define CUDA_CHECK(call)                                                        \
  do {                                                                          \
    cudaError_t status_ = (call);                                               \
    if (status_ != cudaSuccess) {                                               \
      fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", __FILE__, __LINE__, #call, \
              cudaGetErrorString(status_), cudaGetErrorName(status_));          \
      exit(EXIT_FAILURE);                                                       \
    }                                                                           \
  } while (0)

__global__ void scale(const float* in, float* out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * factor;
}

__global__ void add_up(const float* values, int n, float* sum) {
  float mine = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += values[i];
  atomicAdd(sum, mine);
}

static std::atomic<int> finished{0};

static void CUDART_CB count_finished(void* data) {
  finished += *static_cast<int*>(data);
}

int main() {
  int device = 0;
  CUDA_CHECK(cudaSetDevice(device));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  int has_pools = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device));
  printf("%s, %d multiprocessors, pools: %s\n", properties.name, properties.multiProcessorCount,
         has_pools ? "yes" : "no");

  const int n = 4096, half = n / 2;
  float* pinned = nullptr;
  CUDA_CHECK(cudaMallocHost(&pinned, n * sizeof(float)));
  for (int i = 0; i < n; ++i) pinned[i] = static_cast<float>(i % 7);

  float* sum = nullptr;
  CUDA_CHECK(cudaMallocManaged(&sum, sizeof(float), cudaMemAttachGlobal));
  *sum = 0.0f;

  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams)
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t start, stop, scaled;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventCreateWithFlags(&scaled, cudaEventDisableTiming));

  float *in = nullptr, *out = nullptr;
  CUDA_CHECK(cudaEventRecord(start, streams[0]));
  CUDA_CHECK(cudaMallocAsync(&in, n * sizeof(float), streams[0]));
  CUDA_CHECK(cudaMallocAsync(&out, n * sizeof(float), streams[0]));
  CUDA_CHECK(cudaMemcpyAsync(in, pinned, n * sizeof(float), cudaMemcpyHostToDevice, streams[0]));
  scale<<<(half + 255) / 256, 256, 0, streams[0]>>>(in, out, 2.0f, half);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(scaled, streams[0]));

  int one = 1;
  CUDA_CHECK(cudaLaunchHostFunc(streams[0], count_finished, &one));
  CUDA_CHECK(cudaStreamWaitEvent(streams[1], scaled, 0));
  scale<<<(half + 255) / 256, 256, 0, streams[1]>>>(in + half, out + half, 2.0f, half);
  add_up<<<1, 128, 0, streams[1]>>>(out, n, sum);
  CUDA_CHECK(cudaPeekAtLastError());
  CUDA_CHECK(cudaLaunchHostFunc(streams[1], count_finished, &one));
  CUDA_CHECK(cudaEventRecord(stop, streams[1]));
  CUDA_CHECK(cudaStreamSynchronize(streams[1]));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1.0f;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));

  cudaMemPool_t pool;
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  unsigned long long keep = 0;
  CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  CUDA_CHECK(cudaFreeAsync(in, streams[1]));
  CUDA_CHECK(cudaFreeAsync(out, streams[1]));
  CUDA_CHECK(cudaDeviceSynchronize());

  hipwright_golden("sum", sum, 1);
  double expected = 0.0;
  for (int i = 0; i < n; ++i) expected += 2.0 * pinned[i];
  const bool is_right = *sum == static_cast<float>(expected) && finished == 2 && milliseconds >= 0;
  printf("sum %.1f, expected %.1f, callbacks %d\n", *sum, expected, finished.load());

  for (cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  CUDA_CHECK(cudaEventDestroy(scaled));
  CUDA_CHECK(cudaFree(sum));
  CUDA_CHECK(cudaFreeHost(pinned));
  printf(is_right ? "PASS\n" : "FAIL\n");
  return is_right ? 0 : 1;
}
