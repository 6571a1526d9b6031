// SPDX-License-Identifier: MIT
#include "verify/kernel/expression.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace hipwright::verify {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

// Precedence climbing. The depth of parentheses is limited, because specs are untrusted input.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) { out_.text_ = text; }

  Result<Expression> parse() {
    HW_CHECK(binary(0));
    skip();
    if (at_ != text_.size()) return wrong(fmt::format("unexpected '{}'", text_[at_]));
    return std::move(out_);
  }

 private:
  using Op = Expression::Op;
  static constexpr int kDepth = 64;

  struct Binary {
    std::string_view sign;
    Op op;
    int level;
  };
  // Longer operators first.
  static constexpr Binary kBinary[] = {
      {"||", Op::kOr, 0},           {"&&", Op::kAnd, 1},     {"<=", Op::kLessEqual, 2},
      {">=", Op::kGreaterEqual, 2}, {"==", Op::kEqual, 2},   {"!=", Op::kUnequal, 2},
      {"<", Op::kLess, 2},          {">", Op::kGreater, 2},  {"+", Op::kAdd, 3},
      {"-", Op::kSubtract, 3},      {"*", Op::kMultiply, 4}, {"/", Op::kDivide, 4},
      {"%", Op::kRemainder, 4}};

  std::unexpected<Error> wrong(std::string why) const {
    return fail("cannot read the expression", fmt::format("{}", text_),
                fmt::format("{} (column {})", why, at_ + 1));
  }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  int add(Expression::Node node) {
    out_.nodes_.push_back(std::move(node));
    return static_cast<int>(out_.nodes_.size()) - 1;
  }

  const Binary* sign() {
    skip();
    for (const Binary& each : kBinary)
      if (text_.substr(at_).starts_with(each.sign)) return &each;
    return nullptr;
  }

  Result<int> binary(int level) {
    if (++depth_ > kDepth) return wrong("nested too deeply");
    HW_TRY(int left, unary());
    for (const Binary* next = sign(); next != nullptr && next->level >= level; next = sign()) {
      at_ += next->sign.size();
      HW_TRY(const int right, binary(next->level + 1));
      left = add({.op = next->op, .left = left, .right = right});
    }
    --depth_;
    return left;
  }

  Result<int> unary() {
    skip();
    if (at_ >= text_.size()) return wrong("unexpected end");
    if (take('-')) {
      if (++depth_ > kDepth) return wrong("nested too deeply");
      HW_TRY(const int of, unary());
      --depth_;
      return add({.op = Op::kNegate, .left = of});
    }
    if (take('(')) {
      HW_TRY(const int inner, binary(0));
      if (!take(')')) return wrong("missing ')'");
      return inner;
    }
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    if (is_letter(text_[at_])) return name();
    return wrong(fmt::format("unexpected '{}'", text_[at_]));
  }

  Result<int> number() {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) return wrong("not a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return add({.op = Op::kNumber, .number = value});
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Result<int> name() {
    const std::string called = word();
    if (!take('(')) return add({.op = Op::kName, .name = called});
    const Op op = called == "min"        ? Op::kMin
                  : called == "max"      ? Op::kMax
                  : called == "ceil_div" ? Op::kCeilDiv
                                         : Op::kCall;
    HW_TRY(const int first, binary(0));
    if (take(',')) {
      HW_TRY(const int second, binary(0));
      if (!take(')')) return wrong("missing ')'");
      if (op == Op::kCall) return wrong(fmt::format("{} takes one tensor", called));
      return add({.op = op, .left = first, .right = second});
    }
    if (!take(')')) return wrong("missing ')'");
    // One argument: a function of a tensor, min and max too.
    const Expression::Node argument = out_.nodes_[static_cast<std::size_t>(first)];
    if (argument.op != Op::kName || op == Op::kCeilDiv)
      return wrong(fmt::format("{} takes {}", called,
                               op == Op::kCall ? "the name of a tensor" : "two numbers"));
    out_.nodes_.pop_back();  // the tensor's name is not a size
    return add({.op = Op::kCall, .name = called, .argument = argument.name});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Expression out_;
};

Expression Expression::of(std::int64_t number) {
  Expression out;
  out.text_ = std::to_string(number);
  out.nodes_.push_back({.op = Op::kNumber, .number = static_cast<double>(number)});
  return out;
}

Result<Expression> Expression::parse(std::string_view text) {
  return ExpressionParser(text).parse();
}

std::unexpected<Error> Expression::wrong(std::string why) const {
  return fail("cannot compute", text_, std::move(why));
}

Status Expression::check(const Sizes& sizes, const Calls& calls) const {
  for (const Node& node : nodes_) {
    if (node.op == Op::kCall) HW_CHECK(calls(node.name, node.argument));
    if (node.op == Op::kName && node.name != "wave" && !sizes.contains(node.name))
      return wrong(fmt::format("no size named {}", node.name));
  }
  return {};
}

Result<std::int64_t> Expression::integer(const Sizes& sizes) const {
  HW_ASSERT(!empty());
  return integer_at(static_cast<int>(nodes_.size()) - 1, sizes);
}

Result<std::int64_t> Expression::integer_at(int index, const Sizes& sizes) const {
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  if (node.op == Op::kNumber) {
    if (node.number != std::floor(node.number) || std::abs(node.number) > 0x1p53)
      return wrong("sizes must be integers");
    return static_cast<std::int64_t>(node.number);
  }
  if (node.op == Op::kName) {
    const auto found = sizes.find(node.name);
    if (found == sizes.end()) return wrong(fmt::format("no size named {}", node.name));
    return found->second;
  }
  if (node.op == Op::kCall) return wrong(fmt::format("unknown function {} of sizes", node.name));
  HW_TRY(const std::int64_t a, integer_at(node.left, sizes));
  if (node.op == Op::kNegate) {
    if (a == std::numeric_limits<std::int64_t>::min()) return wrong("the result is too large");
    return -a;
  }
  HW_TRY(const std::int64_t b, integer_at(node.right, sizes));
  std::int64_t out = 0;
  bool overflows = false;
  switch (node.op) {
    case Op::kAdd:
      overflows = __builtin_add_overflow(a, b, &out);
      break;
    case Op::kSubtract:
      overflows = __builtin_sub_overflow(a, b, &out);
      break;
    case Op::kMultiply:
      overflows = __builtin_mul_overflow(a, b, &out);
      break;
    case Op::kDivide:
    case Op::kRemainder:
    case Op::kCeilDiv:
      if (b == 0) return wrong("division by zero");
      if (b == -1) return wrong("division by a negative number");
      out = node.op == Op::kRemainder ? a % b : a / b;
      if (node.op == Op::kCeilDiv && a % b != 0 && (a > 0) == (b > 0)) ++out;
      break;
    case Op::kMin:
      out = std::min(a, b);
      break;
    case Op::kMax:
      out = std::max(a, b);
      break;
    default:
      return wrong("a size cannot be a comparison");
  }
  if (overflows) return wrong("the result is too large");
  return out;
}

Result<double> Expression::number(const Sizes& sizes, const Tensors& tensors) const {
  HW_ASSERT(!empty());
  return number_at(static_cast<int>(nodes_.size()) - 1, sizes, tensors);
}

Result<double> Expression::number_at(int index, const Sizes& sizes, const Tensors& tensors) const {
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  if (node.op == Op::kNumber) return node.number;
  if (node.op == Op::kCall) return tensors(node.name, node.argument);
  if (node.op == Op::kName) {
    const auto found = sizes.find(node.name);
    if (found == sizes.end())
      return wrong(
          fmt::format("no size named {}; for a tensor use sum, min, max, mean, first, last or nans",
                      node.name));
    return static_cast<double>(found->second);
  }
  HW_TRY(const double a, number_at(node.left, sizes, tensors));
  if (node.op == Op::kNegate) return -a;
  HW_TRY(const double b, number_at(node.right, sizes, tensors));
  switch (node.op) {
    case Op::kAdd:
      return a + b;
    case Op::kSubtract:
      return a - b;
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return a / b;
    case Op::kRemainder:
      return std::fmod(a, b);
    case Op::kCeilDiv:
      return std::ceil(a / b);
    case Op::kMin:
      return std::fmin(a, b);
    case Op::kMax:
      return std::fmax(a, b);
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterEqual:
      return a >= b;
    case Op::kEqual:
      return a == b;
    case Op::kUnequal:
      return a != b;
    case Op::kAnd:
      return a != 0 && b != 0;
    case Op::kOr:
      return a != 0 || b != 0;
    default:
      return wrong("cannot be computed");
  }
}

}  // namespace hipwright::verify
