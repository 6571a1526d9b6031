// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "syntax/cuda/characters.h"
#include "syntax/cuda/token.h"
#include "syntax/scan.h"

namespace hipwright::syntax::cuda {

namespace {

// An open <<<: a >>> inside brackets cannot close it.
struct Launch {
  bool is_open = false;
  int depth = 0;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : begin_(text.data()), end_(text.data() + text.size()) {
    out_.list.reserve(text.size() / 4 + 16);
  }

  Tokens run() {
    const char* at = begin_;
    while (at < end_) {
      at = step(at);
      at += at < end_ && *at == ' ' ? 1 : 0;
    }
    end_line();
    emit(Kind::kEnd, end_, end_, 0);
    return std::move(out_);
  }

 private:
  const char* step(const char* at);
  const char* name(const char* at);
  const char* spliced_name(const char* from, const char* to);
  const char* number(const char* at);
  const char* quoted(const char* from, const char* quote);
  const char* raw_string(const char* from, const char* quote);
  const char* suffix(const char* at) const;
  const char* slash(const char* at);
  const char* bracket(const char* at);
  const char* operation(const char* at);
  const char* line_comment_end(const char* at) const;
  const char* after_splice(const char* backslash) const;
  const char* header_name(const char* at);

  void after_directive_name(std::string_view text);
  void end_line();
  void mark_macro_body();
  // An operator that nothing can follow to make a longer one; most are.
  bool stands_alone(const char* at) const {
    return at + 1 < end_ && kClasses[byte(at[1])] < kBackslash && *at != '#' && !wants_header_;
  }
  bool closes_launch() const { return launch_.is_open && launch_.depth == 0; }
  bool follows_operator_keyword() const;

  void emit(Kind kind, const char* from, const char* to, std::uint16_t id, std::uint8_t flags = 0) {
    out_.list.push_back(
        {offset(from), offset(to), kind, static_cast<std::uint8_t>(flags_ | flags), id});
    flags_ &= static_cast<std::uint8_t>(~kFirstOnLine);
  }
  void comment(const char* from, const char* to) {
    out_.comments.push_back({{offset(from), offset(to)}, next_index()});
  }
  void problem(const char* from, const char* to, const char* what) {
    if (!is_prose_) out_.problems.push_back({{offset(from), offset(to)}, what});
  }
  std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - begin_); }
  TokenIndex next_index() const { return static_cast<TokenIndex>(out_.list.size()); }

  const char* begin_;
  const char* end_;
  Tokens out_;
  std::uint8_t flags_ = kFirstOnLine;
  bool is_prose_ = false;      // of an #error: apostrophes are not character literals
  bool wants_header_ = false;  // after #include
  Launch launch_;
  Launch outer_launch_;  // while a directive has its own
};

inline const char* Lexer::step(const char* at) {
  switch (kClasses[byte(*at)]) {
    case kBlank:
      return spaces_end(at + 1, end_);
    case kLineBreak:
      if ((flags_ & kInDirective) != 0) [[unlikely]]
        end_line();
      flags_ |= kFirstOnLine;
      return spaces_end(at + 1, end_);
    case kIdent:
      return name(at);
    case kDigit:
      return number(at);
    case kQuote:
    case kApostrophe:
      return quoted(at, at);
    case kSlash:
      return slash(at);
    case kBackslash:
      if (const char* next = after_splice(at)) return next;
      break;
    case kDot:
      if (at + 1 < end_ && kClasses[byte(at[1])] == kDigit) return number(at);
      return operation(at);
    case kBracket:
      return bracket(at);
    case kOperator:
      if (!stands_alone(at)) return operation(at);
      break;
    case kOther:
      break;
  }
  emit(Kind::kPunct, at, at + 1, byte(*at));
  return at + 1;
}

// The byte after "\<line break>", or null if this backslash is not a line splice.
const char* Lexer::after_splice(const char* backslash) const {
  const char* at = backslash + 1;
  while (at < end_ && kClasses[byte(*at)] == kBlank) ++at;
  return at < end_ && *at == '\n' ? at + 1 : nullptr;
}

inline const char* Lexer::name(const char* from) {
  const char* to = word_end(from, end_);
  if (to < end_) {
    if ((*to == '"' || *to == '\'') && to - from <= 3) {
      const std::string_view prefix(from, static_cast<std::size_t>(to - from));
      const bool is_raw = *to == '"' && prefix.back() == 'R';
      const std::string_view kind = prefix.substr(0, prefix.size() - (is_raw ? 1 : 0));
      if (kind == "L" || kind == "u" || kind == "U" || kind == "u8" || (is_raw && kind.empty()))
        return is_raw ? raw_string(from, to) : quoted(from, to);
    } else if (*to == '\\' && after_splice(to) != nullptr) {
      return spliced_name(from, to);
    }
  }
  const std::string_view text(from, static_cast<std::size_t>(to - from));
  const NameId id = end_ - from >= 16 ? name_id_within(text) : name_id(text);
  if (id != 0) out_.named.push_back(next_index());
  emit(Kind::kName, from, to, id);
  if ((flags_ & kInDirective) != 0) [[unlikely]]
    after_directive_name(text);
  return to;
}

const char* Lexer::spliced_name(const char* from, const char* to) {
  std::string text(from, to);
  std::uint8_t flags = 0;
  while (to < end_ && *to == '\\') {
    const char* next = to;
    while (next < end_ && *next == '\\' && after_splice(next) != nullptr) next = after_splice(next);
    if (next == to || next == end_ || !is_word_byte(*next)) break;
    flags = kSpliced;
    for (to = next; to < end_ && is_word_byte(*to); ++to) text.push_back(*to);
  }
  const NameId id = name_id(text);
  if (id != 0) out_.named.push_back(next_index());
  emit(Kind::kName, from, to, id, flags);
  if ((flags_ & kInDirective) != 0) after_directive_name(text);
  return to;
}

const char* Lexer::number(const char* from) {
  const bool is_hex = *from == '0' && from + 1 < end_ && (from[1] == 'x' || from[1] == 'X');
  std::uint8_t flags = 0;
  const char* to = from + 1;
  while (to < end_) {
    const char c = *to;
    if (is_word_byte(c) || c == '.') {
      ++to;
    } else if (c == '\'' && to + 1 < end_ && is_word_byte(to[1])) {
      to += 2;
    } else if (c == '+' || c == '-') {
      const char before = static_cast<char>(to[-1] | 0x20);
      if (before != (is_hex ? 'p' : 'e')) break;
      ++to;
    } else if (c == '\\') {
      const char* next = after_splice(to);
      if (next == nullptr || next == end_ || !(is_word_byte(*next) || *next == '.')) break;
      flags = kSpliced;
      to = next;
    } else {
      break;
    }
  }
  emit(Kind::kNumber, from, to, 0, flags);
  return to;
}

// "…"_suffix: macros directly after a string ("%"PRIu64) are not suffixes.
const char* Lexer::suffix(const char* at) const {
  if (at == end_ || !(*at == '_' || (*at >= 'a' && *at <= 'z'))) return at;
  while (at < end_ && is_word_byte(*at)) ++at;
  return at;
}

const char* Lexer::quoted(const char* from, const char* quote) {
  if (wants_header_ && *quote == '"') return header_name(quote);
  const char closing = *quote;
  const Kind kind = closing == '"' ? Kind::kString : Kind::kChar;
  std::uint8_t flags = 0;
  const char* at = quote + 1;
  while (at < end_ && *at != closing && *at != '\n') {
    if (*at != '\\') {
      ++at;
    } else if (const char* next = after_splice(at)) {
      flags = kSpliced;
      at = next;
    } else {
      at += at + 1 < end_ ? 2 : 1;
    }
  }
  if (at < end_ && *at == closing) {
    at = suffix(at + 1);
  } else {
    if (at[-1] == '\r' && at - 1 > quote) --at;
    problem(
        from, at,
        kind == Kind::kString ? "unterminated string literal" : "unterminated character literal");
  }
  emit(kind, from, at, 0, flags);
  return at;
}

const char* Lexer::raw_string(const char* from, const char* quote) {
  constexpr std::ptrdiff_t kLongestDelimiter = 16;
  const char* open = quote + 1;
  const char* limit = std::min(end_, open + std::min(end_ - open, kLongestDelimiter + 1));
  while (open < limit && *open != '(' && *open != ')' && *open != '\\' && *open != '\n' &&
         kClasses[byte(*open)] != kBlank)
    ++open;
  if (open == limit || *open != '(') return quoted(from, quote);
  std::string closing = ")";
  closing.append(quote + 1, open).push_back('"');
  const std::string_view rest(open, static_cast<std::size_t>(end_ - open));
  const std::size_t found = rest.find(closing);
  const char* to = end_;
  if (found == std::string_view::npos) {
    problem(from, open, "unterminated raw string literal");
  } else {
    to = suffix(open + found + closing.size());
  }
  emit(Kind::kString, from, to, 0);
  return to;
}

const char* Lexer::header_name(const char* at) {
  wants_header_ = false;
  const char closing = *at == '<' ? '>' : '"';
  const char* to = at + 1;
  while (to < end_ && *to != closing && *to != '\n') ++to;
  if (to < end_ && *to == closing) {
    ++to;
  } else {
    if (to[-1] == '\r' && to - 1 > at) --to;
    problem(at, to, "unterminated header name");
  }
  emit(Kind::kString, at, to, 0);
  return to;
}

const char* Lexer::slash(const char* at) {
  const char* second = at + 1;
  while (second < end_ && *second == '\\' && after_splice(second) != nullptr)
    second = after_splice(second);
  if (second < end_ && *second == '/') {
    const char* to = line_comment_end(second + 1);
    comment(at, to);
    return to;
  }
  if (second < end_ && *second == '*') {
    const std::string_view rest(second + 1, static_cast<std::size_t>(end_ - second - 1));
    const std::size_t found = rest.find("*/");
    const char* to = found == std::string_view::npos ? end_ : second + 1 + found + 2;
    if (found == std::string_view::npos) problem(at, second + 1, "unterminated comment");
    comment(at, to);
    return to;
  }
  return operation(at);
}

const char* Lexer::line_comment_end(const char* at) const {
  while (at < end_) {
    const auto* line_end =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end_ - at)));
    if (line_end == nullptr) return end_;
    const char* last = line_end;
    while (last > at && kClasses[byte(last[-1])] == kBlank) --last;
    if (last == at || last[-1] != '\\')
      return line_end > at && line_end[-1] == '\r' ? line_end - 1 : line_end;
    at = line_end + 1;
  }
  return end_;
}

const char* Lexer::bracket(const char* at) {
  if (launch_.is_open) [[unlikely]] {
    const bool opens = *at == '(' || *at == '[' || *at == '{';
    launch_.depth += opens ? 1 : -1;
    if (*at == ';' || launch_.depth < 0) launch_ = {};
  }
  emit(Kind::kPunct, at, at + 1, byte(*at));
  return at + 1;
}

bool Lexer::follows_operator_keyword() const {
  if (out_.list.empty() || out_.list.back().kind != Kind::kName) return false;
  const Token& last = out_.list.back();
  return std::string_view(begin_ + last.begin, last.end - last.begin) == "operator";
}

const char* Lexer::operation(const char* at) {
  // The next four characters, and where each of them ends in the text.
  std::array<char, 4> characters{};
  std::array<const char*, 4> ends{};
  std::size_t count = 0;
  bool has_splice = false;
  for (const char* next = at; next < end_ && count < characters.size();) {
    if (*next == '\\' && count > 0 && after_splice(next) != nullptr) {
      next = after_splice(next);
      has_splice = true;
      continue;
    }
    if (count > 0 && kClasses[byte(*next)] < kDot) break;
    characters[count] = *next++;
    ends[count++] = next;
  }
  std::size_t length = punct_length({characters.data(), count});
  if (length == 3 && characters[0] == '>' && characters[2] == '>') {
    if (closes_launch()) {
      launch_ = {};
    } else {
      length = 2;
    }
  } else if (length == 3 && characters[0] == '<' && characters[2] == '<') {
    if (follows_operator_keyword()) {
      length = 2;
    } else {
      launch_ = {true, 0};
    }
  }
  const std::string_view text(characters.data(), length);
  std::uint16_t id = digraph(text);
  if (id == 0)
    id = static_cast<std::uint16_t>(byte(text[0]) | (length > 1 ? byte(text[1]) << 8 : 0));
  if (wants_header_ && text[0] == '<') return header_name(at);
  const bool is_hash = id == punct("#") && (flags_ & (kFirstOnLine | kInDirective)) == kFirstOnLine;
  if (is_hash) {
    flags_ |= kInDirective;
    out_.directives.push_back(next_index());
    outer_launch_ = std::exchange(launch_, {});
  }
  const char* to = ends[length - 1];
  const bool is_spliced = has_splice && static_cast<std::size_t>(to - at) != length;
  emit(Kind::kPunct, at, to, id, is_spliced ? kSpliced : 0);
  return to;
}

void Lexer::after_directive_name(std::string_view text) {
  if (next_index() != out_.directives.back() + 2) return;
  is_prose_ = text == "error" || text == "warning" || text == "pragma";
  wants_header_ = text == "include" || text == "include_next" || text == "import";
}

void Lexer::end_line() {
  if ((flags_ & kInDirective) == 0) return;
  mark_macro_body();
  launch_ = outer_launch_;
  flags_ = kFirstOnLine;
  is_prose_ = false;
  wants_header_ = false;
}

void Lexer::mark_macro_body() {
  std::vector<Token>& list = out_.list;
  std::size_t at = out_.directives.back() + 1;
  const auto text = [&](const Token& token) {
    return std::string_view(begin_ + token.begin, token.end - token.begin);
  };
  if (at + 1 >= list.size() || text(list[at]) != "define") return;
  at += 2;
  const bool has_parameters = at < list.size() && list[at].id == punct("(") &&
                              list[at].kind == Kind::kPunct && list[at].begin == list[at - 1].end;
  if (has_parameters) {
    while (at < list.size() && !(list[at].kind == Kind::kPunct && list[at].id == punct(")"))) ++at;
    ++at;
  }
  for (; at < list.size(); ++at) list[at].flags |= kInMacroBody;
}

}  // namespace

Tokens lex(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace hipwright::syntax::cuda
