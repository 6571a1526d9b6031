// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void add_rms_norm(Kernels& kernels, const Matrix& out, const Matrix& sum, const ConstMatrix& x,
                  const ConstMatrix& residual, const ConstMatrix& weight, float epsilon,
                  const Stream& stream) {
  Call(kernels, "add_rms_norm", "out", out)
      .matrix("out", out)
      .matrix("sum", sum)
      .matrix("x", x)
      .matrix("residual", residual)
      .vector("weight", weight)
      .rows(stream, epsilon);
}

}  // namespace hipwright::kernels
