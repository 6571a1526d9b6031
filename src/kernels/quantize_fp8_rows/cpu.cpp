// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct QuantizeFp8Rows {
  template <class T, class Real>
  static void run(Share share, std::uint8_t* out, i64 out_stride, float* scales, i64 scale_step,
                  const T* x, i64 x_stride, i64 rows, int columns, int format, float limit) {
    with_fp8_format(format, [&]<Fp8 kFormat> {
      as<T, Real, kFormat>(share, out, out_stride, scales, scale_step, x, x_stride, rows, columns,
                           limit);
    });
  }

  template <class T, class Real, Fp8 kFormat>
  static void as(Share share, std::uint8_t* out, i64 out_stride, float* scales, i64 scale_step,
                 const T* x, i64 x_stride, i64 row_count, int columns, float limit) {
    const Rows rows(share, row_count);
    for (i64 row = rows.begin; row < rows.end; ++row) {
      const T* const from = x + row * x_stride;
      std::uint8_t* const to = out + row * out_stride;
      const Real most =
          largest<Real>(columns, [&](i64 c) { return std::fabs(real<Real>(from[c])); });
      const Real scale = most > 0 ? most / real<Real>(limit) : 1;
      narrow(scales[row * scale_step], scale);
      const Real inverse = 1 / scale;
      for (int c = 0; c < columns; ++c)
        to[c] = Fp8Code<kFormat>::encode(real<Real>(from[c]) * inverse);
    }
  }
};

}  // namespace

CpuFunctions quantize_fp8_rows() {
  return cpu_functions<QuantizeFp8Rows>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
