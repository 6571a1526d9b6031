// SPDX-License-Identifier: MIT
#include "kernels/call.h"

namespace hipwright::kernels {

void embedding(Kernels& kernels, const Matrix& out, const ConstMatrix& table,
               const ConstMatrix& indices, const Stream& stream) {
  Call(kernels, "embedding", "out", out)
      .matrix("out", out)
      .table("table", table, {{out.type}, table.rows, out.columns})
      .list("indices", indices, {{DataType::kI64}, 1, out.rows})
      .elements(stream, {.joins_rows = false});
}

}  // namespace hipwright::kernels
