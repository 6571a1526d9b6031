// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void add_layer_norm(Kernels& kernels, const Matrix& out, const Matrix& sum, const ConstMatrix& x,
                    const ConstMatrix& residual, const ConstMatrix& weight, const ConstMatrix& bias,
                    float epsilon, const Stream& stream) {
  Call(kernels, "add_layer_norm", "out", out)
      .matrix("out", out)
      .matrix("sum", sum)
      .matrix("x", x)
      .matrix("residual", residual)
      .vector("weight", weight)
      .vector("bias", bias)
      .rows(stream, epsilon);
}

}  // namespace hipwright::kernels
