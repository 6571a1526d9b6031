// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct ReduceRows {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_step, const T* x, i64 x_stride, i64 row_count,
                  int columns, int reduction) {
    const Rows rows(share, row_count);
    for (i64 row = rows.begin; row < rows.end; ++row) {
      const T* const from = x + row * x_stride;
      const auto term = [&](i64 c) { return real<Real>(from[c]); };
      const auto form = static_cast<Reduction>(reduction);
      Real value =
          form == Reduction::kMax ? largest<Real>(columns, term) : sum<Real>(columns, term);
      if (form == Reduction::kMean) value /= static_cast<Real>(columns);
      narrow(out[row * out_step], value);
    }
  }
};

}  // namespace

CpuFunctions reduce_rows() {
  return cpu_functions<ReduceRows>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
