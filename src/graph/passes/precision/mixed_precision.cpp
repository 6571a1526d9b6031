// SPDX-License-Identifier: MIT
// Products in 16-bit floats: their inputs are cast before, their results after. Everything else,
// norms and softmax above all, stays in f32.
#include <algorithm>
#include <array>

#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

constexpr std::array<std::string_view, 4> kProducts = {"MatMul", "Linear", "Gemm", "Conv"};

bool is_wide_product(const Graph& graph, const Node& node) {
  if (std::ranges::find(kProducts, node.op) == kProducts.end()) return false;
  return std::ranges::all_of(node.inputs, [&](ValueId id) {
    return id == kNoValue || graph.values[id].type.element == ElementType::kF32;
  });
}

class Narrower {
 public:
  Narrower(Graph& graph, ElementType type) : graph_(graph), type_(type) {}

  Applied run() {
    Applied applied;
    for (Node& node : graph_.nodes) {
      if (is_wide_product(graph_, node)) {
        applied.nodes.push_back(node_text(node));
        narrow(node);
      } else {
        nodes_.push_back(std::move(node));
      }
    }
    graph_.nodes = std::move(nodes_);
    return applied;
  }

 private:
  void narrow(Node& node) {
    for (ValueId& id : node.inputs)
      if (id != kNoValue) id = narrowed(id);
    const ValueId wide = node.outputs[0];
    Type type = graph_.values[wide].type;
    type.element = type_;
    const ValueId result = graph_.add_value(graph_.values[wide].name + suffix(), type);
    const std::string name = node.name;
    node.outputs[0] = result;
    nodes_.push_back(std::move(node));
    nodes_.push_back(cast(result, wide, ElementType::kF32, name + "_widen"));
  }

  ValueId narrowed(ValueId id) {
    const auto [found, is_new] = narrowed_.emplace(id, kNoValue);
    if (!is_new) return found->second;
    const std::string name = graph_.values[id].name + suffix();
    if (const Tensor* constant = graph_.constant(id)) {
      found->second =
          graph_.add_constant(name, tensor_of(type_, constant->dims, floats_of(*constant)));
    } else {
      Type type = graph_.values[id].type;
      type.element = type_;
      found->second = graph_.add_value(name, type);
      nodes_.push_back(cast(id, found->second, type_, name));
    }
    return found->second;
  }

  std::string suffix() const { return "_" + std::string(to_string(type_)); }

  static Node cast(ValueId from, ValueId to, ElementType type, std::string name) {
    return {"Cast", "", std::move(name), {from}, {to}, {{"to", static_cast<std::int64_t>(type)}}};
  }

  Graph& graph_;
  ElementType type_;
  std::vector<Node> nodes_;
  std::map<ValueId, ValueId> narrowed_;
};

Result<Applied> apply(Graph& graph, const PassContext& context) {
  if (context.low_precision == ElementType::kUndefined) return Applied{};
  return Narrower(graph, context.low_precision).run();
}

}  // namespace

Pass mixed_precision() {
  return {.summary = "compute products in 16-bit floats, all else in f32",
          .level = Level::kAggressive,
          .order = 800,
          .tolerance = 3e-2,
          .apply = apply,
          .needs_matrix_cores = true};
}

}  // namespace hipwright::graph::passes
