// SPDX-License-Identifier: MIT
#include "graph/passes/match.h"

#include <cmath>

namespace hipwright::graph {

const Node* Matcher::producer(ValueId value, std::string_view op) const {
  if (value == kNoValue || uses_.producer[value] < 0) return nullptr;
  const Node& node = graph_.nodes[static_cast<std::size_t>(uses_.producer[value])];
  const bool is_known = node.domain.empty() || node.domain == kOwnDomain;
  return is_known && node.op == op && node.outputs[0] == value ? &node : nullptr;
}

const Node* Matcher::inner(ValueId value, std::string_view op) const {
  return has_one_use(value) ? producer(value, op) : nullptr;
}

void Matcher::update(std::size_t place, const std::vector<ValueId>& before) {
  uses_.producer.resize(graph_.values.size(), -1);
  uses_.users.resize(graph_.values.size());
  uses_.is_output.resize(graph_.values.size());
  for (const ValueId id : before)
    if (id != kNoValue) std::erase(uses_.users[id], static_cast<std::uint32_t>(place));
  for (const ValueId id : graph_.nodes[place].inputs)
    if (id != kNoValue) uses_.users[id].push_back(static_cast<std::uint32_t>(place));
}

std::optional<double> Matcher::scalar(ValueId value) const {
  const Tensor* tensor = graph_.constant(value);
  if (tensor == nullptr || !tensor->is_scalar() || !has_arithmetic(tensor->type))
    return std::nullopt;
  return floats_of(*tensor)[0];
}

bool Matcher::is_scalar(ValueId value, double wanted, double tolerance) const {
  const auto number = scalar(value);
  return number && std::abs(*number - wanted) <= tolerance * std::abs(wanted);
}

std::optional<Matcher::WithScalar> Matcher::with_scalar(const Node& node) const {
  if (node.inputs.size() != 2) return std::nullopt;
  if (const auto number = scalar(node.input(1))) return WithScalar{node.input(0), *number};
  if (const auto number = scalar(node.input(0))) return WithScalar{node.input(1), *number};
  return std::nullopt;
}

bool broadcasts_into(const Type& b, const Type& a) {
  if (a.element != b.element || !a.shape || !b.shape || b.shape->size() > a.shape->size())
    return false;
  const std::size_t skipped = a.shape->size() - b.shape->size();
  for (std::size_t i = 0; i < b.shape->size(); ++i) {
    const Dim &x = (*a.shape)[skipped + i], &y = (*b.shape)[i];
    if (y == Dim(1)) continue;
    if (x != y || (!x.is_known() && x.symbol.empty())) return false;
  }
  return true;
}

std::string rewritten_name(const Graph& graph, const Node& node) {
  const bool has_result = !node.outputs.empty() && node.outputs[0] != kNoValue;
  return node.name.empty() && has_result ? graph.values[node.outputs[0]].name : node.name;
}

Node own_node(const Node& last, std::string_view op, std::vector<ValueId> inputs) {
  return {std::string(op), kOwnDomain, last.name, std::move(inputs), last.outputs, {}};
}

}  // namespace hipwright::graph
