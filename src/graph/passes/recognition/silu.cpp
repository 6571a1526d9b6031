// SPDX-License-Identifier: MIT
// x · sigmoid(x)
#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

Result<Applied> apply(Graph& graph, const PassContext&) {
  return rewrite_nodes(graph, "Mul", [&](const Matcher& matcher, Node& node) {
    for (const std::size_t side : {0, 1}) {
      const Node* sigmoid = matcher.inner(node.input(side), "Sigmoid");
      if (sigmoid == nullptr || sigmoid->input(0) != node.input(1 - side)) continue;
      node = own_node(node, "Silu", {sigmoid->input(0)});
      return true;
    }
    return false;
  });
}

}  // namespace

Pass silu() {
  return {"recognize x · sigmoid(x) as SiLU", Level::kConservative, 300, 1e-5, apply};
}

}  // namespace hipwright::graph::passes
