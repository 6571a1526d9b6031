// SPDX-License-Identifier: MIT
#include "syntax/build/cmake_commands.h"

#include <algorithm>
#include <optional>

namespace hipwright::syntax::build {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ';';
}

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  CMakeCommands run() {
    while (skip_blanks(), at_ < text_.size()) command();
    return std::move(out_);
  }

 private:
  using Kind = CMakeArgument::Kind;

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '#') {
        comment();
      } else {
        return;
      }
    }
  }

  void comment() {
    const std::size_t begin = at_++;
    if (!bracket()) at_ = std::min(text_.find_first_of("\r\n", begin), text_.size());
    comments_.push_back({begin, at_});
  }

  // [==[ … ]==] from here on: its content. None: nothing is read.
  std::optional<std::string_view> bracket() {
    if (peek() != '[') return std::nullopt;
    std::size_t open = at_ + 1;
    while (open < text_.size() && text_[open] == '=') ++open;
    if (open >= text_.size() || text_[open] != '[') return std::nullopt;
    std::string closing = "]";
    closing.append(open - at_ - 1, '=').push_back(']');
    const std::size_t begin = open + 1;
    std::size_t end = text_.find(closing, begin);
    if (end == std::string_view::npos) {
      problem(at_, begin, "unterminated bracket argument");
      end = text_.size();
    }
    at_ = std::min(end + closing.size(), text_.size());
    return text_.substr(begin, end - begin);
  }

  void command() {
    const std::size_t begin = at_;
    while (is_name(peek())) ++at_;
    if (at_ == begin) {
      ++at_;
      return;
    }
    CMakeCommand found;
    found.name = text_.substr(begin, at_ - begin);
    std::transform(found.name.begin(), found.name.end(), found.name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    while (peek() == ' ' || peek() == '\t') ++at_;
    if (peek() != '(') return;
    comments_.clear();
    arguments(found);
    found.comments = comments_;
    found.span = {begin, at_};
    out_.list.push_back(std::move(found));
  }

  void arguments(CMakeCommand& into) {
    const std::size_t open = at_++;
    for (int depth = 1; skip_blanks(), at_ < text_.size();) {
      const std::size_t begin = at_;
      if (peek() == '(' || peek() == ')') {
        depth += peek() == '(' ? 1 : -1;
        ++at_;
        if (depth == 0) return;
        into.arguments.push_back({Kind::kParenthesis, text_.substr(begin, 1), {begin, at_}});
      } else if (peek() == '"') {
        const std::string_view content = quoted();
        into.arguments.push_back({Kind::kQuoted, content, {begin, at_}});
      } else if (const auto content = bracket()) {
        into.arguments.push_back({Kind::kBracket, *content, {begin, at_}});
      } else {
        plain();
        into.arguments.push_back({Kind::kPlain, text_.substr(begin, at_ - begin), {begin, at_}});
      }
    }
    problem(open, open + 1, "unclosed parenthesis");
  }

  std::string_view quoted() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) {
      problem(begin, begin + 1, "unterminated string");
      at_ = text_.size();
      return text_.substr(begin + 1);
    }
    ++at_;
    return text_.substr(begin + 1, at_ - begin - 2);
  }

  void plain() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_blank(c) || c == '(' || c == ')' || c == '#') break;
      if (c == '"') {  // -DX="a b" is one argument
        quoted();
      } else {
        at_ = std::min(at_ + (c == '\\' ? 2 : 1), text_.size());
      }
    }
    if (at_ == begin) ++at_;
  }

  void problem(std::size_t begin, std::size_t end, const char* what) {
    out_.problems.push_back({{begin, end}, what});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Span> comments_;  // since the command began
  CMakeCommands out_;
};

}  // namespace

CMakeCommands read_cmake(std::string_view text) {
  return Reader(text).run();
}

}  // namespace hipwright::syntax::build
