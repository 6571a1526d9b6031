// SPDX-License-Identifier: MIT
#include "port/isolation/condition.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

struct Operator {
  std::string_view text;
  int precedence;
};

constexpr std::array kOperators = std::to_array<Operator>({
    {"||", 1},
    {"&&", 2},
    {"|", 3},
    {"^", 4},
    {"&", 5},
    {"==", 6},
    {"!=", 6},
    {"<", 7},
    {">", 7},
    {"<=", 7},
    {">=", 7},
    {"<<", 8},
    {">>", 8},
    {"+", 9},
    {"-", 9},
    {"*", 10},
    {"/", 10},
    {"%", 10},
});

// A part of the expression: its text, and its truth value if known. A number that is
// not a truth value (900) has both.
struct Part {
  std::string text;
  std::optional<bool> truth;
  bool is_boolean = false;  // its value is 0 or 1
};

constexpr std::string_view kTruthOf = "truth of ";

// Where only the truth value counts, it replaces the value.
Part as_condition(Part part) {
  if (part.text.starts_with(kTruthOf)) part.text.erase(0, kTruthOf.size());
  return part;
}

// X || 0 has the truth value of X, not its value.
Part truth_of(Part part) {
  if (!part.is_boolean) part.text.insert(0, kTruthOf);
  part.is_boolean = true;
  return part;
}

Part known(bool truth) {
  return {truth ? "1" : "0", truth, true};
}

class Reader {
 public:
  Reader(std::string_view text, std::span<const cu::Token> tokens,
         const std::function<bool(std::string_view)>& is_undefined)
      : text_(text), tokens_(tokens), is_undefined_(is_undefined) {}

  std::optional<Part> read() {
    Part part = as_condition(ternary());
    return at_ == tokens_.size() && !is_lost_ ? std::optional(std::move(part)) : std::nullopt;
  }

 private:
  static constexpr int kDeepest = 200;

  std::string_view word() const {
    if (at_ >= tokens_.size()) return {};
    return text_.substr(tokens_[at_].begin, tokens_[at_].end - tokens_[at_].begin);
  }
  bool take(std::string_view expected) {
    if (at_ >= tokens_.size() || word() != expected) return false;
    ++at_;
    return true;
  }
  Part lose() {
    is_lost_ = true;
    return {};
  }

  Part ternary() {
    if (++depth_ > kDeepest) return lose();
    Part condition = binary(1);
    if (take("?")) {
      Part yes = ternary();
      if (!take(":")) return lose();
      Part no = ternary();
      condition =
          condition.truth
              ? (*condition.truth ? yes : no)
              : Part{fmt::format("({} ? {} : {})", as_condition(condition).text, yes.text, no.text),
                     {}};
    }
    --depth_;
    return condition;
  }

  Part binary(int lowest) {
    Part left = unary();
    while (!is_lost_) {
      std::string_view op = word();
      if (op == "or") op = "||";
      if (op == "and") op = "&&";
      const auto* found = std::find_if(kOperators.begin(), kOperators.end(),
                                       [&](const Operator& each) { return each.text == op; });
      if (found == kOperators.end() || found->precedence < lowest) break;
      ++at_;
      left = combine(op, std::move(left), binary(found->precedence + 1));
    }
    return left;
  }

  // A known truth value is folded; one that decides replaces the whole expression.
  static Part combine(std::string_view op, Part left, Part right) {
    if (op == "&&" || op == "||") {
      const bool decides = op == "||";
      if ((left.truth && *left.truth == decides) || (right.truth && *right.truth == decides))
        return known(decides);
      if (left.truth && right.truth) return known(!decides);
      if (left.truth) return truth_of(right);
      if (right.truth) return truth_of(left);
      return {fmt::format("({} {} {})", as_condition(left).text, op, as_condition(right).text),
              {},
              true};
    }
    if (left.text == "0" && op == "*") return known(false);
    if (right.text == "0" && op == "+") return left;
    if (left.text == "0" && op == "+") return right;
    if (left.truth && right.truth && is_number(left.text) && is_number(right.text)) {
      if (const auto truth = compare(op, number(left.text), number(right.text)))
        return known(*truth);
    }
    const bool is_comparison = compare(op, 0, 0).has_value();
    return {fmt::format("({} {} {})", left.text, op, right.text), {}, is_comparison};
  }

  static bool is_number(std::string_view text) {
    return text.size() < 18 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  static long number(const std::string& text) { return std::stol(text); }
  static std::optional<bool> compare(std::string_view op, long a, long b) {
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    return std::nullopt;
  }

  Part unary() {
    if (++depth_ > kDeepest) return lose();
    Part part = primary();
    --depth_;
    return part;
  }

  Part primary() {
    if (take("!") || take("not")) {
      Part part = as_condition(unary());
      if (part.truth) return known(!*part.truth);
      if (part.text.starts_with('!')) return truth_of({part.text.substr(1), {}});
      return {"!" + part.text, {}, true};
    }
    if (take("(")) {
      Part part = ternary();
      return take(")") ? part : lose();
    }
    if (take("-") || take("+") || take("~")) {
      const std::string sign(text_.substr(tokens_[at_ - 1].begin, 1));
      return {sign + unary().text, {}};
    }
    if (at_ >= tokens_.size()) return lose();
    const cu::Token& token = tokens_[at_];
    const std::string_view name = word();
    ++at_;
    if (token.kind == cu::Kind::kNumber) {
      Part part{std::string(name), {}};
      if (is_number(name)) part.truth = number(part.text) != 0;
      return part;
    }
    if (token.kind != cu::Kind::kName) return lose();
    if (name == "defined") return definition();
    if (is_undefined_(name)) {
      if (word() == "(") return lose();
      return known(false);
    }
    return call(name);
  }

  Part definition() {
    const bool is_bracketed = take("(");
    const std::string_view name = word();
    if (at_ >= tokens_.size() || tokens_[at_].kind != cu::Kind::kName) return lose();
    ++at_;
    if (is_bracketed && !take(")")) return lose();
    if (is_undefined_(name)) return known(false);
    return {fmt::format("defined({})", name), {}, true};
  }

  // A macro with arguments, __has_include(<…>): its text unchanged.
  Part call(std::string_view name) {
    std::string words(name);
    if (word() != "(") return {words, {}};
    int depth = 0;
    do {
      const std::string_view next = word();
      if (at_ >= tokens_.size()) return lose();
      depth += next == "(" ? 1 : next == ")" ? -1 : 0;
      words += next;
      ++at_;
    } while (depth > 0);
    return {words, {}};
  }

  std::string_view text_;
  std::span<const cu::Token> tokens_;
  const std::function<bool(std::string_view)>& is_undefined_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool is_lost_ = false;
};

}  // namespace

Condition simplified(std::string_view text, std::span<const cu::Token> tokens,
                     const std::function<bool(std::string_view)>& is_undefined) {
  if (const auto part = Reader(text, tokens, is_undefined).read()) {
    if (part->truth) return {*part->truth ? Condition::Kind::kTrue : Condition::Kind::kFalse, {}};
    return {Condition::Kind::kOpen, part->text};
  }
  std::string words;
  for (const cu::Token& token : tokens)
    words += std::string(text.substr(token.begin, token.end - token.begin)) + " ";
  return {Condition::Kind::kOpen, words};
}

Condition negated(const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::kFalse:
      return {Condition::Kind::kTrue, {}};
    case Condition::Kind::kTrue:
      return {Condition::Kind::kFalse, {}};
    case Condition::Kind::kOpen:
      break;
  }
  const bool is_negation = condition.text.starts_with('!');
  return {Condition::Kind::kOpen, is_negation ? condition.text.substr(1) : "!" + condition.text};
}

}  // namespace hipwright::port
