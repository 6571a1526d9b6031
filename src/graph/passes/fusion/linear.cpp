// SPDX-License-Identifier: MIT
// A product with a constant matrix, the bias behind it, and the activation behind that.
#include <array>

#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

// Is `value` a constant matrix?
bool is_weight(const Graph& graph, ValueId value) {
  const Tensor* tensor = graph.constant(value);
  return tensor != nullptr && tensor->dims.size() == 2 && is_float(tensor->type);
}

bool is_bias_of(const Graph& graph, ValueId bias, ValueId weight) {
  const Tensor *row = graph.constant(bias), *matrix = graph.constant(weight);
  return row != nullptr && row->type == matrix->type && row->dims == Dims{matrix->dims[1]};
}

bool add_bias(Graph& graph, const Matcher& matcher, Node& node) {
  for (const std::size_t side : {0, 1}) {
    const Node* product = matcher.inner(node.input(side), "MatMul");
    const ValueId bias = node.input(1 - side);
    if (product == nullptr || !product->domain.empty() || !is_weight(graph, product->input(1)) ||
        !is_bias_of(graph, bias, product->input(1)))
      continue;
    const auto& shape = graph.values[product->input(0)].type.shape;
    if (!shape || shape->empty()) continue;
    node = own_node(node, "Linear", {product->input(0), product->input(1), bias});
    return true;
  }
  return false;
}

struct ActivationName {
  std::string_view op, name;
};
constexpr std::array kActivations = {
    ActivationName{"Relu", "relu"}, ActivationName{"Silu", "silu"}, ActivationName{"Gelu", "gelu"},
    ActivationName{"Sigmoid", "sigmoid"}, ActivationName{"Tanh", "tanh"}};

bool add_activation(const Matcher& matcher, Node& node) {
  for (const ActivationName& each : kActivations) {
    if (node.op != each.op) continue;
    const Node* linear = matcher.inner(node.input(0), "Linear");
    if (linear == nullptr || linear->has("activation")) return false;
    const bool is_tanh = node.op == "Gelu" && node.text("approximate", "none") == "tanh";
    node = own_node(node, "Linear", linear->inputs);
    node.attributes["activation"] = std::string(is_tanh ? "gelu_tanh" : each.name);
    return true;
  }
  return false;
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  return rewrite_nodes(graph, "", [&](const Matcher& matcher, Node& node) {
    return node.op == "Add" ? add_bias(graph, matcher, node) : add_activation(matcher, node);
  });
}

}  // namespace

Pass linear() {
  return {"fuse a product with its bias and its activation", Level::kBalanced, 520, 1e-4, apply};
}

}  // namespace hipwright::graph::passes
