// SPDX-License-Identifier: MIT
#include "graph/passes/shared_input.h"

#include <algorithm>

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

bool belong_together(const Graph& graph, const Node& a, const Node& b) {
  const Tensor &x = *graph.constant(a.input(1)), &y = *graph.constant(b.input(1));
  return a.op == b.op && a.input(0) == b.input(0) && a.inputs.size() == b.inputs.size() &&
         x.type == y.type && x.dims[0] == y.dims[0];
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

void join(Graph& graph, const std::vector<std::size_t>& places) {
  std::vector<Node> group;
  for (const std::size_t place : places) group.push_back(graph.nodes[place]);
  Node joined = group[0];
  joined.name += "_joined";
  Dims widths;
  for (const Tensor* weight : constants_at(graph, group, 1)) widths.push_back(weight->dims[1]);
  for (std::size_t input = 1; input < joined.inputs.size(); ++input) {
    Tensor wide = side_by_side(constants_at(graph, group, input));
    joined.inputs[input] =
        graph.add_constant(graph.values[group[0].input(input)].name + "_joined", std::move(wide));
  }
  Type type = graph.values[group[0].outputs[0]].type;
  if (type.shape) type.shape->back() = Dim(graph.constant(joined.inputs[1])->dims[1]);
  const ValueId whole = graph.add_value(graph.values[group[0].outputs[0]].name + "_joined", type);
  joined.outputs = {whole};
  const auto count = static_cast<std::int64_t>(widths.size());
  Node split{"Split",
             "",
             group[0].name + "_split",
             {whole, graph.add_constant("widths", int64_tensor({count}, widths))},
             {},
             {{"axis", std::int64_t{-1}}}};
  for (const Node& node : group) split.outputs.push_back(node.outputs[0]);
  for (std::size_t i = places.size(); i-- > 1;)
    graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(places[i]));
  graph.nodes[places[0]] = std::move(joined);
  graph.nodes.insert(graph.nodes.begin() + static_cast<std::ptrdiff_t>(places[0]) + 1,
                     std::move(split));
}

}  // namespace

Result<Applied> join_shared_input(Graph& graph, std::size_t count) {
  Applied applied;
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t i = 0; i < graph.nodes.size() && !changes; ++i) {
      if (!is_product(graph, graph.nodes[i])) continue;
      std::vector<std::size_t> places;
      for (std::size_t k = i; k < graph.nodes.size(); ++k)
        if (is_product(graph, graph.nodes[k]) &&
            belong_together(graph, graph.nodes[i], graph.nodes[k]))
          places.push_back(k);
      if (places.size() != count) continue;
      applied.nodes.push_back(node_text(graph.nodes[i]));
      join(graph, places);
      changes = true;
    }
  }
  return applied;
}

}  // namespace hipwright::graph
