// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void gelu_mul(Kernels& kernels, const Matrix& out, const ConstMatrix& gate, const ConstMatrix& up,
              Gelu form, const Stream& stream) {
  Call(kernels, "gelu_mul", "out", out)
      .matrix("out", out)
      .matrix("gate", gate)
      .matrix("up", up)
      .elements(stream, {}, static_cast<std::int32_t>(form == Gelu::kTanh));
}

}  // namespace hipwright::kernels
