// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void silu_mul(Kernels& kernels, const Matrix& out, const ConstMatrix& gate, const ConstMatrix& up,
              const Stream& stream) {
  Call(kernels, "silu_mul", "out", out)
      .matrix("out", out)
      .matrix("gate", gate)
      .matrix("up", up)
      .elements(stream, {});
}

}  // namespace hipwright::kernels
