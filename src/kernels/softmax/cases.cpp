// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op softmax() {
  return {
      .name = "softmax",
      .summary = "out = exp(scale · x) / sum(exp(scale · x))",
      .tiles = row_tiles(),
      .operands = [](const Problem& p) -> std::vector<Operand> {
        return {{"out", Role::kOut, p.type, p.rows, p.columns, verify::Operation::kTranscendental},
                {"x", Role::kIn, p.type, p.rows, p.columns}};
      },
      .run =
          [](Kernels& kernels, const Problem&, std::span<const Matrix> operands,
             const Stream& stream) { softmax(kernels, operands[0], operands[1], 0.5f, stream); }};
}

}  // namespace hipwright::kernels
