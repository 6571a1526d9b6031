// SPDX-License-Identifier: MIT
// Planted bugs: fp8 data that the host encoded as OCP's e4m3fn, and a scale for its largest number
// 448. On gfx950 and gfx12 that is right; gfx942 takes the same bytes as e4m3fnuz, whose largest
// number is 240 and whose NaN is what OCP calls -0. gfx90a and gfx1100 have no fp8.
#include "../../../examples/common/check.h"

#if defined(__gfx942__) || defined(__gfx950__) || defined(__GFX12__)
#define HAS_FP8 1
#endif

__global__ void decode([[maybe_unused]] const unsigned char* in, float* out) {
#if HAS_FP8
  const int code = in[threadIdx.x];
  out[threadIdx.x] = __builtin_amdgcn_cvt_f32_fp8(code, 0);  // planted on gfx942: fp8-format
#else
  out[threadIdx.x] = 0;
#endif
}

__global__ void encode([[maybe_unused]] const float* in, unsigned char* out, float largest) {
  const float scaled = in[threadIdx.x] / largest * 448;
#if HAS_FP8
  const int code = __builtin_amdgcn_cvt_pk_fp8_f32(scaled, 0, 0, false);  // planted on gfx942: fp8-format
  out[threadIdx.x] = static_cast<unsigned char>(code);
#else
  out[threadIdx.x] = static_cast<unsigned char>(scaled);
#endif
}

int main() {
  constexpr int kThreads = 64;
  std::vector<unsigned char> codes(kThreads);
  std::vector<float> values(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    codes[i] = static_cast<unsigned char>(0x80 + i);  // -0 and small negative numbers
    values[i] = static_cast<float>(i);
  }
  const DeviceArray<unsigned char> device_codes(codes), encoded(kThreads);
  const DeviceArray<float> device_values(values), decoded(kThreads);
  decode<<<1, kThreads>>>(device_codes.get(), decoded.get());
  encode<<<1, kThreads>>>(device_values.get(), encoded.get(), kThreads - 1);
  finish_launch();
  std::printf("first %g, last %x\n", static_cast<double>(decoded.download()[0]),
              encoded.download()[kThreads - 1]);
  return 0;
}
