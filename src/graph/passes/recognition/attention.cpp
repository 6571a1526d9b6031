// SPDX-License-Identifier: MIT
// softmax(q · kᵀ · scale + mask) · v, with four dimensions, becomes one node. Keys and values that
// are repeated for groups of heads are used unrepeated: that is the pass repeat_kv.
#include <cmath>

#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

bool has_four_dims(const Graph& graph, ValueId value) {
  const auto& shape = graph.values[value].type.shape;
  return shape && shape->size() == 4;
}

// A product with a number: its other factor. Otherwise the value itself.
struct Scaled {
  ValueId value;
  double scale = 1;
};
Scaled unscaled(const Matcher& matcher, ValueId value) {
  if (const Node* mul = matcher.inner(value, "Mul"))
    if (const auto by = matcher.with_scalar(*mul)) return {by->value, by->number};
  if (const Node* div = matcher.inner(value, "Div"))
    if (const auto by = matcher.scalar(div->input(1)); by && *by != 0)
      return {div->input(0), 1 / *by};
  return {value};
}

// A transposition of the last two dimensions: with those before it, of any permutation.
bool transposes_last_two(const Node& node) {
  return node.integers("perm") == std::vector<std::int64_t>{0, 1, 3, 2};
}

struct Match {
  ValueId q, k, mask = kNoValue;
  double scale;
  bool k_is_transposed;  // [batch, heads, d, columns]
};

std::optional<Match> scores_of(const Graph& graph, const Matcher& matcher, ValueId value) {
  Match match{};
  match.mask = kNoValue;
  Scaled outer = unscaled(matcher, value);
  ValueId product = outer.value;
  if (outer.value == value)
    if (const Node* add = matcher.inner(value, "Add"))
      for (const std::size_t side : {0, 1}) {
        const Scaled inner = unscaled(matcher, add->input(side));
        if (matcher.inner(inner.value, "MatMul") == nullptr || match.mask != kNoValue) continue;
        match.mask = add->input(1 - side);
        outer = inner;
        product = inner.value;
      }
  const Node* matmul = matcher.inner(product, "MatMul");
  if (matmul == nullptr || matmul->domain == kOwnDomain) return std::nullopt;
  // A mask that the scores do not already have the shape of would change theirs.
  if (match.mask != kNoValue &&
      !broadcasts_into(graph.values[match.mask].type, graph.values[product].type))
    return std::nullopt;
  const Scaled q = unscaled(matcher, matmul->input(0)), k = unscaled(matcher, matmul->input(1));
  match.q = q.value;
  match.k = k.value;
  match.scale = outer.scale * q.scale * k.scale;
  match.k_is_transposed = true;
  if (const Node* transpose = matcher.inner(k.value, "Transpose"))
    if (transposes_last_two(*transpose)) {
      const Scaled below = unscaled(matcher, transpose->input(0));
      match.k = below.value;
      match.scale *= below.scale;
      match.k_is_transposed = false;
    }
  return match;
}

bool has_equal_batches(const Graph& graph, ValueId a, ValueId b) {
  for (const std::size_t i : {0, 1}) {
    const Dim &x = (*graph.values[a].type.shape)[i], &y = (*graph.values[b].type.shape)[i];
    if (x != y || (!x.is_known() && x.symbol.empty())) return false;
  }
  return true;
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  Applied applied;
  for (bool changes = true; changes;) {
    changes = false;
    const Matcher matcher(graph);
    for (std::size_t i = 0; i < graph.nodes.size() && !changes; ++i) {
      const Node node = graph.nodes[i];
      if (node.op != "MatMul" || !node.domain.empty()) continue;
      const Node* softmax = matcher.inner(node.input(0), "Softmax");
      if (softmax == nullptr) continue;
      const std::int64_t axis = softmax->integer("axis", -1);
      const auto match = scores_of(graph, matcher, softmax->input(0));
      const ValueId v = node.input(1);
      if (!match || (axis != -1 && axis != 3) || !has_four_dims(graph, match->q) ||
          !has_four_dims(graph, match->k) || !has_four_dims(graph, v) ||
          !has_equal_batches(graph, match->q, match->k) || !has_equal_batches(graph, match->q, v))
        continue;
      ValueId k = match->k;
      std::size_t place = i;
      if (match->k_is_transposed) {
        const Shape shape = *graph.values[k].type.shape;
        k = graph.add_value(
            graph.values[k].name + "_rows",
            {graph.values[k].type.element, Shape{shape[0], shape[1], shape[3], shape[2]}});
        graph.nodes.insert(graph.nodes.begin() + static_cast<std::ptrdiff_t>(place++),
                           {"Transpose",
                            "",
                            node.name + "_keys",
                            {match->k},
                            {k},
                            {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}}});
      }
      Node fused = own_node(node, "Attention", {match->q, k, v});
      if (match->mask != kNoValue) fused.inputs.push_back(match->mask);
      fused.attributes["scale"] = static_cast<float>(match->scale);
      applied.nodes.push_back(graph.values[node.outputs[0]].name);
      graph.nodes[place] = std::move(fused);
      changes = true;
    }
  }
  return applied;
}

}  // namespace

Pass attention() {
  return {"recognize softmax(q · kᵀ · scale + mask) · v as attention", Level::kBalanced, 400, 1e-4,
          apply};
}

}  // namespace hipwright::graph::passes
