// SPDX-License-Identifier: MIT
#include "kernels/cpu.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

namespace {

struct SiluMul {
  template <class T, class Real>
  static void run(Share share, T* out, i64 out_stride, const T* gate, i64 gate_stride, const T* up,
                  i64 up_stride, i64 rows, i64 columns) {
    each_stretch(share, rows, columns, [&](i64 row, i64 begin, i64 end) {
      const T* const gates = gate + row * gate_stride;
      const T* const ups = up + row * up_stride;
      T* const to = out + row * out_stride;
      for (i64 c = begin; c < end; ++c)
        narrow(to[c], silu(real<Real>(gates[c])) * real<Real>(ups[c]));
    });
  }
};

}  // namespace

CpuFunctions silu_mul() {
  return cpu_functions<SiluMul>();
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
