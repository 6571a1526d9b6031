// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op rms_norm() {
  return {.name = "rms_norm",
          .summary = "out = x / sqrt(mean(x²) + epsilon) · weight",
          .tiles = row_tiles(),
          .operands = [](const Problem& p) -> std::vector<Operand> {
            return {{"out", Role::kOut, p.type, p.rows, p.columns, verify::Operation::kReduction},
                    {"x", Role::kIn, p.type, p.rows, p.columns},
                    {"weight", Role::kIn, p.type, 1, p.columns}};
          },
          .run =
              [](Kernels& kernels, const Problem&, std::span<const Matrix> operands,
                 const Stream& stream) {
                rms_norm(kernels, operands[0], operands[1], operands[2], 1e-6f, stream);
              }};
}

}  // namespace hipwright::kernels
