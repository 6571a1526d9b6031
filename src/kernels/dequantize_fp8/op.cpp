// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void dequantize_fp8(Kernels& kernels, const Matrix& out, const ConstMatrix& x,
                    const ConstMatrix& scales, Fp8 format, const Stream& stream) {
  Call(kernels, "dequantize_fp8", "out", out)
      .matrix("out", out)
      .table("x", x, {{storage_of(format)}, out.rows, out.columns})
      .scales(scales)
      .elements(stream, {.joins_rows = scales.rows == 1}, static_cast<std::int32_t>(format));
}

}  // namespace hipwright::kernels
