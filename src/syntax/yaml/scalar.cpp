// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "syntax/yaml/parser.h"

namespace hipwright::syntax::yaml {

namespace {

bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18 & 0x07));
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "word:" or "- ": what can begin a line of a mapping or sequence.
bool looks_structural(std::string_view line) {
  if (line.starts_with("- ") || line == "-" || line.starts_with("---") || line.starts_with("..."))
    return true;
  std::size_t i = 0;
  const bool quoted = !line.empty() && (line[0] == '"' || line[0] == '\'');
  if (quoted) i = std::min(line.find(line[0], 1), line.size() - 1) + 1;
  while (!quoted && i < line.size() &&
         (line[i] == '-' || line[i] == '_' || line[i] == '.' ||
          (line[i] >= '0' && line[i] <= '9') || (line[i] >= 'a' && line[i] <= 'z') ||
          (line[i] >= 'A' && line[i] <= 'Z')))
    ++i;
  return i > 0 && i < line.size() && line[i] == ':' &&
         (i + 1 == line.size() || line[i + 1] == ' ' || line[i + 1] == '\r');
}

}  // namespace

NodeIndex Parser::alias() {
  const NodeIndex node = add(Kind::kAlias, pos_);
  if (node == kNoNode) return kNoNode;
  const std::size_t begin = ++pos_;
  while (!at_blank() && std::string_view(",[]{}").find(peek()) == std::string_view::npos) ++pos_;
  at(node).value = std::string(text_.substr(begin, pos_ - begin));
  at(node).span.end = pos_;
  return node;
}

// At a line end within a quoted or plain scalar: one break becomes a blank, n + 1 become n breaks.
bool Parser::fold_line(Node& node, int parent) {
  while (!node.value.empty() && (node.value.back() == ' ' || node.value.back() == '\t'))
    node.value.pop_back();
  unsigned breaks = 0;
  while (!at_end() && is_line_end(peek())) {
    newline();
    ++breaks;
    skip_blanks();
  }
  if (at_end() || at_document_marker() || column() <= parent) return false;
  if (breaks == 1)
    node.value += ' ';
  else
    node.value.append(breaks - 1, '\n');
  node.pieces.push_back({node.value.size(), pos_});
  return true;
}

NodeIndex Parser::single_quoted(int parent) {
  const std::size_t begin = pos_++;
  Node node{.kind = Kind::kScalar, .style = Style::kSingleQuoted, .span = {begin, begin}};
  node.pieces.push_back({0, pos_});
  while (!at_end()) {
    if (is_line_end(peek())) {
      if (!fold_line(node, parent)) break;
      continue;
    }
    if (peek() == '\'') {
      if (peek(1) != '\'') {
        node.span.end = ++pos_;
        const NodeIndex index = add(Kind::kScalar, begin);
        if (index != kNoNode) at(index) = std::move(node);
        return index;
      }
      ++pos_;
      node.value += '\'';
      node.pieces.push_back({node.value.size(), ++pos_});
      continue;
    }
    node.value += text_[pos_++];
  }
  problem(begin, begin + 1, "unclosed quote (')");
  stop();
  return kNoNode;
}

// Behind a backslash.
bool Parser::escape(Node& node) {
  const std::size_t begin = pos_ - 1;
  const char c = peek();
  constexpr std::string_view kNames = "0abtnvfre \"/\\";
  constexpr char kValues[] = {'\0', '\a',   '\b', '\t', '\n', '\v', '\f',
                              '\r', '\x1b', ' ',  '"',  '/',  '\\'};
  if (const std::size_t known = kNames.find(c); known != kNames.npos && !at_end()) {
    ++pos_;
    node.value += kValues[known];
    return true;
  }
  if (c == '\t' || c == 'N' || c == '_' || c == 'L' || c == 'P') {
    ++pos_;
    append_utf8(node.value, c == '\t'  ? 9
                            : c == 'N' ? 0x85
                            : c == '_' ? 0xA0
                            : c == 'L' ? 0x2028
                                       : 0x2029);
    return true;
  }
  const unsigned digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  std::uint32_t code = 0;
  for (unsigned i = 0; i < digits; ++i) {
    const int digit = hex_digit(peek(i + 1));
    if (digit < 0) break;
    code = code << 4 | static_cast<std::uint32_t>(digit);
    if (i + 1 == digits && code <= 0x10FFFF) {
      pos_ += digits + 1;
      append_utf8(node.value, code);
      return true;
    }
  }
  problem(begin, begin + 2,
          "unknown escape in a double-quoted string: double the backslash, or use single quotes");
  node.value += '\\';
  return true;
}

NodeIndex Parser::double_quoted(int parent) {
  const std::size_t begin = pos_++;
  Node node{.kind = Kind::kScalar, .style = Style::kDoubleQuoted, .span = {begin, begin}};
  node.pieces.push_back({0, pos_});
  while (!at_end()) {
    const char c = peek();
    if (c == '"') {
      node.span.end = ++pos_;
      const NodeIndex index = add(Kind::kScalar, begin);
      if (index != kNoNode) at(index) = std::move(node);
      return index;
    }
    if (is_line_end(c)) {
      if (!fold_line(node, parent)) break;
    } else if (c == '\\') {
      ++pos_;
      if (is_line_end(peek())) {  // joins the lines
        newline();
        skip_blanks();
      } else {
        escape(node);
      }
      node.pieces.push_back({node.value.size(), pos_});
    } else {
      node.value += text_[pos_++];
    }
  }
  problem(begin, begin + 1, "unclosed quote (\")");
  stop();
  return kNoNode;
}

bool Parser::ends_plain(std::size_t where, bool in_flow) const {
  const auto blank_at = [&](std::size_t i) {
    return i >= text_.size() || text_[i] == ' ' || text_[i] == '\t' || is_line_end(text_[i]);
  };
  const char c = text_[where];
  if (c == '#') return where > 0 && blank_at(where - 1);
  if (c == ':') {
    if (blank_at(where + 1)) return true;
    return in_flow && std::string_view(",[]{}").find(text_[where + 1]) != std::string_view::npos;
  }
  return in_flow && std::string_view(",[]{}").find(c) != std::string_view::npos;
}

NodeIndex Parser::plain(int parent, bool in_flow) {
  const std::size_t begin = pos_;
  Node node{.kind = Kind::kScalar, .span = {begin, begin}};
  node.pieces.push_back({0, begin});
  while (!at_end()) {
    if (is_line_end(peek())) {
      const std::size_t line_end = pos_, old_start = line_start_;
      const std::size_t old_size = node.value.size(), old_pieces = node.pieces.size();
      const bool goes_on =
          fold_line(node, parent) && peek() != '#' &&
          (!in_flow || std::string_view(",[]{}:").find(peek()) == std::string_view::npos);
      if (!goes_on) {
        pos_ = line_end;
        line_start_ = old_start;
        node.value.resize(std::min(node.value.size(), old_size));
        node.pieces.resize(old_pieces);
        break;
      }
      continue;
    }
    if (ends_plain(pos_, in_flow)) break;
    node.value += text_[pos_++];
    if (peek(0) != ' ' && peek(0) != '\t') node.span.end = pos_;
  }
  while (!node.value.empty() && (node.value.back() == ' ' || node.value.back() == '\t'))
    node.value.pop_back();
  node.span.end = std::max(
      begin, source_of({.span = {begin, text_.size()}, .pieces = node.pieces}, node.value.size()));
  const NodeIndex index = add(Kind::kScalar, begin);
  if (index == kNoNode) return index;
  at(index) = std::move(node);
  if (!in_flow && peek() == ':') {
    problem(pos_, pos_ + 1, "a mapping cannot begin within a value: quote the value");
    stop();
  }
  if (in_flow && pos_ == begin) {  // no progress is possible
    problem(pos_, pos_ + 1, "unexpected character in a flow collection");
    stop();
  }
  return index;
}

namespace {

struct BlockHeader {
  bool literal = true;
  char chomp = '\0';  // '+', '-'
  int indent = 0;     // given; 0: of the first line
};

}  // namespace

// A line that is less indented and does not look like YAML was meant as content: the scalar goes on
// behind it, so that what follows can be read.
NodeIndex Parser::block_scalar(int parent) {
  const std::size_t begin = pos_;
  BlockHeader header{.literal = peek() == '|'};
  for (++pos_; !at_blank(); ++pos_) {
    if (peek() == '+' || peek() == '-')
      header.chomp = peek();
    else if (peek() >= '1' && peek() <= '9')
      header.indent = std::max(parent, 0) + (peek() - '0');
    else {
      problem(begin, pos_ + 1, "unexpected character after the block scalar's indicator");
      stop();
      return kNoNode;
    }
  }
  if (!expect_line_end()) return kNoNode;
  skip_line();
  Node node{.kind = Kind::kScalar,
            .style = header.literal ? Style::kLiteral : Style::kFolded,
            .span = {begin, pos_}};
  int indent = header.indent;
  unsigned breaks = 0;  // line ends since the last line with content
  bool has_line = false, was_more = false, broken = false;
  while (!at_end()) {
    const std::size_t line = pos_;
    const std::size_t end = std::min(text_.find_first_of("\r\n", line), text_.size());
    std::size_t content = line;
    while (content < end && text_[content] == ' ' &&
           (indent == 0 || content - line < static_cast<std::size_t>(indent)))
      ++content;
    const int own = static_cast<int>(content - line);
    const bool is_empty = std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(content),
                                      text_.begin() + static_cast<std::ptrdiff_t>(end),
                                      [](char c) { return c == ' '; }) &&
                          (indent == 0 || own < indent || content == end);
    if (is_empty) {
      ++breaks;
      pos_ = end;
      newline();
      continue;
    }
    if (indent == 0 && own > parent) indent = own;
    if (indent == 0 || own < indent) {
      const std::string_view rest = text_.substr(content, end - content);
      const bool is_open =
          std::find(columns_.begin(), columns_.end(), own) != columns_.end() || own == 0;
      const bool ends = indent == 0 || rest.starts_with('#') || (is_open && looks_structural(rest));
      if (ends || columns_.empty()) break;
      if (!broken)
        problem(content, end,
                fmt::format("this line is indented by {} spaces and ends the block scalar, whose "
                            "lines are indented by {}",
                            own, indent));
      broken = true;
      if (stopped_) return kNoNode;
      pos_ = end;
      newline();
      continue;
    }
    if (text_[content] == '\t' && !has_line && own == 0) {
      problem(content, content + 1, "a tab cannot indent YAML: use spaces");
      stop();
      return kNoNode;
    }
    const bool is_more = text_[content] == ' ' || text_[content] == '\t';
    if (has_line) {
      const bool folds = !header.literal && !is_more && !was_more;
      if (!folds)
        node.value.append(breaks, '\n');
      else if (breaks == 1)
        node.value += ' ';
      else
        node.value.append(breaks - 1, '\n');
    } else {
      node.value.append(breaks, '\n');
    }
    node.pieces.push_back({node.value.size(), content});
    node.value.append(text_.substr(content, end - content));
    node.span.end = end;
    has_line = true;
    was_more = is_more;
    breaks = end < text_.size() ? 1 : 0;
    pos_ = end;
    newline();
  }
  if (header.chomp == '+')
    node.value.append(breaks, '\n');
  else if (header.chomp == '\0' && has_line && breaks > 0)
    node.value += '\n';
  const NodeIndex index = add(Kind::kScalar, begin);
  if (index != kNoNode) at(index) = std::move(node);
  return index;
}

}  // namespace hipwright::syntax::yaml
