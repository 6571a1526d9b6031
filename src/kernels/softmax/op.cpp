// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void softmax(Kernels& kernels, const Matrix& out, const ConstMatrix& x, float scale,
             const Stream& stream) {
  Call call(kernels, "softmax", "out", out);
  if (!(scale > 0)) call.reject("scale", "is not greater than 0", "Pass 1 for a plain softmax.");
  call.matrix("out", out).matrix("x", x).rows(stream, scale);
}

}  // namespace hipwright::kernels
