// SPDX-License-Identifier: MIT
#include <algorithm>

#include "graph/pass.h"

namespace hipwright::graph::passes {

namespace {

Result<Applied> apply(Graph& graph, const PassContext&) {
  std::vector<bool> is_used(graph.values.size());
  for (const ValueId id : graph.outputs) is_used[id] = true;
  Applied applied;
  std::vector<Node> kept;
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    Node& node = graph.nodes[i];
    const bool lives = std::ranges::any_of(
        node.outputs, [&](ValueId id) { return id != kNoValue && is_used[id]; });
    if (!lives) {
      applied.nodes.push_back(node_text(node));
      continue;
    }
    for (const ValueId id : node.inputs)
      if (id != kNoValue) is_used[id] = true;
    kept.push_back(std::move(node));
  }
  std::ranges::reverse(kept);
  graph.nodes = std::move(kept);
  graph.compact();
  return applied;
}

}  // namespace

Pass dead_code() {
  return {"remove nodes whose results are unused", Level::kConservative, 900, 0, apply};
}

}  // namespace hipwright::graph::passes
