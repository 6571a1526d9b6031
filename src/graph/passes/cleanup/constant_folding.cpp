// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "graph/op.h"
#include "graph/pass.h"

namespace hipwright::graph::passes {

namespace {

// Larger results would make the file grow.
constexpr std::int64_t kMostElements = std::int64_t{1} << 24;

bool can_fold(const Graph& graph, const Node& node) {
  for (const ValueId id : node.inputs)
    if (id != kNoValue && graph.constant(id) == nullptr) return false;
  for (const ValueId id : node.outputs) {
    if (id == kNoValue) return false;
    const auto& shape = graph.values[id].type.shape;
    const auto dims = shape ? dims_of(*shape) : std::nullopt;
    const auto count = dims ? count_elements(*dims) : Result<std::int64_t>(0);
    if (!count || *count > kMostElements) return false;
  }
  return true;
}

// The shape of a value is known before the value is.
std::optional<Tensor> shape_constant(const Graph& graph, const Node& node) {
  if (node.op != "Shape" || !node.domain.empty() || node.has("start") || node.has("end"))
    return std::nullopt;
  const auto& shape = graph.values[node.input(0)].type.shape;
  const auto dims = shape ? dims_of(*shape) : std::nullopt;
  if (!dims) return std::nullopt;
  return int64_tensor({static_cast<std::int64_t>(dims->size())}, *dims);
}

void fold(Graph& graph, ValueId id, Tensor tensor) {
  graph.values[id].type = {tensor.type, shape_of(tensor.dims)};
  graph.values[id].constant = std::move(tensor);
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  Applied applied;
  std::vector<Node> kept;
  for (Node& node : graph.nodes) {
    const bool makes_output = std::ranges::any_of(node.outputs, [&](ValueId id) {
      return std::ranges::find(graph.outputs, id) != graph.outputs.end();
    });
    HW_CHECK(operator_of(graph, node));
    if (const auto shape = shape_constant(graph, node); shape && !makes_output) {
      fold(graph, node.outputs[0], *shape);
    } else if (!makes_output && can_fold(graph, node)) {
      std::vector<const Tensor*> inputs;
      for (const ValueId id : node.inputs) inputs.push_back(graph.constant(id));
      HW_TRY(Tensors results, run_node(graph, node, inputs));
      for (std::size_t i = 0; i < node.outputs.size(); ++i)
        fold(graph, node.outputs[i], std::move(results[i]));
    } else {
      kept.push_back(std::move(node));
      continue;
    }
    applied.nodes.push_back(node_text(node));
  }
  graph.nodes = std::move(kept);
  if (applied.count() != 0) HW_CHECK(infer_types(graph));
  return applied;
}

}  // namespace

Pass constant_folding() {
  return {"evaluate what depends on constants and known shapes only", Level::kConservative, 100, 0,
          apply};
}

}  // namespace hipwright::graph::passes
