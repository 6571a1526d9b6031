// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct AddLayerNorm {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_stride, T* total, i64 total_stride, const T* x,
                  i64 x_stride, const T* residual, i64 residual_stride, const T* weight,
                  const T* bias, i64 row_count, int columns, float epsilon) {
    const Rows rows(share, row_count);
    for (i64 row = rows.begin; row < rows.end; ++row) {
      T* const kept = total + row * total_stride;
      add_row<T, Real>(kept, x + row * x_stride, residual + row * residual_stride, columns);
      layer_norm_row<T, Real>(out + row * out_stride, kept, weight, bias, columns, epsilon);
    }
  }
};

}  // namespace

CpuFunctions add_layer_norm() {
  return cpu_functions<AddLayerNorm>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
