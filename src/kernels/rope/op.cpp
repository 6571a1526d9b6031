// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void rope(Kernels& kernels, const Matrix& out, const ConstMatrix& x, const ConstMatrix& positions,
          const ConstMatrix& cosines, const ConstMatrix& sines, std::int64_t heads, Rope form,
          const Stream& stream) {
  Call call(kernels, "rope", "out", out);
  if (heads <= 0 || out.columns % (2 * heads) != 0)
    call.reject("heads", "do not divide the columns into an even number each",
                "A row has heads · head size columns.");
  const std::int64_t half_head = out.columns / (2 * heads);
  const std::int64_t rotated = cosines.columns;
  if (rotated > half_head || out.columns > (std::int64_t{1} << 30))
    call.reject("cosines", "have more columns than a head has pairs",
                "They have one column for each rotated pair.");
  const std::int64_t vector = 16 / static_cast<std::int64_t>(size_of(out.type));
  call.matrix("out", out)
      .matrix("x", x)
      .list("positions", positions, {{DataType::kI64}, 1, out.rows})
      .table("cosines", cosines, {{DataType::kF32}, cosines.rows, rotated})
      .table("sines", sines, {{DataType::kF32}, cosines.rows, rotated})
      .elements(stream,
                {.joins_rows = false,
                 .allows_vectors = rotated % vector == 0 && half_head % vector == 0,
                 .columns = heads * half_head},
                static_cast<std::int32_t>(half_head), static_cast<std::int32_t>(rotated),
                static_cast<std::int32_t>(form == Rope::kInterleaved));
}

}  // namespace hipwright::kernels
