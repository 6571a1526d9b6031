// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op gelu_mul() {
  return {.name = "gelu_mul",
          .summary = "out = gelu(gate) · up",
          .tiles = element_tiles(),
          .variants = {"erf", "tanh"},
          .operands = [](const Problem& p) -> std::vector<Operand> {
            return {
                {"out", Role::kOut, p.type, p.rows, p.columns, verify::Operation::kTranscendental},
                {"gate", Role::kIn, p.type, p.rows, p.columns},
                {"up", Role::kIn, p.type, p.rows, p.columns}};
          },
          .run =
              [](Kernels& kernels, const Problem& problem, std::span<const Matrix> operands,
                 const Stream& stream) {
                gelu_mul(kernels, operands[0], operands[1], operands[2],
                         problem.variant == 0 ? Gelu::kErf : Gelu::kTanh, stream);
              },
          .parts = {"activation"}};
}

}  // namespace hipwright::kernels
