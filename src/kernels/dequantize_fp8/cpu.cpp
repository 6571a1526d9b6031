// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct DequantizeFp8 {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_stride, const std::uint8_t* x, i64 x_stride,
                  const float* scales, i64 scale_step, i64 rows, i64 columns, int format) {
    with_fp8_format(format, [&]<Fp8 kFormat> {
      as<T, Real, kFormat>(share, out, out_stride, x, x_stride, scales, scale_step, rows, columns);
    });
  }

  template <class T, class Real, Fp8 kFormat>
  static void as(Share share, T* out, i64 out_stride, const std::uint8_t* x, i64 x_stride,
                 const float* scales, i64 scale_step, i64 rows, i64 columns) {
    each_stretch(share, rows, columns, [&](i64 row, i64 begin, i64 end) {
      const Real scale = real<Real>(scales[row * scale_step]);
      const std::uint8_t* const from = x + row * x_stride;
      T* const to = out + row * out_stride;
      for (i64 c = begin; c < end; ++c)
        narrow(to[c], real<Real>(Fp8Code<kFormat>::decode(from[c])) * scale);
    });
  }
};

}  // namespace

CpuFunctions dequantize_fp8() {
  return cpu_functions<DequantizeFp8>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
