// SPDX-License-Identifier: MIT
// What ported CUDA kernels use beyond plain HIP: 64-bit lane masks, bf16, fp8, cooperative groups,
// device printf, and (from compat.h, which HIP 6 lacks) __syncwarp and __dp4a.
#define HIP_ENABLE_WARP_SYNC_BUILTINS  // HIP 6 has the *_sync functions on request
#include <hip/hip_bf16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../sdk/compat/compat.h"

namespace cg = cooperative_groups;

#define HIP_CHECK(call)                                                              \
  do {                                                                               \
    const hipError_t status = (call);                                                \
    if (status != hipSuccess) {                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,             \
                   hipGetErrorString(status));                                       \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (false)

#if HIP_FP8_TYPE_FNUZ && !HIP_FP8_TYPE_OCP
using Fp8 = __hip_fp8_e4m3_fnuz;  // gfx942
#else
using Fp8 = __hip_fp8_e4m3;
#endif

constexpr int kThreads = 256;

// The sum over a wave, with the mask type that fits 32 and 64 lanes.
__device__ float wave_sum(float value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(~0ULL, value, offset);
  return value;
}

// out[0]: block sum of bf16-rounded values; out[1]: the same through fp8; dots[i]: 4-way int8 dot.
__global__ void features(const float* values, const int* packed, float* out, int* dots) {
  __shared__ float partial[kThreads];  // one slot per wave; waves have at least one lane
  const cg::thread_block block = cg::this_thread_block();
  const unsigned i = block.thread_rank();

  const __hip_bfloat16 rounded = __float2bfloat16(values[i]);
  const float sum = wave_sum(__bfloat162float(rounded));
  const unsigned wave = i / warpSize;
  if (i % warpSize == 0) partial[wave] = sum;
  block.sync();

  if (i == 0) {
    float total = 0;
    for (unsigned w = 0; w < kThreads / warpSize; ++w) total += partial[w];
    out[0] = total;
    printf("block sum %g from %d-lane waves\n", total, static_cast<int>(warpSize));
  }

  const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  float small = static_cast<float>(Fp8(values[i]));
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) small += tile.shfl_xor(small, offset);
  __syncwarp();
  if (tile.thread_rank() == 0) atomicAdd(&out[1], small);

  dots[i] = __dp4a(packed[i], 0x01020304, 5);
}

int main() {
  std::vector<float> values(kThreads);
  std::vector<int> packed(kThreads), dots(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    values[i] = static_cast<float>(i % 8);  // exact in bf16 and in fp8
    packed[i] = static_cast<int>(0x01010101u * static_cast<unsigned>(i % 100));
  }
  float *device_values, *device_out;
  int *device_packed, *device_dots;
  HIP_CHECK(hipMalloc(&device_values, kThreads * sizeof(float)));
  HIP_CHECK(hipMalloc(&device_packed, kThreads * sizeof(int)));
  HIP_CHECK(hipMalloc(&device_out, 2 * sizeof(float)));
  HIP_CHECK(hipMalloc(&device_dots, kThreads * sizeof(int)));
  HIP_CHECK(hipMemcpy(device_values, values.data(), kThreads * sizeof(float), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_packed, packed.data(), kThreads * sizeof(int), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemset(device_out, 0, 2 * sizeof(float)));

  features<<<1, kThreads>>>(device_values, device_packed, device_out, device_dots);
  HIP_CHECK(hipGetLastError());
  float out[2];
  HIP_CHECK(hipMemcpy(out, device_out, sizeof out, hipMemcpyDeviceToHost));
  HIP_CHECK(hipMemcpy(dots.data(), device_dots, kThreads * sizeof(int), hipMemcpyDeviceToHost));

  bool pass = out[0] == 896.0f && out[1] == 896.0f;  // 32 times 0+1+…+7
  for (int i = 0; i < kThreads; ++i) pass = pass && dots[i] == 10 * (i % 100) + 5;
  std::printf("%s: bf16 sum %g, fp8 sum %g\n", pass ? "PASS" : "FAIL", out[0], out[1]);
  return pass ? 0 : 1;
}
