// SPDX-License-Identifier: MIT
#include "graph/op.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "graph/operators_list.h"

namespace hipwright::graph {

const Shape* TypedCall::shape(std::size_t input) const {
  const Type* found = type(input);
  return found == nullptr || !found->shape ? nullptr : &*found->shape;
}

ElementType TypedCall::element(std::size_t input) const {
  const Type* found = type(input);
  return found == nullptr ? ElementType::kUndefined : found->element;
}

const std::vector<Operator>& all_operators() {
  static const std::vector<Operator> operators = [] {
    std::vector<Operator> all;
    for (unsigned i = 0; i < kOperatorsEntryCount; ++i)
      for (const Operator& each : kOperatorsEntries[i].make()) all.push_back(each);
    std::ranges::sort(all, {},
                      [](const Operator& each) { return std::pair(each.domain, each.name); });
    return all;
  }();
  return operators;
}

const Operator* find_operator(std::string_view domain, std::string_view name) {
  const auto& all = all_operators();
  const auto wanted = std::pair(domain, name);
  const auto found = std::ranges::lower_bound(
      all, wanted, {}, [](const Operator& each) { return std::pair(each.domain, each.name); });
  return found != all.end() && std::pair(found->domain, found->name) == wanted ? &*found : nullptr;
}

Result<const Operator*> operator_of(const Graph& graph, const Node& node) {
  const Operator* found = find_operator(node.domain, node.op);
  const std::int64_t opset = graph.opset(node.domain);
  if (found == nullptr || opset < found->since)
    return fail("unsupported operator", node_text(node),
                found == nullptr ? fmt::format("no operator {} is implemented", op_text(node))
                                 : fmt::format("{} is supported from opset {} on, the model has {}",
                                               op_text(node), found->since, opset),
                "The supported ones are in docs/graph-operators.md.");
  std::size_t given = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i] != kNoValue) given = i + 1;
  bool has_all = node.inputs.size() >= found->least_inputs;
  for (std::size_t i = 0; has_all && i < found->least_inputs; ++i)
    has_all = node.inputs[i] != kNoValue;
  if (!has_all || given > found->most_inputs)
    return fail("invalid node", node_text(node),
                fmt::format("{} inputs, and {} to {} are expected", given, found->least_inputs,
                            found->most_inputs));
  if (node.outputs.empty() || node.outputs[0] == kNoValue)
    return fail("invalid node", node_text(node), "its first output has no name");
  for (const ValueId id : node.inputs)
    if (const Tensor* tensor = graph.constant(id);
        tensor != nullptr && !has_arithmetic(tensor->type))
      return fail("unsupported type", node_text(node),
                  fmt::format("no arithmetic with {}", to_string(tensor->type)));
  return found;
}

namespace {

Result<Tensors> results_of(const Operator& op, const Call& call) {
  try {
    return op.run(call);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory", "", "");
  }
}

}  // namespace

Result<Tensors> run_node(const Graph& graph, const Node& node,
                         const std::vector<const Tensor*>& inputs) {
  HW_TRY(const Operator* op, operator_of(graph, node));
  for (const Tensor* input : inputs)
    if (input != nullptr && !has_arithmetic(input->type))
      return fail("cannot run the node", node_text(node),
                  fmt::format("no arithmetic with {}", to_string(input->type)));
  auto results = results_of(*op, {node, graph.opset(node.domain), inputs});
  if (!results) return fail("cannot run the node", node_text(node), results.error().message());
  if (results->size() < node.outputs.size())
    return fail(
        "cannot run the node", node_text(node),
        fmt::format("it has {} outputs, the operator {}", node.outputs.size(), results->size()));
  return results;
}

namespace {

bool can_be_equal(const Type& a, const Type& b) {
  if (a.element != b.element && a.element != ElementType::kUndefined &&
      b.element != ElementType::kUndefined)
    return false;
  if (!a.shape || !b.shape) return true;
  if (a.shape->size() != b.shape->size()) return false;
  for (std::size_t i = 0; i < a.shape->size(); ++i) {
    const Dim &x = (*a.shape)[i], &y = (*b.shape)[i];
    if (x.is_known() && y.is_known() && x.size != y.size) return false;
  }
  return true;
}

// What either knows; the inferred comes first.
Type merged(Type inferred, const Type& declared) {
  if (inferred.element == ElementType::kUndefined) inferred.element = declared.element;
  if (!inferred.shape) {
    inferred.shape = declared.shape;
  } else if (declared.shape) {
    for (std::size_t i = 0; i < inferred.shape->size(); ++i) {
      Dim& dim = (*inferred.shape)[i];
      if (!dim.is_known() && ((*declared.shape)[i].is_known() || dim.symbol.empty()))
        dim = (*declared.shape)[i];
    }
  }
  return inferred;
}

}  // namespace

Status infer_types(Graph& graph) {
  for (const Node& node : graph.nodes) {
    HW_TRY(const Operator* op, operator_of(graph, node));
    auto types = op->infer({graph, node, graph.opset(node.domain)});
    if (!types) return fail("invalid node", node_text(node), types.error().message());
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kNoValue || i >= types->size()) continue;
      Type& declared = graph.values[node.outputs[i]].type;
      if (!can_be_equal((*types)[i], declared))
        return fail("invalid node", node_text(node),
                    fmt::format("its result '{}' is {}, but the model declares {}",
                                graph.values[node.outputs[i]].name, to_string((*types)[i]),
                                to_string(declared)));
      declared = merged((*types)[i], declared);
    }
  }
  return {};
}

std::string operators_page() {
  std::string page =
      "# Operators of models\n\n"
      "What `hipwright optimize` and `hipwright run-model` understand. Anything else is an error "
      "that names the node and the operator. Opsets 13 to 23.\n\n"
      "| domain | operator | inputs | opset |\n| --- | --- | --- | --- |\n";
  for (const Operator& each : all_operators())
    page += fmt::format(
        "| {} | {} | {} | {} |\n", each.domain.empty() ? "ai.onnx" : each.domain, each.name,
        each.most_inputs == kAnyNumber ? fmt::format("{} or more", each.least_inputs)
        : each.least_inputs == each.most_inputs
            ? std::to_string(each.least_inputs)
            : fmt::format("{} to {}", each.least_inputs, each.most_inputs),
        each.since <= 13 ? std::string("13") : std::to_string(each.since));
  return page;
}

}  // namespace hipwright::graph
