// SPDX-License-Identifier: MIT
// x / √(mean(x²) + ε) · weight
#include "graph/passes/norms.h"

namespace hipwright::graph::passes {

namespace {

Result<Applied> apply(Graph& graph, const PassContext&) {
  return rewrite_nodes(graph, "Mul", [&](const Matcher& matcher, Node& node) {
    for (const std::size_t side : {0, 1}) {
      const ValueId weight = node.input(1 - side);
      const auto rows = normalized_rows(graph, matcher, node.input(side));
      if (!rows || !is_row_of(graph, weight, rows->x)) continue;
      node = own_node(node, "RMSNormalization", {rows->x, weight});
      node.attributes["axis"] = std::int64_t{-1};
      node.attributes["epsilon"] = static_cast<float>(rows->epsilon);
      return true;
    }
    return false;
  });
}

}  // namespace

Pass rms_norm() {
  return {"recognize x / √(mean(x²) + ε) · weight as RMSNorm", Level::kConservative, 310, 1e-5,
          apply};
}

}  // namespace hipwright::graph::passes
