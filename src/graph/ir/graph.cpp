// SPDX-License-Identifier: MIT
#include "graph/ir/graph.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hipwright::graph {

std::string to_string(const Shape& shape) {
  std::string text;
  for (const Dim& dim : shape) {
    if (!text.empty()) text += ", ";
    text += dim.is_known() ? std::to_string(dim.size) : dim.symbol.empty() ? "?" : dim.symbol;
  }
  return "[" + text + "]";
}

std::optional<Dims> dims_of(const Shape& shape) {
  Dims dims;
  for (const Dim& dim : shape) {
    if (!dim.is_known()) return std::nullopt;
    dims.push_back(dim.size);
  }
  return dims;
}

Shape shape_of(const Dims& dims) {
  return {dims.begin(), dims.end()};
}

std::string to_string(const Type& type) {
  return std::string(to_string(type.element)) + (type.shape ? to_string(*type.shape) : "[…]");
}

namespace {

template <class T>
const T* attribute_of(const Node& node, std::string_view name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace

std::int64_t Node::integer(std::string_view attribute, std::int64_t otherwise) const {
  const auto* value = attribute_of<std::int64_t>(*this, attribute);
  return value == nullptr ? otherwise : *value;
}

float Node::number(std::string_view attribute, float otherwise) const {
  const auto* value = attribute_of<float>(*this, attribute);
  return value == nullptr ? otherwise : *value;
}

std::string Node::text(std::string_view attribute, std::string_view otherwise) const {
  const auto* value = attribute_of<std::string>(*this, attribute);
  return value == nullptr ? std::string(otherwise) : *value;
}

std::optional<std::vector<std::int64_t>> Node::integers(std::string_view attribute) const {
  const auto* value = attribute_of<std::vector<std::int64_t>>(*this, attribute);
  if (value == nullptr) return std::nullopt;
  return *value;
}

std::string op_text(const Node& node) {
  return node.domain.empty() ? node.op : node.domain + "." + node.op;
}

std::string node_text(const Node& node) {
  return node.name.empty() ? op_text(node) : fmt::format("{} '{}'", op_text(node), node.name);
}

std::int64_t Graph::opset(std::string_view domain) const {
  const auto found = opsets.find(domain);
  return found == opsets.end() ? 0 : found->second;
}

ValueId Graph::add_value(std::string_view wanted_name, Type type) {
  std::string unique(wanted_name.empty() ? "value" : wanted_name);
  // Values are only added, so the number of values is a suffix that is rarely taken.
  for (std::size_t suffix = values.size(); find_value(unique); ++suffix)
    unique = fmt::format("{}_{}", wanted_name, suffix);
  values.push_back({std::move(unique), std::move(type), {}});
  return static_cast<ValueId>(values.size() - 1);
}

ValueId Graph::add_constant(std::string_view wanted_name, Tensor tensor) {
  const ValueId id = add_value(wanted_name, {tensor.type, shape_of(tensor.dims)});
  values[id].constant = std::move(tensor);
  return id;
}

std::optional<ValueId> Graph::find_value(std::string_view value_name) const {
  const auto found = std::ranges::find(values, value_name, &Value::name);
  if (found == values.end()) return std::nullopt;
  return static_cast<ValueId>(found - values.begin());
}

const Tensor* Graph::constant(ValueId value) const {
  if (value == kNoValue || !values[value].constant) return nullptr;
  return &*values[value].constant;
}

const Type* Graph::type(ValueId value) const {
  return value == kNoValue ? nullptr : &values[value].type;
}

void Graph::compact() {
  std::vector<bool> used(values.size());
  const auto use = [&](const std::vector<ValueId>& ids) {
    for (const ValueId id : ids)
      if (id != kNoValue) used[id] = true;
  };
  use(inputs);
  use(outputs);
  for (const Node& node : nodes) {
    use(node.inputs);
    use(node.outputs);
  }
  std::vector<ValueId> place(values.size(), kNoValue);
  std::vector<Value> kept;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!used[i]) continue;
    place[i] = static_cast<ValueId>(kept.size());
    kept.push_back(std::move(values[i]));
  }
  values = std::move(kept);
  const auto move = [&](std::vector<ValueId>& ids) {
    for (ValueId& id : ids)
      if (id != kNoValue) id = place[id];
  };
  move(inputs);
  move(outputs);
  for (Node& node : nodes) {
    move(node.inputs);
    move(node.outputs);
  }
}

std::uint64_t Graph::constant_bytes() const {
  std::uint64_t bytes = 0;
  for (const Value& value : values)
    if (value.constant) bytes += value.constant->bytes->size();
  return bytes;
}

Uses::Uses(const Graph& graph)
    : producer(graph.values.size(), -1),
      users(graph.values.size()),
      is_output(graph.values.size()) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const ValueId id : graph.nodes[i].outputs)
      if (id != kNoValue) producer[id] = static_cast<std::int32_t>(i);
    for (const ValueId id : graph.nodes[i].inputs)
      if (id != kNoValue) users[id].push_back(static_cast<std::uint32_t>(i));
  }
  for (const ValueId id : graph.outputs) is_output[id] = true;
}

}  // namespace hipwright::graph
