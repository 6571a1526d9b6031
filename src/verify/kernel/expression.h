// SPDX-License-Identifier: MIT
// Sizes and claims in a kernel's spec: "(n + 255) / 256", "sum(y) >= 0".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::verify {

using Sizes = std::map<std::string, std::int64_t, std::less<>>;

// Numbers, names, + - * / %, comparisons, && ||, parentheses, and calls: min, max and ceil_div of
// numbers, and the tensor functions that a Tensors callback evaluates.
class Expression {
 public:
  // Evaluates a call f(name) in a claim about tensors.
  using Tensors = std::function<Result<double>(std::string_view function, std::string_view name)>;

  Expression() = default;
  static Expression of(std::int64_t number);
  static Result<Expression> parse(std::string_view text);

  // In integers; / rounds towards zero. Overflow and division by zero are errors.
  Result<std::int64_t> integer(const Sizes& sizes) const;
  // In floating point.
  Result<double> number(const Sizes& sizes, const Tensors& tensors) const;
  // Checks that every name exists: a size, `wave`, or a call that `calls` accepts.
  using Calls = std::function<Status(std::string_view function, std::string_view name)>;
  Status check(const Sizes& sizes, const Calls& calls) const;
  const std::string& text() const { return text_; }
  bool empty() const { return nodes_.empty(); }

 private:
  friend class ExpressionParser;
  enum class Op : std::uint8_t {
    kNumber,
    kName,
    kCall,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kEqual,
    kUnequal,
    kAnd,
    kOr,
    kMin,
    kMax,
    kCeilDiv
  };
  struct Node {
    Op op = Op::kNumber;
    int left = -1, right = -1;
    double number = 0;
    std::string name, argument;
  };
  Result<std::int64_t> integer_at(int node, const Sizes& sizes) const;
  Result<double> number_at(int node, const Sizes& sizes, const Tensors& tensors) const;
  std::unexpected<Error> wrong(std::string why) const;

  std::string text_;
  std::vector<Node> nodes_;  // the last is the root
};

}  // namespace hipwright::verify
