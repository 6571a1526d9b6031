// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct Embedding {
  template <class T, class>
  static void run(Share share, T* out, i64 out_stride, const T* table, i64 table_stride,
                  const i64* indices, i64 rows, i64 columns) {
    each_stretch(share, rows, columns, [&](i64 row, i64 begin, i64 end) {
      std::memcpy(out + row * out_stride + begin, table + indices[row] * table_stride + begin,
                  static_cast<std::size_t>(end - begin) * sizeof(T));
    });
  }
};

}  // namespace

CpuFunctions embedding() {
  return cpu_functions<Embedding>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
