// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void rms_norm(Kernels& kernels, const Matrix& out, const ConstMatrix& x, const ConstMatrix& weight,
              float epsilon, const Stream& stream) {
  Call(kernels, "rms_norm", "out", out)
      .matrix("out", out)
      .matrix("x", x)
      .vector("weight", weight)
      .rows(stream, epsilon);
}

}  // namespace hipwright::kernels
