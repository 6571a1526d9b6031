// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernels/op.h"

namespace hipwright::kernels {

Op embedding() {
  return {.name = "embedding",
          .summary = "out[row] = table[indices[row]]",
          .tiles = element_tiles(),
          .operands = [](const Problem& p) -> std::vector<Operand> {
            // At least as many as are read, for the fewest bytes; of them 29 are.
            const std::int64_t table_rows = std::max<std::int64_t>(p.rows, 29);
            return {{"out", Role::kOut, p.type, p.rows, p.columns, verify::Operation::kCopy},
                    {"table", Role::kIn, p.type, table_rows, p.columns},
                    {"indices", Role::kIn, DataType::kI64, 1, p.rows, verify::Operation::kCopy,
                     "integers(0, 29)"}};
          },
          .run =
              [](Kernels& kernels, const Problem&, std::span<const Matrix> operands,
                 const Stream& stream) {
                embedding(kernels, operands[0], operands[1], operands[2], stream);
              }};
}

}  // namespace hipwright::kernels
