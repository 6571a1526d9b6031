// SPDX-License-Identifier: MIT
// A small decoder as exporters write it: norms and activations from primitive operators, keys and
// values repeated for groups of heads.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/op.h"

namespace hipwright::graph {

class Decoder {
 public:
  static constexpr std::int64_t kTokens = 4, kWidth = 16, kHeads = 4, kGroups = 2, kHead = 4,
                                kInner = 32;

  Graph make(int layers) {
    graph_.name = "decoder";
    graph_.opsets[""] = 18;
    const Shape shape{1, kTokens, kWidth};
    ValueId x = graph_.add_value("hidden", {ElementType::kF32, shape});
    graph_.inputs = {x};
    for (int i = 0; i < layers; ++i) {
      prefix_ = "layer" + std::to_string(i) + "/";
      x = node("Add", {x, attention(norm(x))});
      x = node("Add", {x, mlp(norm(x))});
    }
    prefix_ = "final/";
    const ValueId out = norm(x);
    graph_.values[out].name = "out";
    graph_.outputs = {out};
    return graph_;
  }

 private:
  using Attributes = std::map<std::string, Attribute, std::less<>>;

  ValueId node(const std::string& op, std::vector<ValueId> inputs, Attributes attributes = {}) {
    const std::string name = prefix_ + op + "_" + std::to_string(graph_.nodes.size());
    const ValueId out = graph_.add_value(name);
    graph_.nodes.push_back({op, "", name, std::move(inputs), {out}, std::move(attributes)});
    return out;
  }
  ValueId list(std::vector<std::int64_t> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return graph_.add_constant(prefix_ + "list", int64_tensor({count}, values));
  }
  ValueId scalar(double value) {
    return graph_.add_constant(prefix_ + "scalar", tensor_of(ElementType::kF32, {}, {value}));
  }
  ValueId weights(const char* name, Dims dims) {
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) count *= dim;
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) {
      seed_ = seed_ * 6364136223846793005U + 1442695040888963407U;
      values.push_back((static_cast<double>(seed_ >> 40) / 0x1p24 - 0.5) * 0.5);
    }
    return graph_.add_constant(prefix_ + name,
                               tensor_of(ElementType::kF32, std::move(dims), values));
  }
  ValueId product(ValueId x, const char* name, std::int64_t to) {
    const std::int64_t from = std::string_view(name) == "down" ? kInner : kWidth;
    return node("MatMul", {x, weights(name, {from, to})});
  }
  ValueId norm(ValueId x) {
    const ValueId square = node("Pow", {x, scalar(2)});
    const ValueId mean = node("ReduceMean", {square, list({-1})});
    const ValueId root = node("Sqrt", {node("Add", {mean, scalar(1e-5)})});
    const ValueId scaled = node("Mul", {x, node("Div", {scalar(1), root})});
    return node("Mul", {weights("norm", {kWidth}), scaled});
  }
  ValueId heads(ValueId x, std::int64_t count) {
    const ValueId split = node("Reshape", {x, list({1, kTokens, count, kHead})});
    return node("Transpose", {split}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
  }
  ValueId repeated(ValueId x) {
    const ValueId five = node("Unsqueeze", {x, list({2})});
    const ValueId wide =
        node("Expand", {five, list({1, kGroups, kHeads / kGroups, kTokens, kHead})});
    return node("Reshape", {wide, list({1, kHeads, kTokens, kHead})});
  }
  ValueId attention(ValueId x) {
    const ValueId q = heads(product(x, "q", kHeads * kHead), kHeads);
    const ValueId k = repeated(heads(product(x, "k", kGroups * kHead), kGroups));
    const ValueId v = repeated(heads(product(x, "v", kGroups * kHead), kGroups));
    const ValueId keys = node("Transpose", {k}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
    const ValueId scores = node("Mul", {node("MatMul", {q, keys}), scalar(0.5)});
    std::vector<double> hidden;
    for (std::int64_t i = 0; i < kTokens * kTokens; ++i)
      hidden.push_back(i % kTokens > i / kTokens ? -1e9 : 0);
    const ValueId mask = graph_.add_constant(
        prefix_ + "mask", tensor_of(ElementType::kF32, {1, 1, kTokens, kTokens}, hidden));
    const ValueId rows =
        node("Softmax", {node("Add", {scores, mask})}, {{"axis", std::int64_t{-1}}});
    const ValueId out = node("Transpose", {node("MatMul", {rows, v})},
                             {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
    return product(node("Reshape", {out, list({1, kTokens, kWidth})}), "o", kWidth);
  }
  ValueId mlp(ValueId x) {
    const ValueId gate = product(x, "gate", kInner), up = product(x, "up", kInner);
    const ValueId silu = node("Mul", {gate, node("Sigmoid", {gate})});
    return product(node("Mul", {silu, up}), "down", kWidth);
  }

  Graph graph_;
  std::string prefix_;
  std::uint64_t seed_ = 1;
};

}  // namespace hipwright::graph
