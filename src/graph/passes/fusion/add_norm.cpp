// SPDX-License-Identifier: MIT
// The norm of a sum, with the sum as second result.
#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

bool is_last_axis(const Graph& graph, const Node& norm) {
  const auto& shape = graph.values[norm.input(0)].type.shape;
  const std::int64_t axis = norm.integer("axis", -1);
  return shape && (axis == -1 || axis == static_cast<std::int64_t>(shape->size()) - 1);
}

// The norm becomes the node that also adds, at the place of the addition; what it needs besides is
// constant, so that it can be there.
bool fuse(Graph& graph, std::size_t norm_at, const Uses& uses) {
  const Node norm = graph.nodes[norm_at];
  const bool is_rms = norm.op == "RMSNormalization";
  if ((!is_rms && norm.op != "LayerNormalization") || norm.outputs.size() != 1) return false;
  for (std::size_t i = 1; i < norm.inputs.size(); ++i)
    if (graph.constant(norm.inputs[i]) == nullptr) return false;
  const ValueId sum = norm.input(0);
  if (sum == kNoValue || uses.producer[sum] < 0 || !is_last_axis(graph, norm)) return false;
  const auto add_at = static_cast<std::size_t>(uses.producer[sum]);
  const Node add = graph.nodes[add_at];
  if (add.op != "Add" || !add.domain.empty()) return false;
  const Type &a = graph.values[add.input(0)].type, &b = graph.values[add.input(1)].type;
  if (!broadcasts_into(a, b) || !broadcasts_into(b, a) || !is_float(a.element)) return false;
  Node fused = own_node(norm, is_rms ? "AddRMSNormalization" : "AddLayerNormalization",
                        {add.input(0), add.input(1)});
  fused.inputs.insert(fused.inputs.end(), norm.inputs.begin() + 1, norm.inputs.end());
  fused.outputs = {norm.outputs[0], sum};
  fused.attributes["epsilon"] = norm.number("epsilon", 1e-5F);
  graph.nodes[add_at] = std::move(fused);
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(norm_at));
  return true;
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  Applied applied;
  for (bool changes = true; changes;) {
    changes = false;
    const Uses uses(graph);
    for (std::size_t i = 0; i < graph.nodes.size() && !changes; ++i) {
      const std::string name = node_text(graph.nodes[i]);
      changes = fuse(graph, i, uses);
      if (changes) applied.nodes.push_back(name);
    }
  }
  return applied;
}

}  // namespace

Pass add_norm() {
  return {"fuse a residual addition with the norm behind it", Level::kBalanced, 530, 1e-5, apply};
}

}  // namespace hipwright::graph::passes
