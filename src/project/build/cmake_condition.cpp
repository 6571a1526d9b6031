// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "project/build/cmake_values.h"

namespace hipwright::project {

namespace {

constexpr std::array<std::string_view, 12> kUnary = {
    "EXISTS",  "COMMAND", "TARGET",     "POLICY",      "TEST",        "IS_DIRECTORY",
    "DEFINED", "IS_LINK", "IS_SYMLINK", "IS_ABSOLUTE", "IS_READABLE", "IS_WRITABLE"};

constexpr std::array<std::string_view, 22> kBinary = {"STREQUAL",
                                                      "EQUAL",
                                                      "MATCHES",
                                                      "IN_LIST",
                                                      "LESS",
                                                      "GREATER",
                                                      "LESS_EQUAL",
                                                      "GREATER_EQUAL",
                                                      "STRLESS",
                                                      "STRGREATER",
                                                      "STRLESS_EQUAL",
                                                      "STRGREATER_EQUAL",
                                                      "VERSION_LESS",
                                                      "VERSION_GREATER",
                                                      "VERSION_EQUAL",
                                                      "VERSION_LESS_EQUAL",
                                                      "VERSION_GREATER_EQUAL",
                                                      "PATH_EQUAL",
                                                      "IS_NEWER_THAN",
                                                      "STRING_EQUAL",
                                                      "VERSION_NOT_EQUAL",
                                                      "NOT_EQUAL"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// The alternatives of a regular expression of plain texts; empty for other expressions.
std::optional<bool> matches_plainly(std::string_view text, std::string_view pattern) {
  if (pattern.find_first_of("\\[]()*+?.") != std::string_view::npos) return std::nullopt;
  while (true) {
    const std::size_t bar = pattern.find('|');
    std::string_view part = pattern.substr(0, bar);
    const bool at_begin = part.starts_with('^');
    const bool at_end = part.ends_with('$');
    if (at_begin) part.remove_prefix(1);
    if (at_end && !part.empty()) part.remove_suffix(1);
    const bool fits = at_begin && at_end ? text == part
                      : at_begin         ? text.starts_with(part)
                      : at_end           ? text.ends_with(part)
                                         : text.find(part) != std::string_view::npos;
    if (fits) return true;
    if (bar == std::string_view::npos) return false;
    pattern.remove_prefix(bar + 1);
  }
}

class Evaluator {
 public:
  Evaluator(const std::vector<CMakeArgument>& arguments, const CMakeVariables& variables)
      : arguments_(arguments), variables_(variables) {}

  Truth run() {
    const Truth truth = alternatives();
    return at_ == arguments_.size() ? truth : Truth::kMaybe;
  }

 private:
  static constexpr int kDeepest = 100;

  bool is_word(std::string_view word) const {
    return at_ < arguments_.size() && arguments_[at_].text == word &&
           arguments_[at_].kind != CMakeArgument::Kind::kQuoted;
  }
  bool take(std::string_view word) {
    if (!is_word(word)) return false;
    ++at_;
    return true;
  }

  Truth alternatives() {
    Truth truth = all();
    while (take("OR")) truth = truth | all();
    return truth;
  }

  Truth all() {
    Truth truth = one();
    while (take("AND")) truth = truth & one();
    return truth;
  }

  Truth one() {
    if (++depth_ > kDeepest) {
      at_ = arguments_.size() + 1;
      return Truth::kMaybe;
    }
    const Truth truth = test();
    --depth_;
    return truth;
  }

  Truth test() {
    if (at_ >= arguments_.size()) return Truth::kMaybe;
    if (take("NOT")) return !one();
    if (is_word("(") && arguments_[at_].kind == CMakeArgument::Kind::kParenthesis) {
      ++at_;
      const Truth truth = alternatives();
      take(")");
      return truth;
    }
    if (at_ + 1 < arguments_.size() && contains(kUnary, arguments_[at_].text)) return unary();
    const CMakeArgument& left = arguments_[at_++];
    if (at_ + 1 < arguments_.size() && contains(kBinary, arguments_[at_].text)) return binary(left);
    return truth(left);
  }

  Truth unary() {
    const bool asks_definition = take("DEFINED");
    if (!asks_definition) ++at_;
    const std::string_view name = arguments_[at_++].text;
    if (!asks_definition || name.starts_with("ENV{")) return Truth::kMaybe;
    const auto text = variables_.get(name).text();
    return text ? Truth::kYes : Truth::kMaybe;
  }

  // A word that names a variable stands for its value.
  std::optional<std::string> operand(const CMakeArgument& argument) const {
    const bool is_plain = argument.kind == CMakeArgument::Kind::kPlain &&
                          argument.text.find('$') == std::string_view::npos;
    if (is_plain) {
      const CMakeValues values = variables_.get(argument.text);
      if (values.is_known) return values.text();
      return variables_.has(argument.text) || is_identifier(argument.text)
                 ? std::nullopt
                 : std::optional<std::string>(argument.text);
    }
    return variables_.expand(argument).text();
  }

  static bool is_identifier(std::string_view text) {
    return !text.empty() && (text[0] < '0' || text[0] > '9') &&
           std::all_of(text.begin(), text.end(), [](char c) {
             return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_';
           });
  }

  Truth binary(const CMakeArgument& left) {
    const std::string_view op = arguments_[at_++].text;
    const CMakeArgument& right = arguments_[at_++];
    if (op == "IN_LIST") return in_list(left, right);
    const auto a = operand(left);
    if (op == "MATCHES") {
      const auto fits = a ? matches_plainly(*a, right.text) : std::nullopt;
      return !fits ? Truth::kMaybe : *fits ? Truth::kYes : Truth::kNo;
    }
    if (op != "STREQUAL" && op != "PATH_EQUAL") return Truth::kMaybe;
    // STREQUAL CUDA: the right side is a string unless it names a variable that was set.
    auto b = operand(right);
    if (!b && right.kind == CMakeArgument::Kind::kPlain && !variables_.has(right.text) &&
        right.text.find('$') == std::string_view::npos)
      b = std::string(right.text);
    if (!a || !b) return Truth::kMaybe;
    return *a == *b ? Truth::kYes : Truth::kNo;
  }

  Truth in_list(const CMakeArgument& left, const CMakeArgument& right) const {
    const auto wanted = operand(left);
    const CMakeValues list = variables_.get(right.text);
    if (!wanted) return Truth::kMaybe;
    Truth found = list.is_known ? Truth::kNo : Truth::kMaybe;
    for (const CMakeItem& item : list.items) {
      if (item.text == *wanted) found = found | item.present;
    }
    return found;
  }

  Truth truth(const CMakeArgument& argument) const {
    if (argument.kind == CMakeArgument::Kind::kPlain &&
        argument.text.find('$') == std::string_view::npos) {
      for (const std::string_view yes : {"1", "ON", "YES", "TRUE", "Y", "on", "true", "True"}) {
        if (argument.text == yes) return Truth::kYes;
      }
      if (truth_of_text(argument.text) == Truth::kNo) return Truth::kNo;
      return variables_.get(argument.text).truth();
    }
    const auto text = variables_.expand(argument).text();
    if (!text) return Truth::kMaybe;
    // if(${X}): the text may name a variable again.
    if (is_identifier(*text) && truth_of_text(*text) == Truth::kYes && *text != "ON" &&
        *text != "TRUE")
      return variables_.get(*text).truth();
    return truth_of_text(*text);
  }

  const std::vector<CMakeArgument>& arguments_;
  const CMakeVariables& variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Truth evaluate_cmake_condition(const std::vector<CMakeArgument>& arguments,
                               const CMakeVariables& variables) {
  return Evaluator(arguments, variables).run();
}

}  // namespace hipwright::project
