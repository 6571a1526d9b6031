// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op silu_mul() {
  return {.name = "silu_mul",
          .summary = "out = gate / (1 + exp(-gate)) · up",
          .tiles = element_tiles(),
          .operands = [](const Problem& p) -> std::vector<Operand> {
            return {
                {"out", Role::kOut, p.type, p.rows, p.columns, verify::Operation::kTranscendental},
                {"gate", Role::kIn, p.type, p.rows, p.columns},
                {"up", Role::kIn, p.type, p.rows, p.columns}};
          },
          .run =
              [](Kernels& kernels, const Problem&, std::span<const Matrix> operands,
                 const Stream& stream) {
                silu_mul(kernels, operands[0], operands[1], operands[2], stream);
              },
          .parts = {"activation"}};
}

}  // namespace hipwright::kernels
