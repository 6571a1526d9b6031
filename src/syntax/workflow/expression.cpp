// SPDX-License-Identifier: MIT
#include "syntax/workflow/expression.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "base/words.h"

namespace hipwright::syntax::workflow {

namespace {

constexpr unsigned kMaxDepth = 50;

struct Function {
  std::string_view name;
  unsigned least, most;
};
constexpr unsigned kAny = 255;
constexpr Function kFunctions[] = {{"contains", 2, 2},   {"startsWith", 2, 2},   {"endsWith", 2, 2},
                                   {"format", 1, kAny},  {"join", 1, 2},         {"toJSON", 1, 1},
                                   {"fromJSON", 1, 1},   {"hashFiles", 1, kAny}, {"case", 3, kAny},
                                   {"success", 0, kAny}, {"failure", 0, kAny},   {"always", 0, 0},
                                   {"cancelled", 0, 0}};
constexpr std::string_view kContexts[] = {"github",   "env",    "vars",   "job",
                                          "jobs",     "steps",  "runner", "secrets",
                                          "strategy", "matrix", "needs",  "inputs"};

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '-';
}

class Reader {
 public:
  Reader(std::string_view text, Expression& out) : text_(text), out_(out) {}

  void read() {
    skip();
    if (at_end()) return fail(0, "empty expression");
    binary(0);
    skip();
    if (!failed_ && !at_end())
      fail(pos_, peek() == '"' ? "strings are in single quotes: 'text'"
                               : fmt::format("unexpected '{}'", peek()));
  }

 private:
  bool at_end() const { return pos_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  void skip() {
    while (!at_end() && kBlanks.find(peek()) != kBlanks.npos) ++pos_;
  }
  void fail(std::size_t at, std::string what) {
    if (!failed_) out_.problems.push_back({{at, std::min(at + 1, text_.size())}, std::move(what)});
    failed_ = true;
    pos_ = text_.size();
  }

  bool take_operator() {
    skip();
    for (const std::string_view op : {"&&", "||", "==", "!=", "<=", ">=", "<", ">"})
      if (text_.substr(pos_).starts_with(op)) {
        pos_ += op.size();
        return true;
      }
    if (peek() == '=' || peek() == '&' || peek() == '|')
      fail(pos_, fmt::format("unknown operator '{0}': use '{0}{0}'", peek()));
    else if (peek() == '+' || peek() == '-' || peek() == '*' || peek() == '/')
      fail(pos_, "expressions have no arithmetic");
    return false;
  }

  // All binary operators alike: only what is named matters, not the order.
  void binary(unsigned depth) {
    if (depth > kMaxDepth) return fail(pos_, "nested too deep");
    unary(depth);
    while (!failed_ && take_operator()) unary(depth);
  }

  void unary(unsigned depth) {
    skip();
    while (peek() == '!' && peek(1) != '=') {
      ++pos_;
      skip();
    }
    primary(depth);
  }

  void primary(unsigned depth) {
    if (failed_) return;
    if (at_end())
      return fail(text_.empty() ? 0 : text_.size() - 1, "the expression ends too early");
    const char c = peek();
    if (c == '(') {
      const std::size_t open = pos_++;
      binary(depth + 1);
      skip();
      if (failed_) return;
      if (peek() != ')') return fail(open, "unclosed '('");
      ++pos_;
      return postfix(nullptr, depth);
    }
    if (c == '\'') return void(string_literal());
    if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') return number();
    if (is_name_start(c)) return name(depth);
    fail(pos_,
         c == '"' ? "strings are in single quotes: 'text'" : fmt::format("unexpected '{}'", c));
  }

  std::string string_literal() {
    std::string value;
    const std::size_t open = pos_++;
    while (!at_end()) {
      if (peek() == '\'' && peek(1) == '\'') {
        value += '\'';
        pos_ += 2;
      } else if (peek() == '\'') {
        ++pos_;
        return value;
      } else {
        value += text_[pos_++];
      }
    }
    fail(open, "unclosed string");
    return value;
  }

  void number() {
    const Number number = number_at(text_.substr(pos_));
    if (!number.value)
      fail(pos_, fmt::format("'{}' is not a number", text_.substr(pos_, number.length)));
    pos_ += number.length;
  }

  std::string_view word() {
    const std::size_t begin = pos_;
    while (is_name(peek())) ++pos_;
    return text_.substr(begin, pos_ - begin);
  }

  void name(unsigned depth) {
    const std::size_t begin = pos_;
    const std::string_view first = word();
    skip();
    if (peek() == '(') return call(first, begin, depth);
    if (is_any(lowered(first), {"true", "false", "null", "nan", "infinity"})) return;
    if (!is_context(first)) return unknown(first, begin);
    Reference reference{.path = lowered(first), .span = {begin, begin + first.size()}};
    postfix(&reference, depth);
    out_.references.push_back(std::move(reference));
  }

  void unknown(std::string_view first, std::size_t begin) {
    for (const Function& function : kFunctions)
      if (same_name(function.name, first))
        return fail(begin, fmt::format("{0} is a function: write {0}()", first));
    std::string near;
    for (const std::string_view context : kContexts)
      if (first.size() < 20 && edit_distance(lowered(first), context) <= 2)
        near = fmt::format(" (did you mean {}?)", context);
    fail(begin, fmt::format("unknown name '{}'{}; strings are in single quotes",
                            first.substr(0, 40), near));
  }

  void call(std::string_view function, std::size_t begin, unsigned depth) {
    const auto known = std::ranges::find_if(
        kFunctions, [&](const Function& each) { return same_name(each.name, function); });
    if (known == std::ranges::end(kFunctions))
      return fail(begin, fmt::format("unknown function '{}'", function.substr(0, 40)));
    out_.calls.push_back({std::string(function), {begin, begin + function.size()}});
    const std::size_t open = pos_++;
    unsigned count = 0;
    for (skip(); !failed_ && peek() != ')'; skip()) {
      if (count > 0) {
        if (peek() != ',')
          return fail(at_end() ? open : pos_, at_end() ? "unclosed '('" : "expected ',' or ')'");
        ++pos_;
      }
      binary(depth + 1);
      ++count;
    }
    if (failed_) return;
    ++pos_;
    if (count < known->least || count > known->most)
      return fail(begin, fmt::format("{} takes {}{} argument{}, not {}", function,
                                     known->most == kAny ? "at least " : "",
                                     known->least == known->most || known->most == kAny
                                         ? std::to_string(known->least)
                                         : fmt::format("{} to {}", known->least, known->most),
                                     known->least == 1 && known->most == 1 ? "" : "s", count));
    postfix(nullptr, depth);
  }

  // ".name", ".*", "[…]"
  void postfix(Reference* reference, unsigned depth) {
    const auto add = [&](std::string_view part) {
      if (reference == nullptr) return;
      reference->path.append(".").append(lowered(part));
      reference->span.end = pos_;
    };
    for (skip(); !failed_; skip()) {
      if (peek() == '.') {
        ++pos_;
        skip();
        if (peek() == '*') {
          ++pos_;
          add("*");
        } else if (is_name_start(peek())) {
          add(word());
        } else {
          return fail(pos_, "expected a name after '.'");
        }
      } else if (peek() == '[') {
        const std::size_t open = pos_++;
        skip();
        std::string part = "*";
        if (peek() == '*')
          ++pos_;
        else if (peek() == '\'')
          part = string_literal();
        else
          binary(depth + 1);
        skip();
        if (failed_) return;
        if (peek() != ']') return fail(open, "unclosed '['");
        ++pos_;
        add(part);
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  Expression& out_;
  std::size_t pos_ = 0;
  bool failed_ = false;
};

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return lowered(a) == lowered(b);
}

bool is_context(std::string_view name) {
  return is_any(lowered(name), kContexts);
}

Number number_at(std::string_view text) {
  const auto is_exponent = [](char c) { return c == 'e' || c == 'E'; };
  std::size_t length = 1;
  while (length < text.size() && (is_name(text[length]) || text[length] == '.' ||
                                  (text[length] == '+' && is_exponent(text[length - 1]))))
    ++length;
  std::string_view digits = text.substr(0, length);
  const auto whole = [&](int base) -> std::optional<double> {
    std::uint32_t value = 0;
    digits.remove_prefix(2);
    const auto [end, code] = std::from_chars(digits.begin(), digits.end(), value, base);
    if (digits.empty() || code != std::errc() || end != digits.end()) return std::nullopt;
    return value;
  };
  if (digits.starts_with("0x")) return {length, whole(16)};
  if (digits.starts_with("0o")) return {length, whole(8)};
  // strtod() reads more: names of infinity and hexadecimal fractions.
  if (digits.find_first_not_of("0123456789.eE+-") != digits.npos) return {length, std::nullopt};
  const std::string copy(digits);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return {length, std::nullopt};
  return {length, value};
}

Expression parse_expression(std::string_view text) {
  Expression expression;
  Reader(text, expression).read();
  return expression;
}

}  // namespace hipwright::syntax::workflow
