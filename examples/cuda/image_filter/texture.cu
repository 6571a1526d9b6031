// SPDX-License-Identifier: MIT
// Reads a picture through textures: as an array that is clamped at its edges, and as a buffer.
// AMD's Instinct GPUs have no textures from MI200 on; the Radeons have.
#include <cuda_runtime.h>

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

__global__ void blur_rows(cudaTextureObject_t picture, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int i = -kRadius; i <= kRadius; ++i) sum += tex2D<float>(picture, x + i + 0.5f, y + 0.5f);
  out[y * width + x] = sum / (2 * kRadius + 1);
}

// The same picture as a plain buffer.
__global__ void brightness(cudaTextureObject_t pixels, float* sums, int width) {
  extern __shared__ float row[];
  row[threadIdx.x] = tex1Dfetch<float>(pixels, blockIdx.x * width + threadIdx.x);
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
  // The picture as an array, clamped at its edges.
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, picture.data(), width * sizeof(float),
                            width * sizeof(float), height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = cudaAddressModeClamp;
  description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeElementType;
  description.normalizedCoords = 0;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

  // And as linear memory.
  float* linear = nullptr;
  CHECK(cudaMalloc(&linear, n * sizeof(float)));
  CHECK(cudaMemcpy(linear, picture.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  cudaResourceDesc buffer = {};
  buffer.resType = cudaResourceTypeLinear;
  buffer.res.linear.devPtr = linear;
  buffer.res.linear.desc = format;
  buffer.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc plain = {};
  plain.readMode = cudaReadModeElementType;
  cudaTextureObject_t pixels = 0;
  CHECK(cudaCreateTextureObject(&pixels, &buffer, &plain, NULL));

  float *blurred = nullptr, *sums = nullptr;
  CHECK(cudaMalloc(&blurred, n * sizeof(float)));
  CHECK(cudaMalloc(&sums, height * sizeof(float)));
  blur_rows<<<dim3(1, height), width>>>(texture, blurred, width, height);
  brightness<<<height, width, width * sizeof(float)>>>(pixels, sums, width);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  std::vector<float> out(n), rows(height);
  CHECK(cudaMemcpy(out.data(), blurred, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(rows.data(), sums, height * sizeof(float), cudaMemcpyDefault));
  hipwright_golden("blurred", out);
  hipwright_golden("brightness", rows);
  int wrong = 0;
  for (int y = 0; y < height; ++y) {
    float sum = 0.0f;
    for (int x = 0; x < width; ++x) {
      float expected = 0.0f;
      for (int i = -kRadius; i <= kRadius; ++i)
        expected += at(picture, width, x + i, y) / (2 * kRadius + 1);
      wrong += std::fabs(out[y * width + x] - expected) > 1e-3f;
      sum += at(picture, width, x, y);
    }
    wrong += rows[y] != sum;
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaDestroyTextureObject(pixels));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(linear));
  CHECK(cudaFree(blurred));
  CHECK(cudaFree(sums));
  printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
