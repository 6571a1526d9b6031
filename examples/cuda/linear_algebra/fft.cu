// SPDX-License-Identifier: MIT
// A cosine is two lines of its spectrum; the inverse transform brings it back.
#include <cufft.h>

#include <cmath>

#include "check.h"

#define CUFFT_CHECK(call) CHECK_STATUS(call, CUFFT_SUCCESS)

__global__ void scale(cufftComplex* values, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    values[i].x *= factor;
    values[i].y *= factor;
  }
}

int main() {
  const int n = 64, wave = 5;
  std::vector<cufftComplex> signal(n);
  for (int i = 0; i < n; ++i) signal[i] = {std::cos(2 * 3.14159265f * wave * i / n), 0.0f};
  cufftComplex* data = upload(signal);
  cufftHandle plan;
  CUFFT_CHECK(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
  CUFFT_CHECK(cufftExecC2C(plan, data, data, CUFFT_FORWARD));
  const auto spectrum = download(data, n);
  bool is_right = true;
  for (int i = 0; i < n; ++i) {
    const float want = i == wave || i == n - wave ? n / 2.0f : 0.0f;
    is_right &= std::fabs(std::hypot(spectrum[i].x, spectrum[i].y) - want) < 1e-2f;
  }
  CUFFT_CHECK(cufftExecC2C(plan, data, data, CUFFT_INVERSE));
  scale<<<1, n>>>(data, 1.0f / n, n);
  const auto back = download(data, n);
  for (int i = 0; i < n; ++i) is_right &= std::fabs(back[i].x - signal[i].x) < 1e-4f;
  CUFFT_CHECK(cufftDestroy(plan));
  CUDA_CHECK(cudaFree(data));
  return verdict("fft", is_right);
}
