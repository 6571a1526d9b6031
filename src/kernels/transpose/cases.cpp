// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "kernels/op.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

namespace {

std::vector<Instance> instances(const Chip&) {
  std::vector<Instance> instances;
  for (const DataType type : element_types())
    for (const unsigned vector : {1U, 16 / static_cast<unsigned>(size_of(type))}) {
      const std::string symbol = fmt::format("transpose_{}_{}", verify::short_name(type), vector);
      instances.push_back({"", symbol,
                           fmt::format("HIPWRIGHT_TRANSPOSE({}, {}, {})\n", symbol,
                                       verify::short_name(type), vector)});
    }
  return instances;
}

std::vector<Problem> problems() {
  struct Size {
    std::int64_t rows, columns;
    Layout layout;
  };
  constexpr Size kSizes[] = {
      {1, 1, Layout::kPacked},    {5, 3, Layout::kUnaligned}, {1, 200, Layout::kPadded},
      {72, 136, Layout::kPacked}, {64, 64, Layout::kPadded},  {129, 65, Layout::kUnaligned},
      {520, 8, Layout::kPadded},
  };
  std::vector<Problem> problems;
  for (const Size& size : kSizes)
    for (const DataType type : element_types())
      problems.push_back({type, size.rows, size.columns, size.layout});
  return problems;
}

}  // namespace

Op transpose() {
  return {.name = "transpose",
          .summary = "out = xᵀ",
          .operands = [](const Problem& p) -> std::vector<Operand> {
            return {{"out", Role::kOut, p.type, p.columns, p.rows, verify::Operation::kCopy},
                    {"x", Role::kIn, p.type, p.rows, p.columns}};
          },
          .run = [](Kernels& kernels, const Problem&, std::span<const Matrix> operands,
                    const Stream& stream) { transpose(kernels, operands[0], operands[1], stream); },
          .instances = instances,
          .problems = problems};
}

}  // namespace hipwright::kernels
