// SPDX-License-Identifier: MIT
#include "kernels/op.h"

namespace hipwright::kernels {

Op cache_write() {
  return {.name = "cache_write",
          .summary = "k_cache[slots[row]] = k[row]; v_cache[slots[row]] = v[row]",
          .tiles = element_tiles(),
          .operands = [](const Problem& p) -> std::vector<Operand> {
            constexpr auto kCopy = verify::Operation::kCopy;
            // As many slots as rows, in another order.
            return {{"k_cache", Role::kOut, p.type, p.rows, p.columns, kCopy},
                    {"v_cache", Role::kOut, p.type, p.rows, p.columns, kCopy},
                    {"k", Role::kIn, p.type, p.rows, p.columns},
                    {"v", Role::kIn, p.type, p.rows, p.columns},
                    {"slots", Role::kIn, DataType::kI64, 1, p.rows, kCopy, "permutation"}};
          },
          .run =
              [](Kernels& kernels, const Problem&, std::span<const Matrix> operands,
                 const Stream& stream) {
                cache_write(kernels, operands[0], operands[1], operands[2], operands[3],
                            operands[4], stream);
              }};
}

}  // namespace hipwright::kernels
