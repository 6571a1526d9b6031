// SPDX-License-Identifier: MIT
// Keys and values that are repeated for every head of a group: Reshape(Expand(Unsqueeze(x))).
// Attention reads them unrepeated.
#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

// [batch, groups, columns, d], where `value` is that with each group repeated.
ValueId unrepeated(const Graph& graph, const Matcher& matcher, ValueId value) {
  const Node* reshape = matcher.producer(value, "Reshape");
  const Node* expand = reshape == nullptr ? nullptr : matcher.producer(reshape->input(0), "Expand");
  const Node* unsqueeze =
      expand == nullptr ? nullptr : matcher.producer(expand->input(0), "Unsqueeze");
  if (unsqueeze == nullptr) return kNoValue;
  const Tensor* axes = graph.constant(unsqueeze->input(1));
  const ValueId x = unsqueeze->input(0);
  const auto& from = graph.values[x].type.shape;
  const auto& wide = graph.values[expand->outputs[0]].type.shape;
  const auto& to = graph.values[value].type.shape;
  if (axes == nullptr || int64s_of(*axes) != std::vector<std::int64_t>{2} || !from || !wide ||
      !to || from->size() != 4 || wide->size() != 5 || to->size() != 4)
    return kNoValue;
  const Dim &groups = (*from)[1], &repeats = (*wide)[2], &heads = (*to)[1];
  const bool repeats_groups = groups.is_known() && repeats.is_known() && heads.is_known() &&
                              groups.size * repeats.size == heads.size;
  // The other dimensions stay: Expand changes only the one put in, Reshape joins it with the
  // groups.
  for (const std::size_t i : {0, 2, 3})
    if ((*from)[i] != (*to)[i]) return kNoValue;
  return repeats_groups && (*wide)[1] == groups ? x : kNoValue;
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  return rewrite_nodes(graph, "Attention", [&](const Matcher& matcher, Node& node) {
    if (node.domain != kOwnDomain) return false;
    const ValueId k = unrepeated(graph, matcher, node.input(1));
    const ValueId v = unrepeated(graph, matcher, node.input(2));
    if (k == kNoValue || v == kNoValue ||
        (*graph.values[k].type.shape)[1] != (*graph.values[v].type.shape)[1])
      return false;
    node.inputs[1] = k;
    node.inputs[2] = v;
    return true;
  });
}

}  // namespace

Pass repeat_kv() {
  return {"read grouped keys and values in attention without repeating them", Level::kBalanced, 410,
          1e-5, apply};
}

}  // namespace hipwright::graph::passes
