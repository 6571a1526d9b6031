// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void bias_activation(Kernels& kernels, const Matrix& out, const ConstMatrix& x,
                     const ConstMatrix& bias, Activation activation, const Stream& stream) {
  Call(kernels, "bias_activation", "out", out)
      .matrix("out", out)
      .matrix("x", x)
      .vector("bias", bias)
      .elements(stream, {.joins_rows = false}, static_cast<std::int32_t>(activation));
}

}  // namespace hipwright::kernels
