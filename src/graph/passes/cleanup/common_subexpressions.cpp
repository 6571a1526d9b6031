// SPDX-License-Identifier: MIT
#include <map>
#include <tuple>

#include "graph/pass.h"

namespace hipwright::graph::passes {

namespace {

// Tensors in attributes are compared by their bytes' address: copies share them.
bool is_same(const Node& a, const Node& b) {
  return a.op == b.op && a.domain == b.domain && a.inputs == b.inputs &&
         a.outputs.size() == b.outputs.size() && a.attributes == b.attributes;
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  Applied applied;
  const std::vector<bool> is_output = Uses(graph).is_output;
  std::map<std::tuple<std::string, std::string, std::vector<ValueId>>, std::vector<std::size_t>>
      seen;
  std::vector<Node> kept;
  std::vector<ValueId> replacement(graph.values.size());
  for (std::size_t i = 0; i < replacement.size(); ++i) replacement[i] = static_cast<ValueId>(i);
  for (Node& node : graph.nodes) {
    for (ValueId& id : node.inputs)
      if (id != kNoValue) id = replacement[id];
    auto& candidates = seen[{node.domain, node.op, node.inputs}];
    const Node* same = nullptr;
    for (const std::size_t index : candidates)
      if (is_same(kept[index], node)) same = &kept[index];
    bool makes_all = same != nullptr;
    for (std::size_t i = 0; makes_all && i < node.outputs.size(); ++i)
      makes_all = node.outputs[i] == kNoValue || same->outputs[i] != kNoValue;
    bool can_replace = makes_all;
    // Outputs of the graph keep their names, so the node stays.
    for (const ValueId own : node.outputs) can_replace &= own == kNoValue || !is_output[own];
    if (!can_replace) {
      if (!makes_all) candidates.push_back(kept.size());
      kept.push_back(std::move(node));
      continue;
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      if (node.outputs[i] != kNoValue) replacement[node.outputs[i]] = same->outputs[i];
    applied.nodes.push_back(node_text(node));
  }
  graph.nodes = std::move(kept);
  return applied;
}

}  // namespace

Pass common_subexpressions() {
  return {"compute equal nodes once", Level::kConservative, 200, 0, apply};
}

}  // namespace hipwright::graph::passes
