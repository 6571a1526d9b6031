// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void reduce_rows(Kernels& kernels, const Matrix& out, const ConstMatrix& x, Reduction reduction,
                 const Stream& stream) {
  Call(kernels, "reduce_rows", "x", x)
      .column("out", out, x.type)
      .matrix("x", x)
      .rows(stream, static_cast<std::int32_t>(reduction));
}

}  // namespace hipwright::kernels
