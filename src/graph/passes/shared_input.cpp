// SPDX-License-Identifier: MIT
#include "graph/passes/shared_input.h"

#include <map>
#include <string>
#include <tuple>

namespace hipwright::graph {

namespace {

bool is_product(const Graph& graph, const Node& node) {
  const bool is_matmul = node.op == "MatMul" && node.domain.empty();
  const bool is_linear =
      node.op == "Linear" && node.domain == kOwnDomain && !node.has("activation");
  if ((!is_matmul && !is_linear) || node.inputs.size() < 2) return false;
  const Tensor* weight = graph.constant(node.input(1));
  const bool has_bias = node.inputs.size() > 2;
  const auto& shape = graph.values[node.input(0)].type.shape;
  return weight != nullptr && weight->dims.size() == 2 && is_float(weight->type) && shape &&
         shape->size() > 1 && (!has_bias || graph.constant(node.input(2)) != nullptr);
}

// Products with equal ones can be one product.
using Kind = std::tuple<std::string, ValueId, std::size_t, ElementType, std::int64_t>;
Kind kind_of(const Graph& graph, const Node& node) {
  const Tensor& weight = *graph.constant(node.input(1));
  return {node.op, node.input(0), node.inputs.size(), weight.type, weight.dims[0]};
}

// Matrices (or rows) beside each other.
Tensor side_by_side(const std::vector<const Tensor*>& parts) {
  const Tensor& first = *parts[0];
  const std::size_t rows = first.dims.size() == 2 ? static_cast<std::size_t>(first.dims[0]) : 1;
  const std::size_t size = size_of(first.type);
  Dims dims = first.dims;
  dims.back() = 0;
  for (const Tensor* part : parts) dims.back() += part->dims.back();
  std::string bytes;
  for (std::size_t row = 0; row < rows; ++row)
    for (const Tensor* part : parts) {
      const std::size_t length = static_cast<std::size_t>(part->dims.back()) * size;
      bytes.append(*part->bytes, row * length, length);
    }
  return raw_tensor(first.type, std::move(dims), std::move(bytes));
}

std::vector<const Tensor*> constants_at(const Graph& graph, const std::vector<Node>& group,
                                        std::size_t input) {
  std::vector<const Tensor*> out;
  for (const Node& node : group) out.push_back(graph.constant(node.input(input)));
  return out;
}

struct Joined {
  Node product, split;
};

Joined joined(Graph& graph, const std::vector<std::size_t>& places) {
  std::vector<Node> group;
  for (const std::size_t place : places) group.push_back(graph.nodes[place]);
  Node product = group[0];
  product.name += "_joined";
  Dims widths;
  for (const Tensor* weight : constants_at(graph, group, 1)) widths.push_back(weight->dims[1]);
  for (std::size_t input = 1; input < product.inputs.size(); ++input) {
    Tensor wide = side_by_side(constants_at(graph, group, input));
    product.inputs[input] =
        graph.add_constant(graph.values[group[0].input(input)].name + "_joined", std::move(wide));
  }
  Type type = graph.values[group[0].outputs[0]].type;
  if (type.shape) type.shape->back() = Dim(graph.constant(product.inputs[1])->dims[1]);
  const ValueId whole = graph.add_value(graph.values[group[0].outputs[0]].name + "_joined", type);
  product.outputs = {whole};
  const auto count = static_cast<std::int64_t>(widths.size());
  Node split{"Split",
             "",
             group[0].name + "_split",
             {whole, graph.add_constant("widths", int64_tensor({count}, widths))},
             {},
             {{"axis", std::int64_t{-1}}}};
  for (const Node& node : group) split.outputs.push_back(node.outputs[0]);
  return {std::move(product), std::move(split)};
}

}  // namespace

Result<Applied> join_shared_input(Graph& graph, std::size_t count) {
  std::map<Kind, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (is_product(graph, graph.nodes[i])) groups[kind_of(graph, graph.nodes[i])].push_back(i);
  std::map<std::size_t, std::vector<std::size_t>> by_first;
  std::vector<bool> is_joined(graph.nodes.size());
  for (auto& [kind, places] : groups) {
    if (places.size() < count) continue;
    places.erase(places.begin(), places.end() - static_cast<std::ptrdiff_t>(count));
    for (const std::size_t place : places) is_joined[place] = true;
    by_first.emplace(places[0], std::move(places));
  }

  Applied applied;
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto group = by_first.find(i);
    if (group != by_first.end()) {
      applied.nodes.push_back(node_text(graph.nodes[i]));
      Joined made = joined(graph, group->second);
      nodes.push_back(std::move(made.product));
      nodes.push_back(std::move(made.split));
    } else if (!is_joined[i]) {
      nodes.push_back(std::move(graph.nodes[i]));
    }
  }
  graph.nodes = std::move(nodes);
  return applied;
}

}  // namespace hipwright::graph
