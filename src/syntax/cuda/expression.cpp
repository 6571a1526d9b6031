// SPDX-License-Identifier: MIT
#include "syntax/cuda/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace hipwright::syntax::cuda {

namespace {

constexpr Values kUnknownBool{0, 1};

constexpr Values as_values(Truth truth) {
  if (truth == Truth::kMaybe) return kUnknownBool;
  return just(truth == Truth::kYes ? 1 : 0);
}

Truth less(Values a, Values b) {
  if (a.high < b.low) return Truth::kYes;
  return a.low >= b.high ? Truth::kNo : Truth::kMaybe;
}

Truth equal(Values a, Values b) {
  if (a.is_one() && b.is_one() && a.low == b.low) return Truth::kYes;
  return a.high < b.low || b.high < a.low ? Truth::kNo : Truth::kMaybe;
}

Values arithmetic(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &result) ? Values{} : just(result);
  if (op == "-") return __builtin_sub_overflow(a, b, &result) ? Values{} : just(result);
  if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Values{} : just(result);
  if (op == "/" || op == "%") {
    if (b == 0 || (a == INT64_MIN && b == -1)) return {};
    return just(op == "/" ? a / b : a % b);
  }
  if (op == "&") return just(a & b);
  if (op == "|") return just(a | b);
  if (op == "^") return just(a ^ b);
  if (b < 0 || b > 62 || a < 0) return {};
  if (op == ">>") return just(a >> b);
  return a > (INT64_MAX >> b) ? Values{} : just(a << b);  // <<
}

Values combine(std::string_view op, Values a, Values b) {
  if (op == "||") return as_values(a.truth() | b.truth());
  if (op == "&&") return as_values(a.truth() & b.truth());
  if (op == "==") return as_values(equal(a, b));
  if (op == "!=") return as_values(!equal(a, b));
  if (op == "<") return as_values(less(a, b));
  if (op == ">") return as_values(less(b, a));
  if (op == "<=") return as_values(!less(b, a));
  if (op == ">=") return as_values(!less(a, b));
  return a.is_one() && b.is_one() ? arithmetic(op, a.low, b.low) : Values{};
}

struct Operator {
  std::string_view text;
  int precedence;
};

constexpr std::array kOperators = std::to_array<Operator>({
    {"||", 1}, {"or", 1}, {"&&", 2}, {"and", 2}, {"|", 3},  {"^", 4},  {"&", 5},
    {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},   {"<=", 7}, {">=", 7}, {"<<", 8},
    {">>", 8}, {"+", 9},  {"-", 9},  {"*", 10},  {"/", 10}, {"%", 10},
});

Values integer(std::string_view text) {
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits),
               [](char c) { return c != '\''; });
  int base = 10;
  std::size_t begin = 0;
  if (digits.size() > 1 && digits[0] == '0') {
    const char second = static_cast<char>(digits[1] | 0x20);
    base = second == 'x' ? 16 : second == 'b' ? 2 : 8;
    begin = base == 8 ? 1 : 2;
    if (base == 8 && !(second >= '0' && second <= '7')) begin = 0;
  }
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data() + begin, end, value, base);
  const bool is_suffix = std::all_of(stop, end, [](char c) {
    return c == 'u' || c == 'U' || c == 'l' || c == 'L' || c == 'z' || c == 'Z';
  });
  if (error != std::errc() || !is_suffix || value > static_cast<std::uint64_t>(INT64_MAX))
    return {};
  return just(static_cast<std::int64_t>(value));
}

class Evaluator {
 public:
  Evaluator(std::string_view text, std::span<const Token> tokens, const MacroLookup& lookup)
      : text_(text), tokens_(tokens), lookup_(lookup) {}

  Values run() {
    const Values value = ternary();
    return at_ == tokens_.size() && !is_lost_ ? value : Values{};
  }

 private:
  static constexpr int kDeepest = 200;

  std::string_view word() const {
    if (at_ >= tokens_.size() || tokens_[at_].kind == Kind::kEnd) return {};
    return text_.substr(tokens_[at_].begin, tokens_[at_].end - tokens_[at_].begin);
  }
  bool take(std::string_view expected) {
    if (word() != expected) return false;
    ++at_;
    return true;
  }

  Values ternary() {
    const Values condition = binary(1);
    if (!take("?")) return condition;
    if (++depth_ > kDeepest) return lose();
    const Values yes = ternary();
    take(":");
    const Values no = ternary();
    --depth_;
    if (condition.truth() != Truth::kMaybe) return condition.truth() == Truth::kYes ? yes : no;
    return {std::min(yes.low, no.low), std::max(yes.high, no.high)};
  }

  Values binary(int lowest) {
    Values left = unary();
    while (!is_lost_) {
      const std::string_view op = word();
      const auto* found = std::find_if(kOperators.begin(), kOperators.end(),
                                       [&](const Operator& each) { return each.text == op; });
      if (found == kOperators.end() || found->precedence < lowest) break;
      ++at_;
      const Values right = binary(found->precedence + 1);
      left = combine(op == "or" ? "||" : op == "and" ? "&&" : op, left, right);
    }
    return left;
  }

  Values unary() {
    if (depth_ >= kDeepest) return lose();
    ++depth_;
    const Values value = primary();
    --depth_;
    return value;
  }

  Values primary() {
    if (take("!") || take("not")) return as_values(!unary().truth());
    if (take("-")) return combine("-", just(0), unary());
    if (take("+")) return unary();
    if (take("~")) return combine("^", just(-1), unary());
    if (take("(")) {
      const Values value = ternary();
      if (!take(")")) return lose();
      return value;
    }
    const std::string_view text = word();
    if (text.empty()) return lose();
    const Kind kind = tokens_[at_++].kind;
    if (kind == Kind::kNumber) return integer(text);
    if (kind == Kind::kName) return name(text);
    return kind == Kind::kChar ? Values{} : lose();
  }

  Values name(std::string_view text) {
    if (text == "defined") return defined();
    if (text == "true") return just(1);
    if (text == "false") return just(0);
    if (word() == "(") {  // a macro with arguments, __has_include and the like
      skip_parentheses();
      return {};
    }
    const MacroState state = lookup_(text);
    if (state.defined == Truth::kNo) return just(0);
    if (state.defined == Truth::kYes) return state.value;
    return {std::min<std::int64_t>(0, state.value.low),
            std::max<std::int64_t>(0, state.value.high)};
  }

  Values defined() {
    const bool has_parenthesis = take("(");
    const std::string_view text = word();
    if (text.empty() || tokens_[at_].kind != Kind::kName) return lose();
    ++at_;
    if (has_parenthesis && !take(")")) return lose();
    return as_values(lookup_(text).defined);
  }

  void skip_parentheses() {
    int open = 0;
    while (at_ < tokens_.size()) {
      const std::string_view text = word();
      ++at_;
      if (text == "(") ++open;
      if (text == ")" && --open == 0) return;
    }
  }

  Values lose() {
    is_lost_ = true;
    at_ = tokens_.size();
    return {};
  }

  std::string_view text_;
  std::span<const Token> tokens_;
  const MacroLookup& lookup_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool is_lost_ = false;
};

}  // namespace

Values evaluate(std::string_view text, std::span<const Token> tokens, const MacroLookup& lookup) {
  return Evaluator(text, tokens, lookup).run();
}

}  // namespace hipwright::syntax::cuda
