// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct QuantizeFp8 {
  template <class T, class Real>
  static void run(Share share, std::uint8_t* out, i64 out_stride, const T* x, i64 x_stride,
                  const float* scales, i64 scale_step, i64 rows, i64 columns, int format) {
    with_fp8_format(format, [&]<Fp8 kFormat> {
      as<T, Real, kFormat>(share, out, out_stride, x, x_stride, scales, scale_step, rows, columns);
    });
  }

  template <class T, class Real, Fp8 kFormat>
  static void as(Share share, std::uint8_t* out, i64 out_stride, const T* x, i64 x_stride,
                 const float* scales, i64 scale_step, i64 rows, i64 columns) {
    each_stretch(share, rows, columns, [&](i64 row, i64 begin, i64 end) {
      const Real inverse = 1 / real<Real>(scales[row * scale_step]);
      const T* const from = x + row * x_stride;
      std::uint8_t* const to = out + row * out_stride;
      for (i64 c = begin; c < end; ++c)
        to[c] = Fp8Code<kFormat>::encode(real<Real>(from[c]) * inverse);
    });
  }
};

}  // namespace

CpuFunctions quantize_fp8() {
  return cpu_functions<QuantizeFp8>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
