// SPDX-License-Identifier: MIT
#include "lint/like/stream.h"

#include <algorithm>
#include <array>

#include "syntax/cuda/token.h"
#include "syntax/python/token.h"

namespace hipwright::lint::like {

namespace {

namespace cuda = syntax::cuda;
namespace python = syntax::python;

constexpr std::array kCudaKeywords = {
    "alignas",  "alignof",  "auto",      "bool",      "break",         "case",
    "catch",    "char",     "class",     "const",     "constexpr",     "continue",
    "decltype", "default",  "define",    "defined",   "delete",        "do",
    "double",   "elif",     "else",      "endif",     "enum",          "explicit",
    "extern",   "false",    "float",     "for",       "friend",        "goto",
    "if",       "ifdef",    "ifndef",    "include",   "inline",        "int",
    "long",     "mutable",  "namespace", "new",       "noexcept",      "nullptr",
    "operator", "override", "private",   "protected", "public",        "return",
    "short",    "signed",   "sizeof",    "static",    "static_assert", "static_cast",
    "struct",   "switch",   "template",  "this",      "throw",         "true",
    "try",      "typedef",  "typename",  "undef",     "union",         "unsigned",
    "using",    "virtual",  "void",      "volatile",  "while"};

bool is_cuda_keyword(std::string_view word) {
  return std::binary_search(kCudaKeywords.begin(), kCudaKeywords.end(), word);
}

bool is_constant_name(std::string_view name) {
  int letters = 0;
  for (const char byte : name) {
    if (byte >= 'a' && byte <= 'z') return false;
    letters += byte >= 'A' && byte <= 'Z';
  }
  return letters >= 2;
}

// Adds tokens, keeps brackets.
class Builder {
 public:
  Builder(std::string_view text, std::size_t expected) {
    stream.text = text;
    stream.tokens.reserve(expected);
  }

  void add_break(std::uint32_t at) {
    if (stream.tokens.empty() || stream.tokens.back().kind == Kind::kBreak) return;
    stream.tokens.push_back({.begin = at, .end = at, .around = innermost()});
  }

  void add(std::uint32_t begin, std::uint32_t end, Kind kind) {
    stream.tokens.push_back({.begin = begin, .end = end, .kind = kind, .around = innermost()});
  }

  void open(std::uint32_t begin, std::uint32_t end) {
    add(begin, end, Kind::kPunct);
    open_.push_back(last());
  }

  void close(std::uint32_t begin, std::uint32_t end, char opening) {
    add(begin, end, Kind::kPunct);
    if (open_.empty() || stream.text[stream.tokens[open_.back()].begin] != opening) return;
    const std::uint32_t partner = open_.back();
    open_.pop_back();
    stream.tokens[partner].partner = last();
    stream.tokens.back().partner = partner;
    stream.tokens.back().around = innermost();
  }

  // The end of a statement closes open brackets.
  void forget_brackets() { open_.clear(); }
  bool has_open() const { return !open_.empty(); }
  std::uint32_t last() const { return static_cast<std::uint32_t>(stream.tokens.size() - 1); }
  std::uint32_t innermost() const { return open_.empty() ? kNone : open_.back(); }

  Stream stream;

 private:
  std::vector<std::uint32_t> open_;
};

char opening_of(char closing) {
  return closing == ')' ? '(' : closing == ']' ? '[' : '{';
}

// Does a '{' after this token begin a block, rather than a list of values?
bool opens_block(const Builder& builder) {
  if (builder.stream.tokens.empty() || builder.stream.tokens.back().kind == Kind::kBreak)
    return true;
  const Token& before = builder.stream.tokens.back();
  const std::string_view text = builder.stream.of(builder.last());
  if (before.kind == Kind::kKeyword)
    return text != "return" && text != "case" && text != "auto" && text != "int" &&
           text != "float" && text != "double" && text != "bool";
  if (before.kind == Kind::kPunct) return text == ")" || text == "]" || text == ":";
  // A name: the head of a struct, class, enum or namespace is a block, T{…} is a value.
  for (std::uint32_t at = builder.last(); at > 0; --at) {
    const Token& token = builder.stream.tokens[at - 1];
    if (token.kind == Kind::kBreak || token.kind == Kind::kPunct) break;
    const std::string_view word = builder.stream.of(at - 1);
    if (word == "struct" || word == "class" || word == "namespace" || word == "enum" ||
        word == "union")
      return true;
  }
  return text == "struct" || text == "namespace" || text == "override";
}

class CudaBuilder : public Builder {
 public:
  using Builder::Builder;

  void take(const cuda::Token& token) {
    const bool in_directive = (token.flags & cuda::kInDirective) != 0;
    const bool is_hash = in_directive && token.kind == cuda::Kind::kPunct &&
                         (token.flags & cuda::kFirstOnLine) != 0 && token.id == cuda::punct("#");
    if (in_directive != was_directive_ || is_hash) {
      // Brackets opened in a directive end with it, and the other way round.
      add_break(token.begin);
      if (in_directive && !was_directive_) outer_.swap(blocks_);
      if (!in_directive) {
        blocks_.swap(outer_);
        outer_.clear();
      }
      forget_brackets();
    }
    was_directive_ = in_directive;
    switch (token.kind) {
      case cuda::Kind::kName:
        add(token.begin, token.end,
            is_cuda_keyword(stream.text.substr(token.begin, token.end - token.begin))
                ? Kind::kKeyword
                : Kind::kName);
        break;
      case cuda::Kind::kNumber:
        add(token.begin, token.end, Kind::kNumber);
        break;
      case cuda::Kind::kString:
      case cuda::Kind::kChar:
        add(token.begin, token.end, Kind::kString);
        break;
      case cuda::Kind::kPunct:
        punct(token);
        break;
      case cuda::Kind::kEnd:
        break;
    }
  }

 private:
  void punct(const cuda::Token& token) {
    const char first = token.end - token.begin == 1 ? stream.text[token.begin] : '\0';
    if (first == ';' && !(has_open() && in_parentheses())) {
      add_break(token.begin);
      forget_brackets();
    } else if (first == '{' && opens_block(*this)) {
      // A lambda's body inside a call: the call continues after it.
      add_break(token.begin);
      blocks_.push_back(true);
      forget_brackets();
    } else if (first == '(' || first == '[' || first == '{') {
      if (first == '{') blocks_.push_back(false);
      open(token.begin, token.end);
    } else if (first == '}') {
      const bool is_block = blocks_.empty() || blocks_.back();
      if (!blocks_.empty()) blocks_.pop_back();
      if (is_block) {
        add_break(token.begin);
        forget_brackets();
      } else {
        close(token.begin, token.end, '{');
      }
    } else if (first == ')' || first == ']') {
      close(token.begin, token.end, opening_of(first));
    } else if (const std::string_view text =
                   stream.text.substr(token.begin, token.end - token.begin);
               text == "<<<") {
      open(token.begin, token.end);
    } else if (text == ">>>") {
      close(token.begin, token.end, '<');
    } else {
      add(token.begin, token.end, Kind::kPunct);
    }
  }

  bool in_parentheses() const { return stream.text[stream.tokens[innermost()].begin] == '('; }

  bool was_directive_ = false;
  std::vector<bool> blocks_, outer_;  // of open '{': is it a block?
};

Stream read_cuda(std::string_view text) {
  const cuda::Tokens tokens = cuda::lex(text);
  CudaBuilder builder(text, tokens.list.size());
  for (const cuda::Token& token : tokens.list) builder.take(token);
  builder.add_break(static_cast<std::uint32_t>(text.size()));
  return std::move(builder.stream);
}

Stream read_python(std::string_view text) {
  const python::Tokens tokens = python::lex(text);
  Builder builder(text, tokens.list.size());
  for (const python::Token& token : tokens.list) {
    const char first = token.end - token.begin == 1 ? text[token.begin] : '\0';
    if (token.kind == python::Kind::kNewline || token.kind == python::Kind::kEnd ||
        (token.kind == python::Kind::kOp && first == ';')) {
      builder.add_break(token.begin);
      builder.forget_brackets();
    } else if (token.kind == python::Kind::kName) {
      const std::string_view word = text.substr(token.begin, token.end - token.begin);
      builder.add(token.begin, token.end, python::is_keyword(word) ? Kind::kKeyword : Kind::kName);
    } else if (token.kind == python::Kind::kNumber) {
      builder.add(token.begin, token.end, Kind::kNumber);
    } else if (token.kind == python::Kind::kString) {
      builder.add(token.begin, token.end, Kind::kString);
    } else if (first == '(' || first == '[' || first == '{') {
      builder.open(token.begin, token.end);
    } else if (first == ')' || first == ']' || first == '}') {
      builder.close(token.begin, token.end, opening_of(first));
    } else {
      builder.add(token.begin, token.end, Kind::kPunct);
    }
  }
  return std::move(builder.stream);
}

void set_roles(Stream& stream, project::Language language) {
  std::vector<Token>& tokens = stream.tokens;
  for (std::uint32_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::kName) continue;
    const auto text_at = [&](std::uint32_t index) {
      return index < tokens.size() && tokens[index].kind == Kind::kPunct ? stream.of(index)
                                                                         : std::string_view();
    };
    const std::string_view before = at == 0 ? std::string_view() : text_at(at - 1);
    const std::string_view after = text_at(at + 1);
    Role& role = tokens[at].role;
    if (after == "(" || after == "<<<")
      role = Role::kCallee;
    else if (before == "." || before == "->" || before == "::" || after == "::" || before == "@")
      role = Role::kMember;
    else if (is_constant_name(stream.of(at)))
      role = Role::kConstant;
    else if (language == project::Language::kPython && after == "=" && tokens[at].around != kNone)
      role = Role::kKeyword;
    else if (language == project::Language::kCuda && at + 1 < tokens.size() &&
             tokens[at + 1].kind == Kind::kName)
      role = Role::kType;
  }
}

}  // namespace

Stream read_stream(std::string_view text, project::Language language) {
  Stream stream = language == project::Language::kPython ? read_python(text) : read_cuda(text);
  set_roles(stream, language);
  return stream;
}

Range unit_at(const Stream& stream, std::uint32_t token) {
  Range range{token, token};
  const auto is_break = [&](std::uint32_t at) { return stream.tokens[at].kind == Kind::kBreak; };
  while (range.begin > 0 && !is_break(range.begin - 1)) --range.begin;
  while (range.end < stream.tokens.size() && !is_break(range.end)) ++range.end;
  return range;
}

std::string key_of(std::string_view text, Kind kind) {
  if (kind == Kind::kString) {
    const std::size_t quote = text.find_first_of("\"'");
    if (quote == std::string_view::npos) return std::string(text);
    const char mark = text[quote];
    std::size_t begin = text.find_first_not_of(mark, quote);
    if (begin == std::string_view::npos) return "\"";
    const std::size_t last = text.find_last_not_of(mark);
    return "\"" + std::string(text.substr(begin, std::max(last + 1, begin) - begin));
  }
  if (kind == Kind::kNumber) {
    std::string number;
    for (const char byte : text)
      if (byte != '\'' && byte != '_')
        number += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
    const bool is_hex = number.starts_with("0x");
    while (number.size() > 1 &&
           (number.back() == 'u' || number.back() == 'l' || (!is_hex && number.back() == 'f')))
      number.pop_back();
    return number;
  }
  return std::string(text);
}

std::string joined(const Stream& stream, Range range) {
  std::string line;
  for (std::uint32_t at = range.begin; at < range.end; ++at) {
    const Token& token = stream.tokens[at];
    if (token.kind == Kind::kBreak) {
      line += "; ";
      continue;
    }
    // Keeps the author's blanks and line breaks.
    const bool is_apart =
        at > range.begin && token.begin > stream.tokens[at - 1].end && !line.ends_with(' ');
    if (is_apart && !line.ends_with('(') && !line.ends_with('[')) line += ' ';
    const std::string_view text = stream.of(at);
    if ((text == ")" || text == "]") && line.ends_with(' ')) line.pop_back();
    line += text;
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace hipwright::lint::like
