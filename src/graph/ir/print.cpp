// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/ir/graph.h"

namespace hipwright::graph {

namespace {

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string attribute_text(const Attribute& attribute) {
  struct Text {
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(float value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const { return dot_quoted(value); }
    std::string operator()(const Tensor& value) const {
      return fmt::format("{}{}", to_string(value.type), dims_text(value.dims));
    }
    std::string operator()(const std::vector<std::string>& value) const {
      return fmt::format("{}", value);
    }
    std::string operator()(const std::vector<std::int64_t>& value) const {
      return fmt::format("[{}]", fmt::join(value, ", "));
    }
    std::string operator()(const std::vector<float>& value) const {
      return fmt::format("[{}]", fmt::join(value, ", "));
    }
  };
  return std::visit(Text{}, attribute);
}

std::string names_of(const Graph& graph, const std::vector<ValueId>& ids) {
  std::string text;
  for (const ValueId id : ids) {
    if (!text.empty()) text += ", ";
    text += id == kNoValue ? "_" : graph.values[id].name;
  }
  return text;
}

std::string typed(const Graph& graph, ValueId id) {
  return fmt::format("{}: {}", graph.values[id].name, to_string(graph.values[id].type));
}

}  // namespace

std::string graph_text(const Graph& graph) {
  std::string text = "graph " + graph.name + "\n";
  for (const ValueId id : graph.inputs) text += "  input " + typed(graph, id) + "\n";
  for (const Node& node : graph.nodes) {
    std::string outputs;
    for (const ValueId id : node.outputs) {
      if (!outputs.empty()) outputs += ", ";
      outputs += id == kNoValue ? "_" : typed(graph, id);
    }
    text += fmt::format("  {} = {}({})", outputs, op_text(node), names_of(graph, node.inputs));
    for (const auto& [name, value] : node.attributes)
      text += fmt::format(" {}={}", name, attribute_text(value));
    text += "\n";
  }
  for (const ValueId id : graph.outputs) text += "  output " + typed(graph, id) + "\n";
  return text;
}

std::string graph_dot(const Graph& graph) {
  std::string text = "digraph " + dot_quoted(graph.name) + " {\n  node [shape=box];\n";
  const auto edge = [&](std::string_view from, std::string_view to, ValueId id) {
    text += fmt::format("  {} -> {} [label={}];\n", from, to,
                        dot_quoted(to_string(graph.values[id].type)));
  };
  const auto end = [&](std::string_view kind, ValueId id) {
    const std::string name = fmt::format("{}{}", kind, id);
    text += fmt::format("  {} [label={}, shape=oval];\n", name, dot_quoted(graph.values[id].name));
    return name;
  };
  const Uses uses(graph);
  std::vector<std::string> makers(graph.values.size());
  for (const ValueId id : graph.inputs) makers[id] = end("in", id);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const std::string name = fmt::format("n{}", i);
    text += fmt::format("  {} [label={}];\n", name, dot_quoted(op_text(graph.nodes[i])));
    for (const ValueId id : graph.nodes[i].inputs)
      if (id != kNoValue && !makers[id].empty()) edge(makers[id], name, id);
    for (const ValueId id : graph.nodes[i].outputs)
      if (id != kNoValue) makers[id] = name;
  }
  for (const ValueId id : graph.outputs)
    if (!makers[id].empty()) edge(makers[id], end("out", id), id);
  return text + "}\n";
}

}  // namespace hipwright::graph
