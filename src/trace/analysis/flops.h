// SPDX-License-Identifier: MIT
// How much work an operation is, computed from its shapes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::trace {

using Shape = std::vector<std::int64_t>;

// "[[4,3],[],[5]]"; an input that is not a tensor has no dimensions.
std::vector<Shape> parse_shapes(std::string_view text);
std::vector<std::string> split_text(std::string_view text, char separator);

struct OpCall {
  std::string_view name;
  std::vector<Shape> shapes;
  std::vector<std::string> types;
  std::vector<std::string> arguments;  // texts of the scalars, empty where not recorded
};

struct Work {
  double flops = 0;  // 0: not a matter of arithmetic
  double bytes = 0;  // the least that must be read and written: each operand once
};
// Empty: the operation or its shapes are not known.
std::optional<Work> work_of(const OpCall& call);

struct GemmShape {
  std::int64_t batch = 1, m = 0, n = 0, k = 0;
  std::string type;  // as PyTorch names it
  bool has_bias = false;
  friend auto operator<=>(const GemmShape&, const GemmShape&) = default;
};
// C[m,n] = A[m,k]·B[k,n], m as PyTorch counts: rows of the activations.
std::optional<GemmShape> gemm_of(const OpCall& call);

}  // namespace hipwright::trace
