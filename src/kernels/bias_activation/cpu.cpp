// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct BiasActivation {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_stride, const T* x, i64 x_stride, const T* bias,
                  i64 rows, i64 columns, int activation) {
    // In pieces that stay in the cache between the steps.
    constexpr i64 kPiece = 256;
    each_stretch(share, rows, columns, [&](i64 row, i64 begin, i64 end) {
      for (i64 at = begin; at < end; at += kPiece) {
        const i64 count = end - at < kPiece ? end - at : kPiece;
        const T* const from = x + row * x_stride + at;
        T* const to = out + row * out_stride + at;
        Real values[kPiece];
        for (i64 i = 0; i < count; ++i) values[i] = real<Real>(from[i]) + real<Real>(bias[at + i]);
        activate(values, count, static_cast<Activation>(activation));
        for (i64 i = 0; i < count; ++i) narrow(to[i], values[i]);
      }
    });
  }
};

}  // namespace

CpuFunctions bias_activation() {
  return cpu_functions<BiasActivation>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
