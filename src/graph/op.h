// SPDX-License-Identifier: MIT
// An operator is a row of a table: its name, how its results' types follow from those of its
// inputs, and plain reference code. A file ops/<area>/<name>.cpp defines one function with its own
// name in hipwright::graph::ops, which returns the rows; the build generates the list of all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "graph/ir/graph.h"

namespace hipwright::graph {

// Operators that ONNX lacks, of version 1: what passes make of several.
constexpr const char* kOwnDomain = "hipwright";

// What is known about a node during inference.
struct TypedCall {
  const Graph& graph;
  const Node& node;
  std::int64_t opset;

  const Type* type(std::size_t input) const { return graph.type(node.input(input)); }
  // The value of a constant input; nullptr: not constant, or omitted.
  const Tensor* constant(std::size_t input) const { return graph.constant(node.input(input)); }
  // The shape of an input; nullptr: unknown, or omitted.
  const Shape* shape(std::size_t input) const;
  ElementType element(std::size_t input) const;
};

struct Call {
  const Node& node;
  std::int64_t opset;
  std::vector<const Tensor*> inputs;  // nullptr: omitted

  const Tensor* input(std::size_t index) const {
    return index < inputs.size() ? inputs[index] : nullptr;
  }
  const Tensor& operator[](std::size_t index) const { return *inputs[index]; }
};

using Types = std::vector<Type>;
using Tensors = std::vector<Tensor>;

struct Operator {
  std::string_view name;
  std::size_t least_inputs, most_inputs;  // the first `least_inputs` may not be omitted
  // One type for each result. A result without a shape: it cannot be known.
  Result<Types> (*infer)(const TypedCall& call);
  // Inputs have arithmetic (has_arithmetic).
  Result<Tensors> (*run)(const Call& call);
  std::int64_t since = 1;  // the first opset whose meaning this is, or the first with the operator
  std::string_view domain = "";
  // Of the first input, only the shape is read; it may be returned with another one.
  bool reads_first_shape = false;
};
using Operators = std::vector<Operator>;

struct OperatorsEntry {
  const char* source;  // "elementwise/unary.cpp"
  Operators (*make)();
};

constexpr std::size_t kAnyNumber = 1 << 20;

const std::vector<Operator>& all_operators();  // by domain and name
const Operator* find_operator(std::string_view domain, std::string_view name);
// The operator of a node, with enough inputs. The error names the node and the operator.
Result<const Operator*> operator_of(const Graph& graph, const Node& node);

// Runs one node. The error names it.
Result<Tensors> run_node(const Graph& graph, const Node& node,
                         const std::vector<const Tensor*>& inputs);
// Types of all values that nodes make, as far as they follow from the inputs. The error names the
// node whose inputs do not fit, or whose declared result differs.
Status infer_types(Graph& graph);

std::string operators_page();  // docs/graph-operators.md

}  // namespace hipwright::graph
