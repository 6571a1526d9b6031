// SPDX-License-Identifier: MIT
// Copies, casts, transposes and reshapes that change nothing, or that undo or repeat another.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

bool is_known(const Type& type) {
  return type.shape && dims_of(*type.shape);
}

// Of a transpose that says one, with axes from 0 on.
std::optional<std::vector<std::size_t>> permutation(const Node& node) {
  const auto perm = node.integers("perm");
  if (!perm) return std::nullopt;
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : *perm)
    axes.push_back(axis < 0 ? perm->size() - static_cast<std::size_t>(-axis)
                            : static_cast<std::size_t>(axis));
  return axes;
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
    const auto perm = permutation(node);
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
    const auto a = permutation(*first), b = permutation(node);
    if (!a || !b || a->size() != b->size()) return false;
    std::vector<std::int64_t> both;
    for (const std::size_t axis : *b) both.push_back(static_cast<std::int64_t>((*a)[axis]));
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

// Users of a copy use what was copied. An output of the graph keeps its name.
void remove_copies(Graph& graph, Applied& applied) {
  const Uses uses(graph);
  std::vector<ValueId> replacement(graph.values.size());
  std::iota(replacement.begin(), replacement.end(), ValueId{0});
  for (Node& node : graph.nodes) {
    for (ValueId& id : node.inputs)
      if (id != kNoValue) id = replacement[id];
    if (node.inputs.empty() || node.input(0) == kNoValue || node.outputs.empty()) continue;
    const ValueId from = copied(graph, node), to = node.outputs[0];
    if (from == kNoValue || uses.is_output[to] || uses.users[to].empty()) continue;
    replacement[to] = from;
    applied.nodes.push_back(rewritten_name(graph, node));
  }
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  Applied applied;
  for (std::size_t before = 0;; before = applied.count()) {
    remove_copies(graph, applied);
    Applied joined = rewrite_nodes(graph, "", [&](const Matcher& matcher, Node& node) {
      return !node.inputs.empty() && node.input(0) != kNoValue && join(graph, matcher, node);
    });
    std::ranges::move(joined.nodes, std::back_inserter(applied.nodes));
    if (applied.count() == before) return applied;
  }
}

}  // namespace

Pass redundant_moves() {
  return {"remove copies, casts, transposes and reshapes without effect", Level::kConservative, 150,
          0, apply};
}

}  // namespace hipwright::graph::passes
