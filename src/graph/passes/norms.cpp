// SPDX-License-Identifier: MIT
#include "graph/passes/norms.h"

namespace hipwright::graph {

bool is_row_mean(const Graph& graph, const Node& node) {
  if (node.integer("keepdims", 1) == 0) return false;
  auto axes = node.integers("axes");
  if (const Tensor* given = graph.constant(node.input(1))) axes = int64s_of(*given);
  const auto& shape = graph.values[node.input(0)].type.shape;
  if (!axes || axes->size() != 1 || !shape) return false;
  return (*axes)[0] == -1 || (*axes)[0] == static_cast<std::int64_t>(shape->size()) - 1;
}

namespace {

// x², where the value is that.
ValueId squared(const Matcher& matcher, ValueId value) {
  if (const Node* power = matcher.inner(value, "Pow"))
    return matcher.is_scalar(power->input(1), 2) ? power->input(0) : kNoValue;
  if (const Node* mul = matcher.inner(value, "Mul"))
    return mul->input(0) == mul->input(1) ? mul->input(0) : kNoValue;
  return kNoValue;
}

std::optional<Spread> root(const Graph& graph, const Matcher& matcher, ValueId value) {
  const Node* sqrt = matcher.inner(value, "Sqrt");
  const Node* add = sqrt == nullptr ? nullptr : matcher.inner(sqrt->input(0), "Add");
  if (add == nullptr) return std::nullopt;
  const auto epsilon = matcher.with_scalar(*add);
  const Node* mean = epsilon ? matcher.inner(epsilon->value, "ReduceMean") : nullptr;
  if (mean == nullptr || !is_row_mean(graph, *mean)) return std::nullopt;
  const ValueId x = squared(matcher, mean->input(0));
  if (x == kNoValue) return std::nullopt;
  return Spread{x, epsilon->number};
}

std::optional<Spread> reciprocal_root(const Graph& graph, const Matcher& matcher, ValueId value) {
  if (const Node* reciprocal = matcher.inner(value, "Reciprocal"))
    return root(graph, matcher, reciprocal->input(0));
  if (const Node* div = matcher.inner(value, "Div"))
    if (matcher.is_scalar(div->input(0), 1)) return root(graph, matcher, div->input(1));
  return std::nullopt;
}

}  // namespace

std::optional<Spread> normalized_rows(const Graph& graph, const Matcher& matcher, ValueId value) {
  if (const Node* div = matcher.inner(value, "Div")) {
    const auto spread = root(graph, matcher, div->input(1));
    if (spread && spread->x == div->input(0)) return spread;
  }
  if (const Node* mul = matcher.inner(value, "Mul"))
    for (const std::size_t side : {0, 1}) {
      const auto spread = reciprocal_root(graph, matcher, mul->input(side));
      if (spread && spread->x == mul->input(1 - side)) return spread;
    }
  return std::nullopt;
}

bool is_row_of(const Graph& graph, ValueId row, ValueId x) {
  if (row == kNoValue || x == kNoValue) return false;
  const Type &row_type = graph.values[row].type, &type = graph.values[x].type;
  return row_type.shape && row_type.shape->size() == 1 && broadcasts_into(row_type, type) &&
         row_type.shape->front() == type.shape->back();
}

}  // namespace hipwright::graph
