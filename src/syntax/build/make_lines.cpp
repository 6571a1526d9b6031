// SPDX-License-Identifier: MIT
#include "syntax/build/make_lines.h"

#include <algorithm>

#include "base/words.h"

namespace hipwright::syntax::build {

namespace {

using Kind = MakeLine::Kind;

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// The end of the line that begins here; a backslash before the break continues it.
std::size_t end_of_line(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin;; ++at) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return text.size();
    const std::size_t last = at > begin && text[at - 1] == '\r' ? at - 1 : at;
    if (last == begin || text[last - 1] != '\\') return last;
  }
}

std::string_view first_word(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_first_of(" \t\r\n(\"'", begin) - begin);
}

Kind directive(std::string_view word) {
  if (is_any(word, {"ifeq", "ifneq", "ifdef", "ifndef"})) return Kind::kIf;
  if (word == "else") return Kind::kElse;
  if (word == "endif") return Kind::kEndif;
  if (word == "define") return Kind::kDefine;
  return Kind::kOther;
}

// "a: b" and "a:: b" begin a rule, "a := b" and "a = b:c" do not.
bool is_rule(std::string_view line) {
  const std::size_t at = line.find_first_of(":=");
  if (at == std::string_view::npos || line[at] != ':') return false;
  const std::size_t behind = line.find_first_not_of(':', at);
  return behind == std::string_view::npos || line[behind] != '=';
}

}  // namespace

std::vector<MakeLine> read_make_lines(std::string_view text) {
  std::vector<MakeLine> lines;
  bool in_rule = false;
  int defines = 0;  // that are open
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = end_of_line(text, begin);
    const std::string_view line = text.substr(begin, end - begin);
    const std::string_view word = first_word(line);
    const Span span = {begin, end};
    begin = text.find('\n', end);
    begin = begin == std::string_view::npos ? text.size() : begin + 1;
    if (defines > 0) {
      lines.back().span.end = span.end;
      if (word == "define") ++defines;
      if (word == "endef") --defines;
      continue;
    }
    if (word.empty() && line.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
    if (line[0] == '\t' && in_rule) {
      lines.push_back({Kind::kRecipe, span});
      continue;
    }
    if (word.starts_with('#')) continue;
    const Kind kind = directive(word);
    if (kind == Kind::kDefine) defines = 1;
    if (kind == Kind::kOther || kind == Kind::kDefine)
      in_rule = kind == Kind::kOther && is_rule(line);
    lines.push_back({kind, span});
  }
  return lines;
}

std::vector<MakeWord> words_of(std::string_view text, const MakeLine& line) {
  std::vector<MakeWord> words;
  const std::size_t end = line.span.end;
  const auto is_break = [&](std::size_t at) { return text[at] == '\n' || text[at] == '\r'; };
  const auto continues = [&](std::size_t at) {
    return text[at] == '\\' && at + 1 < end && is_break(at + 1);
  };
  for (std::size_t at = line.span.begin; at < end;) {
    if (is_blank(text[at]) || is_break(at) || continues(at)) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    int depth = 0;
    char quote = 0;
    for (; at < end && !is_break(at) && !continues(at); ++at) {
      const char next = text[at];
      if (quote != 0) {
        if (next == quote) quote = 0;
      } else if (next == '"' || next == '\'') {
        quote = next;
      } else if (next == '(' || next == '{') {
        ++depth;
      } else if (next == ')' || next == '}') {
        --depth;
      } else if (depth <= 0 && is_blank(next)) {
        break;
      }
    }
    words.push_back({text.substr(begin, at - begin), {begin, at}});
  }
  return words;
}

}  // namespace hipwright::syntax::build
