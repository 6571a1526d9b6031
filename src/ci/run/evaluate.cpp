// SPDX-License-Identifier: MIT
#include "ci/run/evaluate.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/words.h"
#include "syntax/workflow/expression.h"

namespace hipwright::ci {

namespace {

// Of a text that an expression makes: format() and join() of their own results double it.
constexpr std::size_t kLongestText = std::size_t{10} << 20;

double as_number(const Json& value) {
  if (value.is_null()) return 0;
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nan("");
  const std::string text(trimmed(value.get<std::string>()));
  if (text.empty()) return 0;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return *end == '\0' ? number : std::nan("");
}

bool equal(const Json& a, const Json& b) {
  if (a.is_string() && b.is_string())
    return lowered(a.get<std::string>()) == lowered(b.get<std::string>());
  if (a.is_structured() || b.is_structured()) return false;
  return as_number(a) == as_number(b);
}

// A property by name, without case.
Json property(const Json& value, const std::string& name) {
  if (value.is_object())
    for (const auto& [key, each] : value.items())
      if (lowered(key) == lowered(name)) return each;
  if (value.is_array() && !name.empty() && name.find_first_not_of("0123456789") == name.npos) {
    const std::size_t index = name.size() < 9 ? std::stoul(name) : value.size();
    if (index < value.size()) return value[index];
  }
  return nullptr;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const Contexts& contexts) : text_(text), contexts_(contexts) {}

  // The text is known to parse.
  Json run() { return either(); }
  const std::string& error() const { return error_; }

 private:
  char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  bool take(std::string_view word) {
    while (kBlanks.find(peek()) != kBlanks.npos && peek() != '\0') ++pos_;
    if (!text_.substr(std::min(pos_, text_.size())).starts_with(word)) return false;
    pos_ += word.size();
    return true;
  }

  Json either() {
    Json value = both();
    while (take("||")) {
      Json other = both();
      if (!is_true(value)) value = std::move(other);
    }
    return value;
  }
  Json both() {
    Json value = same();
    while (take("&&")) {
      Json other = same();
      if (is_true(value)) value = std::move(other);
    }
    return value;
  }
  Json same() {
    Json value = ordered();
    for (;;) {
      if (take("=="))
        value = equal(value, ordered());
      else if (take("!="))
        value = !equal(value, ordered());
      else
        return value;
    }
  }
  Json ordered() {
    Json value = negated();
    for (;;) {
      if (take("<="))
        value = as_number(value) <= as_number(negated());
      else if (take(">="))
        value = as_number(value) >= as_number(negated());
      else if (take("<"))
        value = as_number(value) < as_number(negated());
      else if (take(">"))
        value = as_number(value) > as_number(negated());
      else
        return value;
    }
  }
  Json negated() {
    bool is_negated = false, is_odd = false;
    for (take(""); peek() == '!' && peek(1) != '='; take("")) {
      ++pos_;
      is_negated = true;
      is_odd = !is_odd;
    }
    Json value = primary();
    return is_negated ? Json(is_true(value) != is_odd) : value;
  }

  Json primary() {
    if (take("(")) {
      Json value = either();
      take(")");
      return postfix(std::move(value));
    }
    if (peek() == '\'') return string_literal();
    if ((peek() >= '0' && peek() <= '9') || peek() == '-' || peek() == '+' || peek() == '.')
      return number();
    const std::string name = word();
    if (take("(")) return postfix(call(lowered(name)));
    if (name == "true" || name == "false") return name == "true";
    if (name == "null") return nullptr;
    return postfix(property(contexts_.values, name));
  }

  std::string word() {
    const std::size_t begin = pos_;
    while ((peek() >= 'a' && peek() <= 'z') || (peek() >= 'A' && peek() <= 'Z') || peek() == '_' ||
           peek() == '-' || (peek() >= '0' && peek() <= '9'))
      ++pos_;
    return std::string(text_.substr(begin, pos_ - begin));
  }
  Json string_literal() {
    std::string value;
    for (++pos_; pos_ < text_.size(); ++pos_) {
      if (peek() == '\'' && peek(1) != '\'') break;
      if (peek() == '\'') ++pos_;
      value += peek();
    }
    ++pos_;
    return value;
  }
  Json number() {
    const auto number = syntax::workflow::number_at(text_.substr(pos_));
    pos_ += number.length;
    return number.value.value_or(0);
  }

  Json postfix(Json value) {
    for (;;) {
      if (take(".")) {
        take("");
        if (peek() == '*') {
          ++pos_;
          value = filtered(value);
        } else {
          const std::string name = word();
          value = is_filter_ ? mapped(value, name) : property(value, name);
        }
      } else if (take("[")) {
        take("");
        if (peek() == '*') {
          ++pos_;
          value = filtered(value);
        } else {
          value = property(value, as_text(either()));
        }
        take("]");
      } else {
        is_filter_ = false;
        return value;
      }
    }
  }
  // a.*: the values of a, on each of which the next property is taken.
  Json filtered(const Json& value) {
    Json all = Json::array();
    if (value.is_structured())
      for (const Json& each : value) all.push_back(each);
    is_filter_ = true;
    return all;
  }
  static Json mapped(const Json& values, const std::string& name) {
    Json all = Json::array();
    for (const Json& each : values)
      if (Json found = property(each, name); !found.is_null()) all.push_back(std::move(found));
    return all;
  }

  Json call(const std::string& name) {
    std::vector<Json> arguments;
    while (!take(")") && pos_ < text_.size()) {
      const std::size_t begin = pos_;
      if (!arguments.empty()) take(",");
      arguments.push_back(either());
      HW_ASSERT(pos_ > begin);
    }
    const auto text = [&](std::size_t i) {
      return i < arguments.size() ? as_text(arguments[i]) : "";
    };
    if (name == "always") return true;
    if (name == "success") return contexts_.state == JobState::kSuccess;
    if (name == "failure") return contexts_.state == JobState::kFailure;
    if (name == "cancelled") return false;
    if (name == "startswith") return lowered(text(0)).starts_with(lowered(text(1)));
    if (name == "endswith") return lowered(text(0)).ends_with(lowered(text(1)));
    if (name == "tojson")
      return limited(arguments[0].dump(2, ' ', false, Json::error_handler_t::replace));
    if (name == "hashfiles") return hash128(text(0)).hex();
    if (name == "contains") return contains(arguments[0], arguments[1]);
    if (name == "join") return limited(join(arguments));
    if (name == "format") return limited(format(arguments));
    if (name == "fromjson") {
      auto parsed = parse_json(text(0), "fromJSON");
      if (parsed) return *std::move(parsed);
      error_ = parsed.error().message();
      return nullptr;
    }
    error_ = fmt::format("{}() is not supported here", name);
    return nullptr;
  }
  Json limited(std::string text) {
    if (text.size() <= kLongestText) return text;
    error_ = "its text is longer than 10 MiB";
    return nullptr;
  }
  static bool contains(const Json& where, const Json& what) {
    if (where.is_array())
      return std::any_of(where.begin(), where.end(),
                         [&](const Json& each) { return equal(each, what); });
    return lowered(as_text(where)).find(lowered(as_text(what))) != std::string::npos;
  }
  static std::string join(const std::vector<Json>& arguments) {
    const std::string separator = arguments.size() > 1 ? as_text(arguments[1]) : ",";
    if (!arguments[0].is_array()) return as_text(arguments[0]);
    std::string all;
    for (const Json& each : arguments[0])
      all += (&each == &arguments[0].front() ? "" : separator) + as_text(each);
    return all;
  }
  static std::string format(const std::vector<Json>& arguments) {
    const std::string pattern = as_text(arguments[0]);
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const bool doubled = i + 1 < pattern.size() && pattern[i + 1] == pattern[i];
      if ((pattern[i] == '{' || pattern[i] == '}') && doubled) {
        out += pattern[i++];
      } else if (pattern[i] == '{') {
        const std::size_t end = std::min(pattern.find('}', i), pattern.size());
        const std::size_t index = std::strtoul(pattern.c_str() + i + 1, nullptr, 10) + 1;
        if (index < arguments.size()) out += as_text(arguments[index]);
        i = end;
      } else {
        out += pattern[i];
      }
    }
    return out;
  }

  std::string_view text_;
  const Contexts& contexts_;
  std::size_t pos_ = 0;
  bool is_filter_ = false;
  std::string error_;
};

Result<Json> evaluate_checked(std::string_view expression, const Contexts& contexts,
                              bool* names_status) {
  const auto parsed = syntax::workflow::parse_expression(expression);
  if (!parsed.problems.empty())
    return fail("invalid expression", std::string(trimmed(expression)), parsed.problems[0].what,
                "");
  if (names_status != nullptr)
    for (const auto& call : parsed.calls)
      *names_status |=
          is_any(lowered(call.function), {"always", "success", "failure", "cancelled"});
  Evaluator evaluator(trimmed(expression), contexts);
  Json value = evaluator.run();
  if (!evaluator.error().empty())
    return fail("cannot evaluate", std::string(trimmed(expression)), evaluator.error(), "");
  return value;
}

}  // namespace

bool is_true(const Json& value) {
  if (value.is_null()) return false;
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0 && !std::isnan(value.get<double>());
  if (value.is_string()) return !value.get<std::string>().empty();
  return true;
}

std::string as_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Json> evaluate(std::string_view expression, const Contexts& contexts) {
  return evaluate_checked(expression, contexts, nullptr);
}

Result<bool> holds(std::string_view condition, const Contexts& contexts) {
  condition = trimmed(condition);
  if (condition.starts_with("${{") && condition.ends_with("}}") &&
      condition.find("${{", 3) == condition.npos)
    condition = condition.substr(3, condition.size() - 5);
  bool names_status = false;
  bool value = true;
  if (!trimmed(condition).empty()) {
    HW_TRY(const Json result, evaluate_checked(condition, contexts, &names_status));
    value = is_true(result);
  }
  return value && (names_status || contexts.state == JobState::kSuccess);
}

Result<std::string> interpolate(std::string_view text, const Contexts& contexts) {
  std::string out;
  while (true) {
    const std::size_t at = text.find("${{");
    out += text.substr(0, at);
    if (at == text.npos) return out;
    std::size_t end = at + 3;
    bool in_string = false;
    while (end < text.size() && (in_string || text.substr(end, 2) != "}}"))
      in_string ^= text[end++] == '\'';
    if (end >= text.size())
      return fail("unclosed ${{ in", std::string(text.substr(at, 60)), "", "");
    HW_TRY(const Json value, evaluate(text.substr(at + 3, end - at - 3), contexts));
    out += as_text(value);
    text.remove_prefix(end + 2);
  }
}

}  // namespace hipwright::ci
