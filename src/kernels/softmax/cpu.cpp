// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct Softmax {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_stride, const T* x, i64 x_stride, i64 row_count,
                  int columns, float factor) {
    const Rows rows(share, row_count);
    const Real scale = real<Real>(factor);
    for (i64 row = rows.begin; row < rows.end; ++row) {
      const T* const from = x + row * x_stride;
      T* const to = out + row * out_stride;
      const Real most = largest<Real>(columns, [&](i64 c) { return real<Real>(from[c]) * scale; });
      const Real total = sum<Real>(
          columns, [&](i64 c) { return exponential(real<Real>(from[c]) * scale - most); });
      for (int c = 0; c < columns; ++c)
        narrow(to[c], exponential(real<Real>(from[c]) * scale - most) / total);
    }
  }
};

}  // namespace

CpuFunctions softmax() {
  return cpu_functions<Softmax>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
