// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op add_rms_norm() {
  return {.name = "add_rms_norm",
          .summary = "sum = x + residual; out = rms_norm(sum)",
          .tiles = row_tiles(),
          .operands = [](const Problem& p) -> std::vector<Operand> {
            return {{"out", Role::kOut, p.type, p.rows, p.columns, verify::Operation::kReduction},
                    {"residual", Role::kInPlace, p.type, p.rows, p.columns},
                    {"x", Role::kIn, p.type, p.rows, p.columns},
                    {"weight", Role::kIn, p.type, 1, p.columns}};
          },
          .run =
              [](Kernels& kernels, const Problem&, std::span<const Matrix> operands,
                 const Stream& stream) {
                add_rms_norm(kernels, operands[0], operands[1], operands[2], operands[1],
                             operands[3], 1e-6f, stream);
              }};
}

}  // namespace hipwright::kernels
