// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void quantize_fp8_rows(Kernels& kernels, const Matrix& out, const Matrix& scales,
                       const ConstMatrix& x, Fp8 format, const Stream& stream, float limit) {
  Call call(kernels, "quantize_fp8_rows", "x", x);
  if (scales.rows != x.rows)
    call.reject("scales", "are not one for each row", "Pass a column of F32.");
  if (limit == 0) limit = largest_scaled(format);
  if (!(limit > 0)) call.reject("limit", "is not greater than 0", "Pass 0 for the default.");
  call.table("out", out, {{storage_of(format)}, x.rows, x.columns})
      .scales(scales)
      .matrix("x", x)
      .rows(stream, static_cast<std::int32_t>(format), limit);
}

}  // namespace hipwright::kernels
