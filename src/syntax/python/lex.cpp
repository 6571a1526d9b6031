// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>

#include "syntax/python/token.h"
#include "syntax/scan.h"

namespace hipwright::syntax::python {

namespace {

enum Type : std::uint8_t {
  kUnknown,
  kSpace,
  kBreak,
  kHash,
  kLetter,
  kDigit,
  kQuote,
  kOpen,
  kClose,
  kOperator,
  kSemicolon,
  kDot,
  kBackslash,
};

constexpr auto kTypes = [] {
  std::array<Type, 256> types{};
  const auto set = [&](std::string_view characters, Type type) {
    for (const char c : characters) types[static_cast<unsigned char>(c)] = type;
  };
  set(" \t\f", kSpace);
  set("\n\r", kBreak);
  set("#", kHash);
  set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", kLetter);
  // Python allows most letters of Unicode in names. What it does not allow is rare enough to pass.
  for (std::size_t c = 0x80; c < 0x100; ++c) types[c] = kLetter;
  set("0123456789", kDigit);
  set("'\"", kQuote);
  set("([{", kOpen);
  set(")]}", kClose);
  set("+-*/%@&|^~<>=!,:", kOperator);
  set(";", kSemicolon);
  set(".", kDot);
  set("\\", kBackslash);
  return types;
}();

Type type_of(char c) {
  return kTypes[static_cast<unsigned char>(c)];
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

// A bracket's kind: 0 round, 1 square, 2 curly.
unsigned bracket_kind(char c) {
  return c == '(' || c == ')' ? 0 : c == '[' || c == ']' ? 1 : 2;
}

constexpr std::size_t kMostProblems = 64;

// Reads a text that ends with a line break: names, numbers and blanks end there without a look at
// the text's end for each byte.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : begin_(text.data()), end_(begin_ + text.size()) {
    out_.list.reserve(text.size() / 4 + 8);
    out_.lines.reserve(text.size() / 32);
    out_.brackets.reserve(text.size() / 32);
  }

  Tokens run() {
    const char* at = begin_;
    if (end_ - at >= 3 && std::memcmp(at, "\xEF\xBB\xBF", 3) == 0) at += 3;
    while (at < end_) {
      at = step(at);
      at += at < end_ && *at == ' ' ? 1 : 0;
    }
    end_line(end_);
    add(Kind::kEnd, end_, end_, 0);
    return std::move(out_);
  }

 private:
  std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - begin_); }
  TokenIndex count() const { return static_cast<TokenIndex>(out_.list.size()); }

  void add(Kind kind, const char* from, const char* to, std::uint16_t id) {
    out_.list.push_back({offset(from), offset(to), kind, flags_, id});
    flags_ = 0;
  }

  void problem(const char* from, const char* to, const char* what) {
    if (out_.problems.size() < kMostProblems)
      out_.problems.push_back({{offset(from), offset(to)}, what});
  }

  // Reads one token, comment or run of blanks; where it ends.
  const char* step(const char* at) {
    switch (type_of(*at)) {
      case kSpace:
        return spaces_end(at + 1, end_);
      case kBreak:
        return line_break(at);
      case kHash:
        return comment(at);
      case kLetter:
        return name(at);
      case kDigit:
        return number(at);
      case kQuote:
        return string(at, at, false, false);
      case kOpen:
        return open(at);
      case kClose:
        return close(at);
      case kOperator:
        return operation(at);
      case kSemicolon:
        out_.semicolons.push_back(count());
        return one_byte(at);
      case kDot:
        return dot(at);
      case kBackslash:
        return backslash(at);
      case kUnknown:
        break;
    }
    problem(at, at + 1, "invalid character");
    return one_byte(at);
  }

  const char* line_break(const char* at) {
    const char* to = at + (*at == '\r' && at + 1 < end_ && at[1] == '\n' ? 2 : 1);
    if (stack_.empty() && !out_.list.empty() && out_.list.back().kind != Kind::kNewline) {
      out_.lines.push_back(count());
      add(Kind::kNewline, at, to, 0);
    }
    flags_ = kFirstOnLine;
    return spaces_end(to, end_);
  }

  // Ends the logical line before `at`: whatever is open stays without a partner.
  void end_line(const char* at) {
    for (const std::uint32_t bracket : stack_) {
      const char* opening = opening_of(bracket);
      problem(opening, opening + 1, "unclosed bracket");
      out_.brackets[bracket].around = kNoToken;
    }
    stack_.clear();
    open_count_ = {};
    if (!out_.list.empty() && out_.list.back().kind != Kind::kNewline) {
      flags_ = 0;
      out_.lines.push_back(count());
      add(Kind::kNewline, at, at, 0);
    }
  }

  const char* comment(const char* from) {
    const auto left = static_cast<std::size_t>(end_ - from);
    const auto* to = static_cast<const char*>(std::memchr(from, '\n', left));
    if (const void* cr = std::memchr(from, '\r', static_cast<std::size_t>(to - from)))
      to = static_cast<const char*>(cr);
    out_.comments.push_back({{offset(from), offset(to)}, count()});
    return to;
  }

  const char* name(const char* from) {
    const char* to = word_end(from, end_);
    const std::string_view word(from, static_cast<std::size_t>(to - from));
    if (word.size() <= 2 && type_of(*to) == kQuote)
      if (const char* end = prefixed_string(word)) return end;
    if ((flags_ & kFirstOnLine) != 0 && !stack_.empty() && only_begins_statements(word))
        [[unlikely]] {
      const char* line = from;
      while (line[-1] == ' ' || line[-1] == '\t') --line;
      end_line(line);
      flags_ = kFirstOnLine;
    }
    const NameId id = end_ - from >= 16 ? name_id_within(word) : name_id(word);
    if (id != 0) out_.hits.push_back({id, count()});
    add(Kind::kName, from, to, id);
    return to;
  }

  // nullptr when the word is not a prefix of strings.
  const char* prefixed_string(std::string_view word) {
    bool is_formatted = false;
    bool is_raw = false;
    unsigned others = 0;
    for (const char c : word) {
      const char letter = static_cast<char>(c | 0x20);
      if (letter == 'r' && !is_raw) {
        is_raw = true;
      } else if (letter == 'b' || letter == 'f' || letter == 't' ||
                 (letter == 'u' && word.size() == 1)) {
        is_formatted = letter == 'f' || letter == 't';
        ++others;
      } else {
        return nullptr;
      }
    }
    if (others > 1) return nullptr;
    return string(word.data(), word.data() + word.size(), is_formatted, is_raw);
  }

  const char* string(const char* from, const char* quotes, bool is_formatted, bool is_raw) {
    const bool is_triple = end_ - quotes >= 3 && quotes[1] == quotes[0] && quotes[2] == quotes[0];
    bool& is_unclosed = unclosed_[quotes[0] == '"' ? 1 : 0];
    StringEnd found;
    // A failed search is not repeated: broken texts must not cost more than others.
    if (is_formatted && quotes >= formatted_until_) {
      found = string_end(quotes, end_, true, is_raw);
      if (found.at == nullptr) {
        problem(from, quotes, "unterminated f-string literal");
        formatted_until_ = found.looked;
      }
    }
    if (found.at == nullptr && !(is_triple && is_unclosed))
      found = string_end(quotes, end_, false, false);
    if (found.at == nullptr) {
      // The rest of the text is hardly one string: the closing quotes are missing, and code
      // follows.
      is_unclosed |= is_triple;
      flags_ |= kUnterminated;
      problem(
          from, quotes,
          is_triple ? "unterminated triple-quoted string literal" : "unterminated string literal");
      found.at = quotes;
      while (*found.at != '\n' && *found.at != '\r') ++found.at;
    }
    add(Kind::kString, from, found.at, 0);
    return found.at;
  }

  static const char* digits_end(const char* at) {
    while (is_digit(*at) || (*at == '_' && is_digit(at[1]))) ++at;
    return at;
  }

  static const char* number_end(const char* from) {
    const char base = static_cast<char>(from[0] == '0' ? from[1] | 0x20 : 0);
    const char* at = from;
    if ((base == 'x' || base == 'o' || base == 'b') && (is_hex(from[2]) || from[2] == '_')) {
      at += 2;
      while (*at == '_' || (base == 'x' ? is_hex(*at) : is_digit(*at))) ++at;
      return at;
    }
    at = digits_end(at);
    if (*at == '.') at = digits_end(at + 1);
    if ((*at | 0x20) == 'e') {
      const int sign = at[1] == '+' || at[1] == '-' ? 1 : 0;
      if (is_digit(at[1 + sign])) at = digits_end(at + 1 + sign);
    }
    return (*at | 0x20) == 'j' ? at + 1 : at;
  }

  const char* number(const char* from) {
    const char* to = number_end(from);
    add(Kind::kNumber, from, to, 0);
    return to;
  }

  const char* dot(const char* at) {
    if (is_digit(at[1])) return number(at);
    if (at[1] != '.' || at + 2 >= end_ || at[2] != '.') return one_byte(at);
    add(Kind::kOp, at, at + 3, op(".."));
    return at + 3;
  }

  const char* one_byte(const char* at) {
    add(Kind::kOp, at, at + 1, static_cast<unsigned char>(*at));
    return at + 1;
  }

  // `at` is never the last byte: a line break is.
  static int operator_size(const char* at) {
    const char second = at[1];
    switch (*at) {
      case '~':
      case ',':
        return 1;
      case '*':
      case '/':
      case '<':
      case '>':
        if (second == *at) return at[2] == '=' ? 3 : 2;
        break;
      case '-':
        if (second == '>') return 2;
        break;
      default:
        break;
    }
    return second == '=' ? 2 : 1;
  }

  const char* operation(const char* at) {
    const int size = operator_size(at);
    if (size == 1) {
      if (*at == '!') problem(at, at + 1, "invalid character");
      return one_byte(at);
    }
    const auto id = static_cast<std::uint16_t>(static_cast<unsigned char>(at[0]) |
                                               static_cast<unsigned char>(at[1]) << 8);
    add(Kind::kOp, at, at + size, id);
    return at + size;
  }

  const char* opening_of(std::uint32_t bracket) const {
    return begin_ + out_.list[out_.brackets[bracket].token].begin;
  }
  TokenIndex innermost() const {
    return stack_.empty() ? kNoToken : out_.brackets[stack_.back()].token;
  }

  const char* open(const char* at) {
    out_.brackets.push_back({count(), kNoToken, innermost()});
    stack_.push_back(static_cast<std::uint32_t>(out_.brackets.size() - 1));
    ++open_count_[bracket_kind(*at)];
    return one_byte(at);
  }

  const char* close(const char* at) {
    const unsigned kind = bracket_kind(*at);
    if (open_count_[kind] == 0) {
      problem(at, at + 1, "unmatched closing bracket");
      out_.brackets.push_back({count(), kNoToken, innermost()});
      return one_byte(at);
    }
    std::size_t opening = stack_.size() - 1;
    while (bracket_kind(*opening_of(stack_[opening])) != kind) --opening;
    const Bracket pair = out_.brackets[stack_[opening]];
    for (std::size_t i = opening + 1; i < stack_.size(); ++i) {
      const char* unclosed = opening_of(stack_[i]);
      problem(unclosed, unclosed + 1, "unclosed bracket");
      --open_count_[bracket_kind(*unclosed)];
      out_.brackets[stack_[i]].around = pair.token;
    }
    --open_count_[kind];
    out_.brackets[stack_[opening]].partner = count();
    out_.brackets.push_back({count(), pair.token, pair.around});
    stack_.resize(opening);
    return one_byte(at);
  }

  const char* backslash(const char* at) {
    const char next = at[1];
    if (next != '\n' && next != '\r') {
      problem(at, at + 1, "unexpected character after line continuation");
      return one_byte(at);
    }
    flags_ = kFirstOnLine;
    return at + (next == '\r' && at + 2 < end_ && at[2] == '\n' ? 3 : 2);
  }

  const char* begin_;
  const char* end_;
  Tokens out_;
  std::uint8_t flags_ = kFirstOnLine;
  std::vector<std::uint32_t> stack_;  // open brackets, as positions in out_.brackets
  std::array<std::uint32_t, 3> open_count_{};
  const char* formatted_until_ = nullptr;
  std::array<bool, 2> unclosed_{};  // triple quotes ' and " that nothing closes
};

}  // namespace

Tokens lex(std::string_view text) {
  if (!text.empty() && text.back() == '\n') return Lexer(text).run();
  std::string with_break(text);
  with_break += '\n';
  Tokens tokens = Lexer(with_break).run();
  const auto size = static_cast<std::uint32_t>(text.size());
  const auto clamp = [&](auto& at) {
    at = std::min<std::remove_reference_t<decltype(at)>>(at, size);
  };
  for (std::size_t i = tokens.list.size(); i-- > 0 && tokens.list[i].end > size;) {
    clamp(tokens.list[i].begin);
    clamp(tokens.list[i].end);
  }
  if (!tokens.comments.empty()) clamp(tokens.comments.back().span.end);
  for (Problem& problem : tokens.problems) clamp(problem.span.end);
  return tokens;
}

}  // namespace hipwright::syntax::python
