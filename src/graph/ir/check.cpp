// SPDX-License-Identifier: MIT
#include <set>

#include <fmt/format.h>

#include "graph/ir/graph.h"

namespace hipwright::graph {

namespace {

constexpr const char* kInvalid = "invalid graph";

Status check_values(const Graph& graph) {
  std::set<std::string_view> names;
  for (const Value& value : graph.values) {
    if (value.name.empty()) return fail(kInvalid, graph.name, "a value has no name");
    if (!names.insert(value.name).second)
      return fail(kInvalid, value.name, "two values have this name");
    if (!value.constant) continue;
    const auto count = count_elements(value.constant->dims);
    if (!count) return fail(kInvalid, value.name, count.error().message());
    if (value.constant->bytes == nullptr ||
        value.constant->bytes->size() !=
            static_cast<std::size_t>(*count) * size_of(value.constant->type))
      return fail(kInvalid, value.name,
                  fmt::format("{} elements of {} do not have the bytes that they need", *count,
                              to_string(value.constant->type)));
    if (value.type.element != value.constant->type || !value.type.shape ||
        dims_of(*value.type.shape) != value.constant->dims)
      return fail(kInvalid, value.name,
                  fmt::format("declared as {}, but the constant is {}{}", to_string(value.type),
                              to_string(value.constant->type), dims_text(value.constant->dims)));
  }
  return {};
}

Status check_node(const Graph& graph, const Node& node, std::vector<bool>& defined) {
  for (const ValueId id : node.inputs) {
    if (id == kNoValue) continue;
    if (id >= defined.size()) return fail(kInvalid, node_text(node), "an input is not a value");
    if (!defined[id])
      return fail(kInvalid, node_text(node),
                  fmt::format("its input '{}' is not defined before it", graph.values[id].name));
  }
  for (const ValueId id : node.outputs) {
    if (id == kNoValue) continue;
    if (id >= defined.size()) return fail(kInvalid, node_text(node), "an output is not a value");
    if (defined[id])
      return fail(kInvalid, node_text(node),
                  fmt::format("its output '{}' is defined before", graph.values[id].name));
    defined[id] = true;
  }
  return {};
}

}  // namespace

Status check(const Graph& graph) {
  HW_CHECK(check_values(graph));
  std::vector<bool> defined(graph.values.size());
  for (std::size_t i = 0; i < defined.size(); ++i)
    defined[i] = graph.values[i].constant.has_value();
  for (const ValueId id : graph.inputs) {
    if (id >= defined.size()) return fail(kInvalid, graph.name, "an input is not a value");
    if (defined[id])
      return fail(kInvalid, graph.values[id].name, "an input of the graph is defined twice");
    defined[id] = true;
  }
  for (const Node& node : graph.nodes) HW_CHECK(check_node(graph, node, defined));
  for (const ValueId id : graph.outputs) {
    if (id >= defined.size()) return fail(kInvalid, graph.name, "an output is not a value");
    if (!defined[id])
      return fail(kInvalid, graph.values[id].name, "nothing defines this output of the graph");
  }
  return {};
}

Status sort_nodes(Graph& graph) {
  const Uses uses(graph);
  // What each node waits for; a node is ready when it waits for nothing. The ready node with the
  // lowest index is next, so that a sorted list stays as it was.
  std::vector<std::size_t> waits(graph.nodes.size());
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const ValueId id : graph.nodes[i].inputs)
      if (id != kNoValue && uses.producer[id] >= 0) ++waits[i];
    if (waits[i] == 0) ready.insert(i);
  }
  std::vector<Node> sorted;
  std::vector<bool> done(graph.nodes.size());
  while (!ready.empty()) {
    const std::size_t next = *ready.begin();
    ready.erase(ready.begin());
    done[next] = true;
    for (const ValueId id : graph.nodes[next].outputs)
      if (id != kNoValue)
        for (const std::uint32_t user : uses.users[id])
          if (--waits[user] == 0) ready.insert(user);
    sorted.push_back(graph.nodes[next]);
  }
  for (std::size_t i = 0; i < done.size(); ++i)
    if (!done[i])
      return fail(kInvalid, node_text(graph.nodes[i]), "the node is part of a cycle, or uses one");
  graph.nodes = std::move(sorted);
  return {};
}

}  // namespace hipwright::graph
