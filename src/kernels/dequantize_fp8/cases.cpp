// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op dequantize_fp8() {
  return {.name = "dequantize_fp8",
          .summary = "out = x · scale",
          .tiles = wide_element_tiles(),
          .variants = {"e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz"},
          .operands = [](const Problem& p) -> std::vector<Operand> {
            const DataType narrow =
                storage_of(static_cast<Fp8>(p.variant));  // One scale, or one for each row.
            const std::int64_t scales = p.rows % 2 == 0 ? p.rows : 1;
            return {{"out", Role::kOut, p.type, p.rows, p.columns},
                    {"x", Role::kIn, narrow, p.rows, p.columns},
                    {"scales", Role::kIn, DataType::kF32, scales, 1, verify::Operation::kCopy,
                     "uniform(0.001, 0.02)"}};
          },
          .run =
              [](Kernels& kernels, const Problem& problem, std::span<const Matrix> operands,
                 const Stream& stream) {
                dequantize_fp8(kernels, operands[0], operands[1], operands[2],
                               static_cast<Fp8>(problem.variant), stream);
              }};
}

}  // namespace hipwright::kernels
