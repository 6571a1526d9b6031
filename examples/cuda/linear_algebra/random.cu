// SPDX-License-Identifier: MIT
// Random numbers made by the host's library call and inside of a kernel: both have the mean that
// they should have.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>

#include "check.h"

#define CURAND_CHECK(call) CHECK_STATUS(call, CURAND_STATUS_SUCCESS)

__global__ void throw_darts(unsigned long long seed, int throws, int* inside) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, thread, 0, &state);
  int hits = 0;
  for (int i = 0; i < throws; ++i) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    hits += x * x + y * y <= 1.0f;
  }
  atomicAdd(inside, hits);
}

int main() {
  const int n = 1 << 14;
  float* values = upload(std::vector<float>(n));
  curandGenerator_t generator;
  CURAND_CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  CURAND_CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
  CURAND_CHECK(curandGenerateUniform(generator, values, n));
  double mean = 0;
  for (float value : download(values, n)) mean += value / n;
  CURAND_CHECK(curandDestroyGenerator(generator));

  const int threads = 256, throws = 64;
  int* inside = upload(std::vector<int>(1));
  throw_darts<<<1, threads>>>(42, throws, inside);
  CUDA_CHECK(cudaGetLastError());
  const double pi = 4.0 * download(inside, 1)[0] / (threads * throws);
  return verdict("random", std::fabs(mean - 0.5) < 0.02 && std::fabs(pi - 3.14159) < 0.1);
}
