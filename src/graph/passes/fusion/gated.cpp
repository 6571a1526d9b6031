// SPDX-License-Identifier: MIT
// silu(gate) · up and gelu(gate) · up
#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

Result<Applied> apply(Graph& graph, const PassContext&) {
  return rewrite_nodes(graph, "Mul", [&](const Matcher& matcher, Node& node) {
    for (const std::size_t side : {0, 1}) {
      const Node* silu = matcher.inner(node.input(side), "Silu");
      const Node* gelu = matcher.inner(node.input(side), "Gelu");
      const Node* activation = silu != nullptr ? silu : gelu;
      if (activation == nullptr) continue;
      const ValueId gate = activation->input(0), up = node.input(1 - side);
      const Type &a = graph.values[gate].type, &b = graph.values[up].type;
      // Neither repeats the other.
      if (!broadcasts_into(a, b) || !broadcasts_into(b, a)) continue;
      const std::string form = activation->text("approximate", "none");
      const bool is_gelu = silu == nullptr;
      node = own_node(node, is_gelu ? "GeluMul" : "SiluMul", {gate, up});
      if (is_gelu) node.attributes["approximate"] = form;
      return true;
    }
    return false;
  });
}

}  // namespace

Pass gated() {
  return {"fuse silu(gate) · up and gelu(gate) · up", Level::kBalanced, 500, 1e-5, apply};
}

}  // namespace hipwright::graph::passes
