// SPDX-License-Identifier: MIT
// Blurs a picture: weights in constant memory, block size by occupancy, rows with a pitch.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

static void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  exit(1);
}
#define CHECK(call) check((call), #call)

constexpr int kRadius = 2;
__constant__ float weights[2 * kRadius + 1];
__device__ int pixels_done;

__global__ void blur_rows(const float* picture, size_t pitch, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= width || y >= height) return;
  const float* row = picture + y * pitch / sizeof(float);
  float sum = 0.0f;
  for (int i = -kRadius; i <= kRadius; ++i)
    sum += weights[i + kRadius] * __ldg(row + min(max(x + i, 0), width - 1));
  out[y * width + x] = sum;
  atomicAdd(&pixels_done, 1);
}

__global__ void brightness(const float* pixels, size_t pitch, float* sums) {
  extern __shared__ float row[];
  row[threadIdx.x] = pixels[blockIdx.x * pitch / sizeof(float) + threadIdx.x];
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) row[threadIdx.x] += row[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = row[0];
}

static float at(const std::vector<float>& picture, int width, int x, int y) {
  return picture[y * width + std::clamp(x, 0, width - 1)];
}

int main() {
  const int width = 64, height = 16, n = width * height;
  std::vector<float> picture(n);
  for (int i = 0; i < n; ++i) picture[i] = static_cast<float>((i * 29) % 64);
  const float host_weights[2 * kRadius + 1] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
  CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights));
  const int zero = 0;
  CHECK(cudaMemcpyToSymbol(pixels_done, &zero, sizeof zero, 0, cudaMemcpyHostToDevice));

  float* pixels = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&pixels, &pitch, width * sizeof(float), height));
  CHECK(cudaMemcpy2D(pixels, pitch, picture.data(), width * sizeof(float), width * sizeof(float),
                     height, cudaMemcpyHostToDevice));

  // The block size that fills the GPU, and what the kernel costs.
  int min_grid = 0, block = 0, blocks_per_sm = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, blur_rows, 0, 0));
  block = std::min(block, width);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, blur_rows, block, 0));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, blur_rows));
  CHECK(cudaFuncSetCacheConfig(blur_rows, cudaFuncCachePreferL1));
  CHECK(cudaFuncSetAttribute(brightness, cudaFuncAttributeMaxDynamicSharedMemorySize, 32 * 1024));
  printf("blocks of %d, %d per multiprocessor, at most %d threads\n", block, blocks_per_sm,
         attributes.maxThreadsPerBlock);

  float *blurred = nullptr, *sums = nullptr;
  CHECK(cudaMalloc(&blurred, n * sizeof(float)));
  CHECK(cudaMalloc(&sums, height * sizeof(float)));
  const dim3 grid((width + block - 1) / block, height);
  blur_rows<<<grid, block>>>(pixels, pitch, blurred, width, height);
  brightness<<<height, width, width * sizeof(float)>>>(pixels, pitch, sums);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  std::vector<float> out(n), rows(height);
  int done = 0;
  CHECK(cudaMemcpy(out.data(), blurred, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(rows.data(), sums, height * sizeof(float), cudaMemcpyDefault));
  CHECK(cudaMemcpyFromSymbol(&done, pixels_done, sizeof done));
  void* address = nullptr;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, weights));
  CHECK(cudaGetSymbolSize(&size, weights));

  hipwright_golden("blurred", out);
  hipwright_golden("brightness", rows);
  int wrong = done != n || address == nullptr || size != sizeof host_weights || blocks_per_sm < 1;
  for (int y = 0; y < height; ++y) {
    float sum = 0.0f;
    for (int x = 0; x < width; ++x) {
      float expected = 0.0f;
      for (int i = -kRadius; i <= kRadius; ++i)
        expected += host_weights[i + kRadius] * at(picture, width, x + i, y);
      wrong += std::fabs(out[y * width + x] - expected) > 1e-3f;
      sum += at(picture, width, x, y);
    }
    wrong += rows[y] != sum;
  }
  CHECK(cudaFree(pixels));
  CHECK(cudaFree(blurred));
  CHECK(cudaFree(sums));
  printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
