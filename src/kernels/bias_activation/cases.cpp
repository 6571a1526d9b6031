// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op bias_activation() {
  return {.name = "bias_activation",
          .summary = "out = activation(x + bias)",
          .tiles = element_tiles(),
          .variants = {"none", "relu", "silu", "gelu_erf", "gelu_tanh"},
          .operands = [](const Problem& p) -> std::vector<Operand> {
            return {
                {"out", Role::kOut, p.type, p.rows, p.columns, verify::Operation::kTranscendental},
                {"x", Role::kIn, p.type, p.rows, p.columns},
                {"bias", Role::kIn, p.type, 1, p.columns}};
          },
          .run =
              [](Kernels& kernels, const Problem& problem, std::span<const Matrix> operands,
                 const Stream& stream) {
                bias_activation(kernels, operands[0], operands[1], operands[2],
                                static_cast<Activation>(problem.variant), stream);
              },
          .parts = {"activation"}};
}

}  // namespace hipwright::kernels
