// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct LayerNorm {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_stride, const T* x, i64 x_stride, const T* weight,
                  const T* bias, i64 row_count, int columns, float epsilon) {
    const Rows rows(share, row_count);
    for (i64 row = rows.begin; row < rows.end; ++row)
      layer_norm_row<T, Real>(out + row * out_stride, x + row * x_stride, weight, bias, columns,
                              epsilon);
  }
};

}  // namespace

CpuFunctions layer_norm() {
  return cpu_functions<LayerNorm>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
