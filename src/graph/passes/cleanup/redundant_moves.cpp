// SPDX-License-Identifier: MIT
// Copies, casts, transposes and reshapes that change nothing, or that undo or repeat another.
#include <algorithm>

#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

bool is_known(const Type& type) {
  return type.shape && dims_of(*type.shape);
}

// The value that a node copies without any change; kNoValue: it changes something.
ValueId copied(const Graph& graph, const Node& node) {
  if (!node.domain.empty() || node.outputs.size() != 1) return kNoValue;
  const Type& from = graph.values[node.input(0)].type;
  const Type& to = graph.values[node.outputs[0]].type;
  if (node.op == "Identity") return node.input(0);
  if (node.op == "Cast")
    return from.element == to.element && from.element != ElementType::kUndefined ? node.input(0)
                                                                                 : kNoValue;
  if (node.op == "Reshape" || node.op == "Expand" || node.op == "Flatten")
    return is_known(from) && from == to ? node.input(0) : kNoValue;
  if (node.op == "Transpose") {
    const auto perm = node.integers("perm");
    return perm && std::ranges::is_sorted(*perm) ? node.input(0) : kNoValue;
  }
  return kNoValue;
}

// A transpose of a transpose is one transpose; a reshape of a reshape is the second alone.
bool join(const Graph& graph, const Matcher& matcher, Node& node) {
  if (!node.domain.empty()) return false;
  const Node* first = matcher.inner(node.input(0), node.op);
  if (first == nullptr || first == &node || !first->domain.empty()) return false;
  if (node.op == "Transpose") {
    const auto a = first->integers("perm"), b = node.integers("perm");
    if (!a || !b || a->size() != b->size()) return false;
    std::vector<std::int64_t> both;
    for (const std::int64_t axis : *b) both.push_back((*a)[static_cast<std::size_t>(axis)]);
    node.attributes["perm"] = both;
  } else if (node.op == "Reshape") {
    // A 0 would copy another dimension than before.
    const Tensor* wanted = graph.constant(node.input(1));
    if (wanted == nullptr || std::ranges::count(int64s_of(*wanted), 0) != 0) return false;
  } else {
    return false;
  }
  node.inputs[0] = first->inputs[0];
  return true;
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  return rewrite_nodes(graph, "", [&](const Matcher& matcher, Node& node) {
    if (node.inputs.empty() || node.input(0) == kNoValue || node.outputs.empty()) return false;
    const ValueId from = copied(graph, node);
    if (from == kNoValue) return join(graph, matcher, node);
    // An output of the graph keeps its name.
    if (matcher.uses().is_output[node.outputs[0]] || matcher.uses().users[node.outputs[0]].empty())
      return false;
    graph.replace_uses(node.outputs[0], from);
    return true;
  });
}

}  // namespace

Pass redundant_moves() {
  return {"remove copies, casts, transposes and reshapes without effect", Level::kConservative, 150,
          0, apply};
}

}  // namespace hipwright::graph::passes
