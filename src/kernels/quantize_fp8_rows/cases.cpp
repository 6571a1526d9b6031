// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op quantize_fp8_rows() {
  return {.name = "quantize_fp8_rows",
          .summary = "scale = max(|x|) / limit; out = x / scale",
          .tiles = row_tiles(),
          .variants = {"e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz"},
          .operands = [](const Problem& p) -> std::vector<Operand> {
            const DataType narrow = storage_of(static_cast<Fp8>(p.variant));
            return {{"out", Role::kOut, narrow, p.rows, p.columns},
                    {"scales", Role::kOut, DataType::kF32, p.rows, 1},
                    {"x", Role::kIn, p.type, p.rows, p.columns}};
          },
          .run =
              [](Kernels& kernels, const Problem& problem, std::span<const Matrix> operands,
                 const Stream& stream) {
                quantize_fp8_rows(kernels, operands[0], operands[1], operands[2],
                                  static_cast<Fp8>(problem.variant), stream);
              }};
}

}  // namespace hipwright::kernels
