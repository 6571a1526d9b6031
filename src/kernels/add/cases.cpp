// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op add() {
  return {.name = "add",
          .summary = "out = a + b",
          .tiles = element_tiles(),
          .operands = [](const Problem& p) -> std::vector<Operand> {
            return {{"out", Role::kOut, p.type, p.rows, p.columns},
                    {"a", Role::kIn, p.type, p.rows, p.columns},
                    {"b", Role::kIn, p.type, p.rows, p.columns}};
          },
          .run =
              [](Kernels& kernels, const Problem&, std::span<const Matrix> operands,
                 const Stream& stream) {
                add(kernels, operands[0], operands[1], operands[2], stream);
              }};
}

}  // namespace hipwright::kernels
