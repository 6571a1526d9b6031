// SPDX-License-Identifier: MIT
// (x - mean(x)) / √(variance(x) + ε) · weight + bias
#include "graph/passes/norms.h"

namespace hipwright::graph::passes {

namespace {

// x, where the value is x - mean(x).
ValueId centred(const Graph& graph, const Matcher& matcher, ValueId value) {
  const Node* sub = matcher.producer(value, "Sub");
  const Node* mean = sub == nullptr ? nullptr : matcher.producer(sub->input(1), "ReduceMean");
  if (mean == nullptr || mean->input(0) != sub->input(0) || !is_row_mean(graph, *mean))
    return kNoValue;
  return sub->input(0);
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  return rewrite_nodes(graph, "Add", [&](const Matcher& matcher, Node& node) {
    for (const std::size_t side : {0, 1}) {
      const ValueId bias = node.input(1 - side);
      const Node* scaled = matcher.inner(node.input(side), "Mul");
      if (scaled == nullptr) continue;
      for (const std::size_t inner : {0, 1}) {
        const ValueId weight = scaled->input(1 - inner);
        const auto rows = normalized_rows(graph, matcher, scaled->input(inner));
        const ValueId x = rows ? centred(graph, matcher, rows->x) : kNoValue;
        if (x == kNoValue || !is_row_of(graph, weight, x) || !is_row_of(graph, bias, x)) continue;
        node = own_node(node, "LayerNormalization", {x, weight, bias});
        node.attributes["axis"] = std::int64_t{-1};
        node.attributes["epsilon"] = static_cast<float>(rows->epsilon);
        return true;
      }
    }
    return false;
  });
}

}  // namespace

Pass layer_norm() {
  return {"recognize (x - mean) / √(variance + ε) · weight + bias as LayerNorm",
          Level::kConservative, 305, 1e-4, apply};
}

}  // namespace hipwright::graph::passes
