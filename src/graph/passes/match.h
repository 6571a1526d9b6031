// SPDX-License-Identifier: MIT
// Patterns of nodes. A pattern is matched from its last node, which is then replaced in place: all
// that the replacement uses is defined before it. What it leaves without users, dead_code removes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/ir/graph.h"
#include "graph/op.h"
#include "graph/pass.h"

namespace hipwright::graph {

class Matcher {
 public:
  explicit Matcher(const Graph& graph) : graph_(graph), uses_(graph) {}

  // The node that computes `value`, if it is the operator `op` of ONNX's or our domain.
  const Node* producer(ValueId value, std::string_view op) const;
  // The same, where the value has no other use: the node disappears with the pattern.
  const Node* inner(ValueId value, std::string_view op) const;
  bool has_one_use(ValueId value) const {
    return value != kNoValue && uses_.users[value].size() == 1 && !uses_.is_output[value];
  }
  const Uses& uses() const { return uses_; }
  // The node at `place`, which had the inputs `before`, was replaced.
  void update(std::size_t place, const std::vector<ValueId>& before);
  // The one element of a constant.
  std::optional<double> scalar(ValueId value) const;
  bool is_scalar(ValueId value, double wanted, double tolerance = 1e-6) const;
  // Of the two inputs of a commutative node, the one that is not `known`.
  static ValueId other(const Node& node, ValueId known) {
    return node.input(0) == known ? node.input(1) : node.input(0);
  }
  // A node with a constant operand: that number, and the other operand.
  struct WithScalar {
    ValueId value;
    double number;
  };
  std::optional<WithScalar> with_scalar(const Node& node) const;

 private:
  const Graph& graph_;
  Uses uses_;
};

// Does a value of type `a` combined with one of `b` have type `a`? Only if both are known.
bool broadcasts_into(const Type& b, const Type& a);

// Of the node, or of its first output where the node has none.
std::string rewritten_name(const Graph& graph, const Node& node);

// Calls rewrite(matcher, node) for each node until none changes anything. `rewrite` may replace the
// node and add values, and returns true after that. The outputs stay.
template <class Rewrite>
Applied rewrite_nodes(Graph& graph, std::string_view last_op, const Rewrite& rewrite) {
  Applied applied;
  Matcher matcher(graph);
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      if (!last_op.empty() && graph.nodes[i].op != last_op) continue;
      const std::string name = rewritten_name(graph, graph.nodes[i]);
      const std::vector<ValueId> before = graph.nodes[i].inputs;
      if (!rewrite(std::as_const(matcher), graph.nodes[i])) continue;
      matcher.update(i, before);
      applied.nodes.push_back(name);
      changes = true;
    }
  }
  return applied;
}

// The replacement of the last node of a pattern: its outputs, its name, our domain.
Node own_node(const Node& last, std::string_view op, std::vector<ValueId> inputs);

}  // namespace hipwright::graph
