// SPDX-License-Identifier: MIT
// Where string literals end. Plain ones are searched for their quotes; f-strings and t-strings are
// followed through their replacement fields, which since Python 3.12 may hold any string.
#include <cstring>
#include <vector>

#include "syntax/python/token.h"

namespace hipwright::syntax::python {

namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (c & 0x80) != 0;
}

StringEnd plain_single_end(const char* at, const char* end, char quote) {
  while (at < end) {
    const char c = *at;
    if (c == quote) return {at + 1, at};
    if (c == '\n' || c == '\r') break;
    if (c == '\\') {
      if (end - at < 2) break;
      at += at[1] == '\r' && end - at > 2 && at[2] == '\n' ? 3 : 2;
      continue;
    }
    ++at;
  }
  return {nullptr, at};
}

StringEnd plain_triple_end(const char* begin, const char* end, char quote) {
  const char* at = begin;
  while (at < end) {
    at = static_cast<const char*>(std::memchr(at, quote, static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    const char* backslash = at;
    while (backslash > begin && backslash[-1] == '\\') --backslash;
    if ((at - backslash) % 2 == 0 && end - at >= 3 && at[1] == quote && at[2] == quote)
      return {at + 3, at};
    ++at;
  }
  return {nullptr, end};
}

bool is_triple(const char* quotes, const char* end) {
  return end - quotes >= 3 && quotes[1] == quotes[0] && quotes[2] == quotes[0];
}

StringEnd plain_end(const char* quotes, const char* end) {
  if (is_triple(quotes, end)) return plain_triple_end(quotes + 3, end, quotes[0]);
  return plain_single_end(quotes + 1, end, quotes[0]);
}

// Follows an f-string. A stack instead of recursion, because nesting is the input's to choose.
class Formatted {
 public:
  Formatted(const char* quotes, const char* end, bool is_raw)
      : begin_(quotes), at_(quotes), end_(end) {
    open_string(is_raw);
  }

  StringEnd follow() {
    while (at_ < end_) {
      const bool goes_on = levels_.back().kind == Level::kField ? in_field() : in_literal();
      if (!goes_on) return {nullptr, at_};
      if (levels_.empty()) return {at_, at_};
    }
    return {nullptr, end_};
  }

 private:
  struct Level {
    enum Kind : std::uint8_t { kLiteral, kSpec, kField } kind;
    char quote;
    bool is_triple;
    bool is_raw;
    std::uint32_t brackets;
  };

  void open_string(bool is_raw) {
    const bool triple = is_triple(at_, end_);
    levels_.push_back({Level::kLiteral, *at_, triple, is_raw, 0});
    at_ += triple ? 3 : 1;
  }

  bool skip_escape(bool is_raw) {
    if (end_ - at_ < 2) return false;
    const char next = at_[1];
    if (next == '{' || next == '}') {
      ++at_;
    } else if (next == 'N' && !is_raw && end_ - at_ > 2 && at_[2] == '{') {
      at_ += 3;
      while (at_ < end_ && (is_name_char(*at_) || *at_ == ' ' || *at_ == '-')) ++at_;
      if (at_ < end_ && *at_ == '}') ++at_;
    } else {
      at_ += next == '\r' && end_ - at_ > 2 && at_[2] == '\n' ? 3 : 2;
    }
    return true;
  }

  bool in_literal() {
    const Level top = levels_.back();
    const char c = *at_;
    if (c == '\\') return skip_escape(top.is_raw);
    if (c == top.quote) {
      if (top.is_triple && !is_triple(at_, end_)) {
        ++at_;
        return true;
      }
      if (top.kind == Level::kSpec) return false;  // its field is not closed
      at_ += top.is_triple ? 3 : 1;
      levels_.pop_back();
      return true;
    }
    if ((c == '\n' || c == '\r') && !top.is_triple) return false;
    ++at_;
    if (c == '{') {
      if (top.kind == Level::kLiteral && at_ < end_ && *at_ == '{') {
        ++at_;
      } else {
        levels_.push_back({Level::kField, top.quote, top.is_triple, top.is_raw, 0});
      }
    } else if (c == '}' && top.kind == Level::kSpec) {
      levels_.pop_back();
      levels_.pop_back();
    }
    return true;
  }

  bool in_field() {
    Level& top = levels_.back();
    const char c = *at_;
    switch (c) {
      case '\'':
      case '"':
        return nested_string();
      case '#': {
        const auto* line =
            static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
        at_ = line == nullptr ? end_ : line;
        return true;
      }
      case '(':
      case '[':
      case '{':
        ++top.brackets;
        break;
      case ')':
      case ']':
      case '}':
        if (top.brackets > 0) {
          --top.brackets;
        } else if (c == '}') {
          levels_.pop_back();
        } else {
          return false;
        }
        break;
      case ':':
        if (top.brackets == 0)
          levels_.push_back({Level::kSpec, top.quote, top.is_triple, top.is_raw, 0});
        break;
      case '\n':
        ++at_;
        return top.is_triple || !next_line_is_a_statement();
      default:
        break;
    }
    ++at_;
    return true;
  }

  bool nested_string() {
    bool is_formatted = false;
    bool is_raw = false;
    const char* prefix = at_;
    while (prefix > begin_ && at_ - prefix < 3 && is_name_char(prefix[-1])) {
      const char letter = static_cast<char>(*--prefix | 0x20);
      is_formatted |= letter == 'f' || letter == 't';
      is_raw |= letter == 'r';
    }
    if (is_formatted && at_ - prefix < 3) {
      open_string(is_raw);
      return true;
    }
    const StringEnd inner = plain_end(at_, end_);
    at_ = inner.at != nullptr ? inner.at : inner.looked;
    return inner.at != nullptr;
  }

  bool next_line_is_a_statement() const {
    const char* word = at_;
    while (word < end_ && (*word == ' ' || *word == '\t')) ++word;
    const char* word_end = word;
    while (word_end < end_ && is_name_char(*word_end)) ++word_end;
    return only_begins_statements({word, static_cast<std::size_t>(word_end - word)});
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::vector<Level> levels_;
};

// Most f-strings are short and have no field that holds a quote or a bracket.
const char* short_formatted_end(const char* quotes, const char* end) {
  const char quote = *quotes;
  bool in_field = false;
  for (const char* at = quotes + 1; at < end; ++at) {
    switch (*at) {
      case '{':
        if (in_field || at[1] == '{') return nullptr;
        in_field = true;
        break;
      case '}':
        if (!in_field && at[1] != '}') return nullptr;
        if (in_field) {
          in_field = false;
        } else {
          ++at;
        }
        break;
      case '\'':
      case '"':
        if (in_field) return nullptr;
        if (*at == quote) return at + 1;
        break;
      case '\\':
      case '\n':
      case '\r':
      case '#':
        return nullptr;
      default:
        break;
    }
  }
  return nullptr;
}

}  // namespace

StringEnd string_end(const char* quotes, const char* end, bool is_formatted, bool is_raw) {
  if (!is_formatted) return plain_end(quotes, end);
  if (!is_triple(quotes, end))
    if (const char* at = short_formatted_end(quotes, end)) return {at, at};
  return Formatted(quotes, end, is_raw).follow();
}

}  // namespace hipwright::syntax::python
