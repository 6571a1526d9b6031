// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct Transpose {
  template <class T, class>
  static void run(Share share, T* out, i64 out_stride, const T* x, i64 x_stride, i64 rows,
                  i64 columns) {
    // Squares of which both sides stay in the cache.
    constexpr i64 kSide = 32;
    const i64 across = (columns + kSide - 1) / kSide;
    const Rows squares(share, (rows + kSide - 1) / kSide * across);
    for (i64 square = squares.begin; square < squares.end; ++square) {
      const i64 row = square / across * kSide, column = square % across * kSide;
      const i64 row_end = row + kSide < rows ? row + kSide : rows;
      const i64 column_end = column + kSide < columns ? column + kSide : columns;
      for (i64 c = column; c < column_end; ++c)
        for (i64 r = row; r < row_end; ++r) out[c * out_stride + r] = x[r * x_stride + c];
    }
  }
};

}  // namespace

CpuFunctions transpose() {
  return cpu_functions<Transpose>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
