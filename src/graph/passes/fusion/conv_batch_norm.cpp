// SPDX-License-Identifier: MIT
// A batch norm with constant parameters is folded into the weights of the convolution before it.
#include <cmath>

#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

// Empty: not constant, or not one for each channel.
std::vector<double> parameter(const Graph& graph, const Node& node, std::size_t input,
                              std::int64_t channels) {
  const Tensor* tensor = graph.constant(node.input(input));
  if (tensor == nullptr || tensor->dims != Dims{channels}) return {};
  return floats_of(*tensor);
}

bool fold(Graph& graph, const Matcher& matcher, Node& node) {
  const Node* conv = matcher.inner(node.input(0), "Conv");
  if (conv == nullptr || node.integer("training_mode", 0) != 0 || node.outputs.size() != 1)
    return false;
  const Tensor* weight = graph.constant(conv->input(1));
  const bool has_bias = conv->input(2) != kNoValue;
  if (weight == nullptr || weight->dims.empty() || weight->dims[0] == 0) return false;
  const std::int64_t channels = weight->dims[0];
  const std::vector<double> scale = parameter(graph, node, 1, channels),
                            shift = parameter(graph, node, 2, channels),
                            mean = parameter(graph, node, 3, channels),
                            variance = parameter(graph, node, 4, channels);
  std::vector<double> bias(static_cast<std::size_t>(channels));
  if (has_bias) bias = parameter(graph, *conv, 2, channels);
  if (scale.empty() || shift.empty() || mean.empty() || variance.empty() || bias.empty())
    return false;
  std::vector<double> weights = floats_of(*weight);
  const std::size_t part = weights.size() / bias.size();
  for (std::size_t c = 0; c < bias.size(); ++c) {
    const double factor = scale[c] / std::sqrt(variance[c] + node.number("epsilon", 1e-5F));
    for (std::size_t i = 0; i < part; ++i) weights[c * part + i] *= factor;
    bias[c] = (bias[c] - mean[c]) * factor + shift[c];
  }
  const std::string name = graph.values[conv->input(1)].name;
  const ElementType type = weight->type;
  const Dims dims = weight->dims;
  Node folded = *conv;
  folded.outputs = node.outputs;
  folded.inputs = {conv->input(0),
                   graph.add_constant(name + "_folded", tensor_of(type, dims, weights)),
                   graph.add_constant(name + "_bias", tensor_of(type, {channels}, bias))};
  node = std::move(folded);
  return true;
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  return rewrite_nodes(graph, "BatchNormalization", [&](const Matcher& matcher, Node& node) {
    return fold(graph, matcher, node);
  });
}

}  // namespace

Pass conv_batch_norm() {
  return {"fold a batch norm into the convolution before it", Level::kConservative, 350, 1e-4,
          apply};
}

}  // namespace hipwright::graph::passes
