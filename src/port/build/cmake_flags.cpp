// SPDX-License-Identifier: MIT
#include "port/build/cmake_flags.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/source.h"

namespace hipwright::port {

namespace {

class Reader {
 public:
  Reader(std::string_view text, FlagOf of, bool is_line)
      : text_(text), of_(of), is_line_(is_line) {}

  CMakeFlags run() {
    while (at_ < text_.size()) {
      if (begins(at_))
        option();
      else
        take();
    }
    return {std::move(out_), std::move(reasons_)};
  }

 private:
  void take() {
    if (text_[at_] == '"' && (at_ == 0 || text_[at_ - 1] != '\\')) {
      in_quotes_ = !in_quotes_;
      if (in_quotes_) {
        const std::size_t end = std::min(text_.find('"', at_ + 1), text_.size());
        has_blanks_ = text_.substr(at_, end - at_).find(' ') != std::string_view::npos;
      }
    }
    out_ += text_[at_++];
  }

  // A '-' after something that can precede an option.
  bool begins(std::size_t at) const {
    if (text_[at] != '-') return false;
    return at == 0 || std::string_view(" \t\n\";:,").find(text_[at - 1]) != std::string_view::npos;
  }

  // The end of a word; $<…>, ${…} and escaped quotes keep it together.
  std::size_t end_of(std::size_t at) const {
    int depth = 0;
    bool is_escaped = false;
    for (; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '\\' && at + 1 < text_.size() && text_[at + 1] == '"') {
        is_escaped = !is_escaped;
        ++at;
        continue;
      }
      if (is_escaped) continue;
      if (c == '$' && at + 1 < text_.size() && (text_[at + 1] == '<' || text_[at + 1] == '{'))
        ++depth;
      if ((c == '>' || c == '}') && depth > 0)
        --depth;
      else if (c == '>' ||
               (depth == 0 && std::string_view(" \t\n\r\";").find(c) != std::string_view::npos))
        return at;
    }
    return at;
  }

  // Escaped quotes around a value are the shell's.
  static std::string plain(std::string_view word) {
    std::string out(word);
    if (out.size() >= 4 && out.starts_with("\\\"") && out.ends_with("\\\""))
      return out.substr(2, out.size() - 4);
    return out;
  }

  void option() {
    const Span word = {at_, end_of(at_)};
    std::size_t begin = word.end;
    while (begin < text_.size() &&
           std::string_view(" \t\n\r;\"").find(text_[begin]) != std::string_view::npos)
      ++begin;
    // A quoted value extends to its closing quote.
    const bool is_quoted = !in_quotes_ && begin > word.end && text_[begin - 1] == '"';
    const Span next = {begin,
                       is_quoted ? std::min(text_.find('"', begin), text_.size()) : end_of(begin)};
    const std::string_view name = text_.substr(word.begin, word.size());
    const auto flag = translate_flag(name, plain(text_.substr(next.begin, next.size())), of_);
    if (!flag) {
      out_ += name;
      at_ = word.end;
      return;
    }
    reasons_.push_back(fmt::format("{}: {}", name, flag->reason));
    std::string now = flag->now;
    if (!is_line_ && !(in_quotes_ && has_blanks_)) std::replace(now.begin(), now.end(), ' ', ';');
    const std::size_t end = flag->takes_next && next.size() != 0 ? next.end : word.end;
    replace(end, std::move(now));
  }

  // The quotes around the option's value end where it ends.
  void replace(std::size_t end, std::string now) {
    const std::string_view old = text_.substr(at_, end - at_);
    const bool ends_quotes = std::count(old.begin(), old.end(), '"') % 2 != 0 &&
                             old.find("\\\"") == std::string_view::npos;
    if (ends_quotes) {
      // -Xptxas "-v": the following text is outside the quotes.
      if (end < text_.size() && text_[end] == '"') ++end;
    }
    at_ = end;
    out_ += now;
    if (!now.empty()) return;
    // Drops arguments that became empty.
    const char next = at_ < text_.size() ? text_[at_] : '\0';
    if (out_.ends_with("SHELL:") && (next == '"' || next == '>')) out_.resize(out_.size() - 6);
    if (in_quotes_ && out_.ends_with('"') && next == '"') {
      out_.pop_back();
      ++at_;
      in_quotes_ = false;
    }
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == ';')) ++at_;
    if (at_ == text_.size() || text_[at_] == '"' || text_[at_] == '>')
      while (out_.ends_with(' ') || out_.ends_with(';')) out_.pop_back();
    if (!in_quotes_ && at_ < text_.size() && text_[at_] == '"' && !out_.empty()) out_ += ' ';
  }

  std::string_view text_;
  FlagOf of_;
  bool is_line_;
  std::size_t at_ = 0;
  bool in_quotes_ = false, has_blanks_ = false;
  std::string out_;
  std::vector<std::string> reasons_;
};

// $<A:b;c> as a whole, not in quotes.
bool is_list_in_expression(std::string_view argument) {
  if (argument.find('"') != std::string_view::npos) return false;
  int depth = 0;
  bool is_list = false;
  for (std::size_t at = 0; at < argument.size(); ++at) {
    if (argument.substr(at).starts_with("$<")) ++depth;
    if (argument[at] == '>') --depth;
    is_list |= argument[at] == ';' && depth > 0;
  }
  return is_list && depth == 0;
}

}  // namespace

CMakeFlags flags_for_amd(std::string_view arguments, FlagOf of, bool is_line) {
  return Reader(arguments, of, is_line).run();
}

std::string with_quoted_expressions(std::string_view arguments) {
  std::string out;
  bool in_quotes = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= arguments.size(); ++at) {
    if (at < arguments.size() && arguments[at] == '"') in_quotes = !in_quotes;
    if (at < arguments.size() && (in_quotes || arguments[at] != ' ')) continue;
    const std::string_view argument = arguments.substr(begin, at - begin);
    out +=
        is_list_in_expression(argument) ? fmt::format("\"{}\"", argument) : std::string(argument);
    if (at < arguments.size()) out += ' ';
    begin = at + 1;
  }
  return out;
}

std::string with_quoted_option(std::string argument, FlagOf of) {
  const auto flag = translate_flag(argument, {}, of);
  const bool is_several = flag && flag->now.find(' ') != std::string::npos;
  return is_several ? '"' + argument + '"' : argument;
}

}  // namespace hipwright::port
