// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void quantize_fp8(Kernels& kernels, const Matrix& out, const ConstMatrix& x,
                  const ConstMatrix& scales, Fp8 format, const Stream& stream) {
  Call(kernels, "quantize_fp8", "x", x)
      .table("out", out, {{storage_of(format)}, x.rows, x.columns})
      .matrix("x", x)
      .scales(scales)
      .elements(stream, {.joins_rows = scales.rows == 1}, static_cast<std::int32_t>(format));
}

}  // namespace hipwright::kernels
