// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernels/op.h"

namespace hipwright::kernels {

namespace {

constexpr std::int64_t kPositions = 37;

// Heads of a problem whose columns may be odd.
struct Heads {
  std::int64_t count, size, rotated_pairs;
  explicit Heads(const Problem& p)
      : count(p.columns >= 512 ? p.columns / 128 : 1),
        size(std::max<std::int64_t>(p.columns / count / 2, 1) * 2),
        // Of two rows, half of each head only.
        rotated_pairs(p.rows == 2 ? size / 4 : size / 2) {}
};

}  // namespace

Op rope() {
  return {.name = "rope",
          .summary = "(a, b) = (a · cos - b · sin, b · cos + a · sin)",
          .tiles = element_tiles(),
          .variants = {"halves", "interleaved"},
          .operands = [](const Problem& p) -> std::vector<Operand> {
            const Heads heads(p);
            constexpr auto kAngles = "uniform(-1, 1)";
            return {{"x", Role::kInPlace, p.type, p.rows, heads.count * heads.size},
                    {"positions", Role::kIn, DataType::kI64, 1, p.rows, verify::Operation::kCopy,
                     "integers(0, 37)"},
                    {"cosines", Role::kIn, DataType::kF32, kPositions, heads.rotated_pairs,
                     verify::Operation::kCopy, kAngles},
                    {"sines", Role::kIn, DataType::kF32, kPositions, heads.rotated_pairs,
                     verify::Operation::kCopy, kAngles}};
          },
          .run =
              [](Kernels& kernels, const Problem& problem, std::span<const Matrix> operands,
                 const Stream& stream) {
                rope(kernels, operands[0], operands[0], operands[1], operands[2], operands[3],
                     Heads(problem).count,
                     problem.variant == 0 ? Rope::kHalves : Rope::kInterleaved, stream);
              }};
}

}  // namespace hipwright::kernels
