// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op reduce_rows() {
  return {.name = "reduce_rows",
          .summary = "out[row] = the sum, the mean or the largest element of x[row]",
          .tiles = row_tiles(),
          .variants = {"sum", "mean", "max"},
          .operands = [](const Problem& p) -> std::vector<Operand> {
            return {{"out", Role::kOut, p.type, p.rows, 1, verify::Operation::kReduction},
                    {"x", Role::kIn, p.type, p.rows, p.columns, verify::Operation::kCopy,
                     "uniform(0, 1)"}};
          },
          .run =
              [](Kernels& kernels, const Problem& problem, std::span<const Matrix> operands,
                 const Stream& stream) {
                reduce_rows(kernels, operands[0], operands[1],
                            static_cast<Reduction>(problem.variant), stream);
              }};
}

}  // namespace hipwright::kernels
