// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void layer_norm(Kernels& kernels, const Matrix& out, const ConstMatrix& x,
                const ConstMatrix& weight, const ConstMatrix& bias, float epsilon,
                const Stream& stream) {
  Call(kernels, "layer_norm", "out", out)
      .matrix("out", out)
      .matrix("x", x)
      .vector("weight", weight)
      .vector("bias", bias)
      .rows(stream, epsilon);
}

}  // namespace hipwright::kernels
