// SPDX-License-Identifier: MIT
// A model as a graph: values, and the nodes that compute them, in an order in which they can run.
//
// Every change preserves what check() requires. Dead values may stay until compact().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "graph/ir/tensor.h"

namespace hipwright::graph {

using ValueId = std::uint32_t;
constexpr ValueId kNoValue = ~ValueId{0};  // an optional input that is omitted

// A number, a symbol ("batch"), or neither: unknown.
struct Dim {
  std::int64_t size = -1;
  std::string symbol;

  Dim() = default;
  Dim(std::int64_t known) : size(known) {}  // NOLINT: a number is a dimension
  explicit Dim(std::string name) : symbol(std::move(name)) {}
  bool is_known() const { return size >= 0; }
  friend bool operator==(const Dim&, const Dim&) = default;
};
using Shape = std::vector<Dim>;
std::string to_string(const Shape& shape);  // "[batch, 128, ?]"
std::optional<Dims> dims_of(const Shape& shape);
Shape shape_of(const Dims& dims);

struct Type {
  ElementType element = ElementType::kUndefined;
  std::optional<Shape> shape;  // without one, not even the number of dimensions is known
  friend bool operator==(const Type&, const Type&) = default;
};
std::string to_string(const Type& type);  // "f32[batch, 128]", "f32[…]"

using Attribute = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>,
                               std::vector<float>, std::vector<std::string>, Tensor>;

struct Value {
  std::string name;
  Type type;
  std::optional<Tensor> constant;  // an initializer
};

struct Node {
  std::string op;
  std::string domain;                    // "": ONNX's own
  std::string name;                      // may be empty
  std::vector<ValueId> inputs, outputs;  // either may have kNoValue
  std::map<std::string, Attribute, std::less<>> attributes;

  // Without the attribute, or with another type: the default.
  std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  float number(std::string_view attribute, float otherwise) const;
  std::string text(std::string_view attribute, std::string_view otherwise) const;
  std::optional<std::vector<std::int64_t>> integers(std::string_view attribute) const;
  bool has(std::string_view attribute) const { return attributes.contains(attribute); }
  // Beyond the last input: kNoValue.
  ValueId input(std::size_t index) const {
    return index < inputs.size() ? inputs[index] : kNoValue;
  }
};
std::string op_text(const Node& node);    // "Add", "hipwright.SiluMul"
std::string node_text(const Node& node);  // "Add 'layer0/add'"

struct Graph {
  std::string name;
  std::int64_t ir_version = 10;
  std::map<std::string, std::int64_t, std::less<>> opsets;  // by domain
  std::map<std::string, std::string> metadata;
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<ValueId> inputs, outputs;
  std::vector<std::string> notes;  // what reading changed, for warnings

  std::int64_t opset(std::string_view domain) const;  // 0: not imported
  // A name that is taken gets a number behind it.
  ValueId add_value(std::string_view wanted_name, Type type = {});
  ValueId add_constant(std::string_view wanted_name, Tensor tensor);
  std::optional<ValueId> find_value(std::string_view value_name) const;
  const Tensor* constant(ValueId value) const;  // nullptr: none, or kNoValue
  const Type* type(ValueId value) const;        // nullptr: kNoValue
  // Removes values that no node, input or output names.
  void compact();
  std::uint64_t constant_bytes() const;
};

// The producer and the users of each value, as indices into nodes. Outdated once the graph changes.
struct Uses {
  explicit Uses(const Graph& graph);
  std::vector<std::int32_t> producer;             // -1: no node
  std::vector<std::vector<std::uint32_t>> users;  // a node that uses a value twice is there twice
  std::vector<bool> is_output;                    // of the graph
};

// The invariants of a graph: names are unique, inputs of a node are defined before it, every value
// is defined once, constants have the bytes that their shape needs. The error names the node.
Status check(const Graph& graph);

// Orders the nodes so that each comes after what it uses; keeps the order where it can. The error
// names a node of a cycle, or one whose input nothing defines.
Status sort_nodes(Graph& graph);

std::string graph_text(const Graph& graph);  // one line for each node
std::string graph_dot(const Graph& graph);   // for Graphviz

}  // namespace hipwright::graph
