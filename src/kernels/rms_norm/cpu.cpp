// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct RmsNorm {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_stride, const T* x, i64 x_stride, const T* weight,
                  i64 row_count, int columns, float epsilon) {
    const Rows rows(share, row_count);
    for (i64 row = rows.begin; row < rows.end; ++row) {
      const T* const from = x + row * x_stride;
      T* const to = out + row * out_stride;
      const Real squares =
          sum<Real>(columns, [&](i64 c) { return real<Real>(from[c]) * real<Real>(from[c]); });
      const Real scale = 1 / std::sqrt(squares / static_cast<Real>(columns) + real<Real>(epsilon));
      for (int c = 0; c < columns; ++c)
        narrow(to[c], real<Real>(from[c]) * scale * real<Real>(weight[c]));
    }
  }
};

}  // namespace

CpuFunctions rms_norm() {
  return cpu_functions<RmsNorm>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
