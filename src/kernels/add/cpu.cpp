// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct Add {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_stride, const T* a, i64 a_stride, const T* b,
                  i64 b_stride, i64 rows, i64 columns) {
    each_stretch(share, rows, columns, [&](i64 row, i64 begin, i64 end) {
      add_row<T, Real>(out + row * out_stride + begin, a + row * a_stride + begin,
                       b + row * b_stride + begin, end - begin);
    });
  }
};

}  // namespace

CpuFunctions add() {
  return cpu_functions<Add>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
