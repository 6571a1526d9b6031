// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>

#include "syntax/python/token.h"

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
  set("+-*/%@&|^~<>=!,:;", kOperator);
  set(".", kDot);
  set("\\", kBackslash);
  return types;
}();

constexpr auto kNameChars = [] {
  std::array<bool, 256> yes{};
  for (std::size_t c = 0; c < 256; ++c) yes[c] = kTypes[c] == kLetter || kTypes[c] == kDigit;
  return yes;
}();

Type type_of(char c) {
  return kTypes[static_cast<unsigned char>(c)];
}
bool continues_name(char c) {
  return kNameChars[static_cast<unsigned char>(c)];
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
  explicit Lexer(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {
    out_.list.reserve(text.size() / 4 + 8);
  }

  Tokens run() {
    if (end_ - at_ >= 3 && std::memcmp(at_, "\xEF\xBB\xBF", 3) == 0) at_ += 3;
    while (at_ < end_) next();
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

  void next() {
    switch (type_of(*at_)) {
      case kSpace:
        do ++at_;
        while (*at_ == ' ');
        break;
      case kBreak:
        line_break();
        break;
      case kHash:
        comment();
        break;
      case kLetter:
        name();
        break;
      case kDigit:
        number(at_);
        break;
      case kQuote:
        string(at_, false, false);
        break;
      case kOpen:
        open();
        break;
      case kClose:
        close();
        break;
      case kOperator:
        operator_();
        break;
      case kDot:
        dot();
        break;
      case kBackslash:
        backslash();
        break;
      case kUnknown:
        problem(at_, at_ + 1, "this character has no meaning in Python");
        one_byte();
        break;
    }
  }

  void line_break() {
    const char* from = at_;
    at_ += *at_ == '\r' && at_ + 1 < end_ && at_[1] == '\n' ? 2 : 1;
    if (stack_.empty() && !out_.list.empty() && out_.list.back().kind != Kind::kNewline)
      add(Kind::kNewline, from, at_, 0);
    flags_ = kFirstOnLine;
  }

  // Ends the logical line before `at`: whatever is open stays without a partner.
  void end_line(const char* at) {
    for (const std::uint32_t bracket : stack_) {
      const Token& token = out_.list[out_.brackets[bracket].token];
      problem(begin_ + token.begin, begin_ + token.end, "this bracket is never closed");
      out_.brackets[bracket].around = kNoToken;
    }
    stack_.clear();
    open_count_ = {};
    if (!out_.list.empty() && out_.list.back().kind != Kind::kNewline) {
      flags_ = 0;
      add(Kind::kNewline, at, at, 0);
    }
  }

  void comment() {
    const char* from = at_;
    const auto left = static_cast<std::size_t>(end_ - at_);
    at_ = static_cast<const char*>(std::memchr(at_, '\n', left));
    if (const void* cr = std::memchr(from, '\r', static_cast<std::size_t>(at_ - from)))
      at_ = static_cast<const char*>(cr);
    out_.comments.push_back({{offset(from), offset(at_)}, count()});
  }

  void name() {
    const char* from = at_;
    do ++at_;
    while (continues_name(*at_));
    const auto size = static_cast<std::size_t>(at_ - from);
    if (size <= 2 && type_of(*at_) == kQuote && prefixed_string(from, size)) return;
    if ((flags_ & kFirstOnLine) != 0 && !stack_.empty() && only_begins_statements({from, size})) {
      const char* line = from;
      while (line[-1] == ' ' || line[-1] == '\t') --line;
      end_line(line);
      flags_ = kFirstOnLine;
    }
    const NameId id = name_id({from, size});
    if (id != 0) out_.hits.push_back({id, count()});
    add(Kind::kName, from, at_, id);
  }

  bool prefixed_string(const char* from, std::size_t size) {
    bool is_formatted = false;
    bool is_raw = false;
    unsigned others = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const char letter = static_cast<char>(from[i] | 0x20);
      if (letter == 'r' && !is_raw) {
        is_raw = true;
      } else if (letter == 'b' || letter == 'f' || letter == 't' || (letter == 'u' && size == 1)) {
        is_formatted = letter == 'f' || letter == 't';
        ++others;
      } else {
        return false;
      }
    }
    if (others > 1) return false;
    string(from, is_formatted, is_raw);
    return true;
  }

  // `at_` is at the opening quotes.
  void string(const char* from, bool is_formatted, bool is_raw) {
    const char quote = *at_;
    const bool is_triple = end_ - at_ >= 3 && at_[1] == quote && at_[2] == quote;
    bool& is_unclosed = unclosed_[quote == '"' ? 1 : 0];
    StringEnd found;
    // What was searched in vain is not searched again, so that broken texts cost no more than
    // others.
    if (is_formatted && at_ >= formatted_until_) {
      found = string_end(at_, end_, true, is_raw);
      if (found.at == nullptr) {
        problem(from, at_, "this f-string or one of its fields is not closed");
        formatted_until_ = found.looked;
      }
    }
    if (found.at == nullptr && !(is_triple && is_unclosed))
      found = string_end(at_, end_, false, false);
    if (found.at == nullptr) {
      // The rest of the text is hardly one string: it is code to whoever forgot the quotes.
      is_unclosed |= is_triple;
      flags_ |= kUnterminated;
      problem(from, at_,
              is_triple ? "these triple quotes are never closed"
                        : "this string is not closed on its line");
      found.at = at_;
      while (*found.at != '\n' && *found.at != '\r') ++found.at;
    }
    at_ = found.at;
    add(Kind::kString, from, at_, 0);
  }

  void digits() {
    while (is_digit(*at_) || (*at_ == '_' && is_digit(at_[1]))) ++at_;
  }

  void number(const char* from) {
    const char base = static_cast<char>(from[0] == '0' ? from[1] | 0x20 : 0);
    if ((base == 'x' || base == 'o' || base == 'b') && (is_hex(from[2]) || from[2] == '_')) {
      at_ = from + 2;
      while (base == 'x' ? is_hex(*at_) || *at_ == '_' : is_digit(*at_) || *at_ == '_') ++at_;
      add(Kind::kNumber, from, at_, 0);
      return;
    }
    digits();
    if (*at_ == '.') {
      ++at_;
      digits();
    }
    if ((*at_ | 0x20) == 'e') {
      const int sign = at_[1] == '+' || at_[1] == '-' ? 1 : 0;
      if (is_digit(at_[1 + sign])) {
        at_ += 1 + sign;
        digits();
      }
    }
    if ((*at_ | 0x20) == 'j') ++at_;
    add(Kind::kNumber, from, at_, 0);
  }

  void dot() {
    if (is_digit(at_[1])) {
      number(at_);
    } else if (at_[1] == '.' && at_ + 2 < end_ && at_[2] == '.') {
      add(Kind::kOp, at_, at_ + 3, op(".."));
      at_ += 3;
    } else {
      one_byte();
    }
  }

  void one_byte() {
    add(Kind::kOp, at_, at_ + 1, static_cast<unsigned char>(*at_));
    ++at_;
  }

  void operator_() {
    const char c = *at_;
    const char second = at_[1];  // a line break at the least
    int size = 1;
    switch (c) {
      case '*':
      case '/':
      case '<':
      case '>':
        if (second == c) {
          size = at_[2] == '=' ? 3 : 2;
        } else if (second == '=') {
          size = 2;
        }
        break;
      case '-':
        size = second == '=' || second == '>' ? 2 : 1;
        break;
      case '~':
      case ',':
      case ';':
        break;
      case '!':
        if (second != '=') problem(at_, at_ + 1, "this character has no meaning in Python");
        [[fallthrough]];
      default:
        size = second == '=' ? 2 : 1;
        break;
    }
    const auto id = static_cast<std::uint16_t>(
        static_cast<unsigned char>(c) | (size == 1 ? 0 : static_cast<unsigned char>(second) << 8));
    add(Kind::kOp, at_, at_ + size, id);
    at_ += size;
  }

  TokenIndex innermost() const {
    return stack_.empty() ? kNoToken : out_.brackets[stack_.back()].token;
  }

  void open() {
    out_.brackets.push_back({count(), kNoToken, innermost()});
    stack_.push_back(static_cast<std::uint32_t>(out_.brackets.size() - 1));
    ++open_count_[bracket_kind(*at_)];
    one_byte();
  }

  const char* opening_of(std::uint32_t bracket) const {
    return begin_ + out_.list[out_.brackets[bracket].token].begin;
  }

  void close() {
    const unsigned kind = bracket_kind(*at_);
    if (open_count_[kind] == 0) {
      problem(at_, at_ + 1, "this bracket closes nothing");
      out_.brackets.push_back({count(), kNoToken, innermost()});
      one_byte();
      return;
    }
    std::size_t opening = stack_.size() - 1;
    while (bracket_kind(*opening_of(stack_[opening])) != kind) --opening;
    const Bracket pair = out_.brackets[stack_[opening]];
    for (std::size_t i = opening + 1; i < stack_.size(); ++i) {
      const char* at = opening_of(stack_[i]);
      problem(at, at + 1, "this bracket is never closed");
      --open_count_[bracket_kind(*at)];
      out_.brackets[stack_[i]].around = pair.token;
    }
    --open_count_[kind];
    out_.brackets[stack_[opening]].partner = count();
    out_.brackets.push_back({count(), pair.token, pair.around});
    stack_.resize(opening);
    one_byte();
  }

  void backslash() {
    const char next = at_ + 1 < end_ ? at_[1] : '\0';
    if (next != '\n' && next != '\r') {
      problem(at_, at_ + 1, "a backslash joins lines only at the end of one");
      one_byte();
      return;
    }
    at_ += next == '\r' && at_ + 2 < end_ && at_[2] == '\n' ? 3 : 2;
    flags_ = kFirstOnLine;
  }

  const char* begin_;
  const char* at_;
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
