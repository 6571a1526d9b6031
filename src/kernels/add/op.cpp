// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void add(Kernels& kernels, const Matrix& out, const ConstMatrix& a, const ConstMatrix& b,
         const Stream& stream) {
  Call(kernels, "add", "out", out)
      .matrix("out", out)
      .matrix("a", a)
      .matrix("b", b)
      .elements(stream, {});
}

}  // namespace hipwright::kernels
