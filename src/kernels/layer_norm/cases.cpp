// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op layer_norm() {
  return {.name = "layer_norm",
          .summary = "out = (x - mean(x)) / sqrt(variance(x) + epsilon) · weight + bias",
          .tiles = row_tiles(),
          .operands = [](const Problem& p) -> std::vector<Operand> {
            return {{"out", Role::kOut, p.type, p.rows, p.columns, verify::Operation::kReduction},
                    {"x", Role::kIn, p.type, p.rows, p.columns},
                    {"weight", Role::kIn, p.type, 1, p.columns},
                    {"bias", Role::kIn, p.type, 1, p.columns}};
          },
          .run =
              [](Kernels& kernels, const Problem&, std::span<const Matrix> operands,
                 const Stream& stream) {
                layer_norm(kernels, operands[0], operands[1], operands[2], operands[3], 1e-5f,
                           stream);
              }};
}

}  // namespace hipwright::kernels
