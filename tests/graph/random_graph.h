// SPDX-License-Identifier: MIT
// Random models, as bytes choose: the patterns that passes look for, beside what looks like them,
// with inner values as outputs so that a pattern sometimes may not be replaced.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/op.h"

namespace hipwright::graph {

class RandomGraph {
 public:
  explicit RandomGraph(std::string_view bytes) : bytes_(bytes) {
    graph_.name = "random";
    graph_.opsets[""] = 18;
    graph_.inputs = {graph_.add_value("x", {ElementType::kF32, Shape{2, 3, kWidth}}),
                     graph_.add_value("y", {ElementType::kF32, Shape{2, 3, kWidth}})};
    values_ = graph_.inputs;
  }

  Graph make() {
    const int count = 1 + pick(12);
    for (int i = 0; i < count; ++i) step();
    graph_.outputs = {values_.back()};
    for (const ValueId id : inner_)
      if (pick(6) == 0 && id != values_.back()) graph_.outputs.push_back(id);
    std::vector<ValueId> once;
    for (const ValueId id : graph_.outputs) {
      bool is_new = true;
      for (const ValueId other : once) is_new &= other != id;
      for (const ValueId input : graph_.inputs) is_new &= input != id;
      if (is_new) once.push_back(id);
    }
    if (once.empty()) once.push_back(node("Relu", {graph_.inputs[0]}));
    graph_.outputs = once;
    return graph_;
  }

 private:
  static constexpr std::int64_t kWidth = 8;

  int pick(int limit) {
    if (at_ >= bytes_.size()) return 0;
    return static_cast<unsigned char>(bytes_[at_++]) % limit;
  }
  ValueId any() {
    return values_[static_cast<std::size_t>(pick(static_cast<int>(values_.size())))];
  }

  ValueId node(std::string op, std::vector<ValueId> inputs,
               std::map<std::string, Attribute, std::less<>> attributes = {}) {
    const std::string name = op + std::to_string(graph_.nodes.size());
    const ValueId out = graph_.add_value(name + "_out");
    graph_.nodes.push_back(
        {std::move(op), "", name, std::move(inputs), {out}, std::move(attributes)});
    inner_.push_back(out);
    return out;
  }
  ValueId scalar(double value) {
    return graph_.add_constant("c", tensor_of(ElementType::kF32, {}, {value}));
  }
  ValueId weights(Dims dims) {
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) count *= dim;
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back((pick(17) + i * 5 % 13 - 12) / 16.0);
    return graph_.add_constant("w", tensor_of(ElementType::kF32, std::move(dims), values));
  }
  // Either order.
  ValueId both(const char* op, ValueId a, ValueId b) {
    return pick(2) == 0 ? node(op, {a, b}) : node(op, {b, a});
  }
  ValueId mean(ValueId x) {
    return node("ReduceMean",
                {x, graph_.add_constant("axes", int64_tensor({1}, {pick(9) == 0 ? 1 : -1}))});
  }
  ValueId square(ValueId x) {
    return pick(2) == 0 ? node("Mul", {x, x}) : node("Pow", {x, scalar(2)});
  }
  ValueId divided(ValueId x, ValueId squares_of) {
    const ValueId root = node("Sqrt", {both("Add", mean(square(squares_of)), scalar(1e-5))});
    switch (pick(3)) {
      case 0:
        return node("Div", {x, root});
      case 1:
        return both("Mul", x, node("Reciprocal", {root}));
      default:
        return both("Mul", x, node("Div", {scalar(1), root}));
    }
  }
  ValueId rms_norm(ValueId x) { return both("Mul", divided(x, x), weights({kWidth})); }
  ValueId layer_norm(ValueId x) {
    const ValueId centred = node("Sub", {x, mean(x)});
    return both("Add", both("Mul", divided(centred, centred), weights({kWidth})),
                weights({kWidth}));
  }
  ValueId silu(ValueId x) { return both("Mul", x, node("Sigmoid", {x})); }
  ValueId gelu(ValueId x) {
    const ValueId erf = node("Erf", {node("Div", {x, scalar(std::sqrt(2.0))})});
    const ValueId one = both("Add", erf, scalar(1));
    switch (pick(3)) {
      case 0:
        return both("Mul", both("Mul", x, one), scalar(0.5));
      case 1:
        return both("Mul", both("Mul", x, scalar(0.5)), one);
      default:
        return both("Mul", x, both("Mul", one, scalar(0.5)));
    }
  }
  ValueId linear(ValueId x) {
    const ValueId product = node("MatMul", {x, weights({kWidth, kWidth})});
    return pick(2) == 0 ? product : both("Add", product, weights({kWidth}));
  }
  // [2, 3, 8] as two heads of four: [2, 2, 3, 4].
  ValueId heads(ValueId x) {
    const ValueId split =
        node("Reshape", {x, graph_.add_constant("s", int64_tensor({4}, {2, 3, 2, 4}))});
    return node("Transpose", {split}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
  }
  ValueId attention(ValueId q, ValueId k, ValueId v) {
    const ValueId keys =
        node("Transpose", {heads(k)}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
    ValueId scores = node("MatMul", {heads(q), keys});
    if (pick(2) == 0) scores = node("Div", {scores, scalar(2)});
    if (pick(2) == 0) scores = both("Add", scores, weights({3, 3}));
    const ValueId out =
        node("MatMul", {node("Softmax", {scores}, {{"axis", std::int64_t{-1}}}), heads(v)});
    const ValueId joined =
        node("Transpose", {out}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
    return node("Reshape", {joined, graph_.add_constant("s", int64_tensor({3}, {2, 3, kWidth}))});
  }

  void step() {
    const ValueId x = any();
    ValueId out = x;
    switch (pick(16)) {
      case 0:
        out = node("Relu", {x});
        break;
      case 1:
        out = both("Add", x, any());
        break;
      case 2:
        out = node("Tanh", {x});
        break;
      case 3:
        out = linear(x);
        break;
      case 4:
        out = rms_norm(x);
        break;
      case 5:
        out = layer_norm(x);
        break;
      case 6:
        out = silu(x);
        break;
      case 7:
        out = gelu(x);
        break;
      case 8:
        out = both("Mul", silu(linear(x)), linear(x));
        break;
      case 9:
        out = both("Mul", gelu(linear(x)), linear(x));
        break;
      case 10:
        out = attention(linear(x), linear(x), linear(x));
        break;
      case 11:
        out = rms_norm(both("Add", x, any()));
        break;
      case 12:
        out = node("Identity", {node("Cast", {x}, {{"to", std::int64_t{1}}})});
        break;
      case 13: {
        const std::vector<std::int64_t> swap{0, 2, 1};
        out = node("Transpose", {node("Transpose", {x}, {{"perm", swap}})}, {{"perm", swap}});
        break;
      }
      case 14:
        out = both("Add", x, node("Neg", {node("Exp", {weights({kWidth})})}));
        break;
      default:
        out = linear(node("Relu", {linear(x)}));
        break;
    }
    values_.push_back(out);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  Graph graph_;
  std::vector<ValueId> values_, inner_;
};

}  // namespace hipwright::graph
