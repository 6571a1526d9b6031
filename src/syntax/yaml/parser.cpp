// SPDX-License-Identifier: MIT
#include "syntax/yaml/parser.h"

#include <algorithm>

#include <fmt/format.h>

namespace hipwright::syntax::yaml {

namespace {

constexpr unsigned kMaxDepth = 100;
constexpr std::size_t kMaxNodes = 2'000'000;
constexpr std::size_t kMaxProblems = 50;

// Ends the nesting it began.
struct Nesting {
  explicit Nesting(unsigned& depth) : depth_(depth) { ++depth_; }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  unsigned& depth_;
};

}  // namespace

File::File(std::string_view text) : text_(text) {
  nodes_.emplace_back();
  Parser(*this).parse();
}

const Node* File::get(const Node& mapping, std::string_view key) const {
  for (const Entry& entry : mapping.entries)
    if (node(entry.key).value == key) return &node(entry.value);
  return nullptr;
}

const Node* File::key(const Node& mapping, std::string_view key) const {
  for (const Entry& entry : mapping.entries)
    if (node(entry.key).value == key) return &node(entry.key);
  return nullptr;
}

const Node* File::resolved(const Node& from) const {
  if (from.kind != Kind::kAlias) return &from;
  const auto at = anchors_.find(from.value);
  return at == anchors_.end() ? nullptr : &node(at->second);
}

std::size_t source_of(const Node& scalar, std::size_t value_offset) {
  const auto after =
      std::upper_bound(scalar.pieces.begin(), scalar.pieces.end(), value_offset,
                       [](std::size_t offset, const Piece& piece) { return offset < piece.value; });
  if (after == scalar.pieces.begin()) return scalar.span.begin;
  const Piece& piece = *(after - 1);
  return std::min(piece.source + (value_offset - piece.value), scalar.span.end);
}

NodeIndex Parser::add(Kind kind, std::size_t begin) {
  if (file_.nodes_.size() >= kMaxNodes) {
    if (!stopped_) problem(begin, begin, "the file is too large to read");
    stop();
    return kNoNode;
  }
  file_.nodes_.push_back({.kind = kind, .span = {begin, begin}});
  return static_cast<NodeIndex>(file_.nodes_.size() - 1);
}

void Parser::problem(std::size_t begin, std::size_t end, std::string what) {
  if (stopped_) return;
  file_.problems_.push_back(
      {{begin, std::min(std::max(begin, end), text_.size())}, std::move(what)});
  if (file_.problems_.size() >= kMaxProblems) stop();
}

bool Parser::at_blank(std::size_t ahead) const {
  const char c = peek(ahead);
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || pos_ + ahead >= text_.size();
}

bool Parser::at_document_marker() const {
  const std::string_view rest = text_.substr(std::min(pos_, text_.size()), 3);
  return column() == 0 && (rest == "---" || rest == "...") && at_blank(3);
}

void Parser::skip_blanks() {
  while (peek() == ' ' || peek() == '\t') ++pos_;
}

void Parser::newline() {
  if (peek() == '\r') ++pos_;
  if (peek() == '\n') ++pos_;
  line_start_ = pos_;
}

void Parser::skip_line() {
  pos_ = std::min(text_.find_first_of("\r\n", pos_), text_.size());
  newline();
}

bool Parser::skip_to_content() {
  while (!at_end()) {
    const std::size_t begin = pos_;
    while (peek() == ' ') ++pos_;
    const bool has_tab = peek() == '\t';
    skip_blanks();
    const bool is_comment =
        peek() == '#' && (pos_ == line_start_ || text_[pos_ - 1] == ' ' || text_[pos_ - 1] == '\t');
    if (is_comment || peek() == '\n' || peek() == '\r') {
      skip_line();
      continue;
    }
    if (at_end()) return false;
    if (has_tab && begin == line_start_) {
      problem(begin, pos_, "a tab cannot indent YAML: use spaces");
      stop();
      return false;
    }
    return true;
  }
  return false;
}

// After a value only a comment may follow on its line.
bool Parser::expect_line_end() {
  const std::size_t begin = pos_;
  skip_blanks();
  if (at_end()) return true;
  if (peek() == '\n' || peek() == '\r') return true;
  if (peek() == '#' && pos_ > begin) return true;
  problem(pos_, std::min(text_.find_first_of("\r\n", pos_), text_.size()),
          peek() == ':' ? "a mapping cannot begin within a value: quote the value"
                        : "unexpected text after the value");
  pos_ = std::min(text_.find_first_of("\r\n", pos_), text_.size());
  return false;
}

void Parser::parse() {
  if (text_.starts_with("\xEF\xBB\xBF")) pos_ = line_start_ = 3;
  if (!skip_to_content()) return;
  while (peek() == '%' && column() == 0) {
    skip_line();
    if (!skip_to_content()) return;
  }
  if (at_document_marker() && peek() == '-') {
    pos_ += 3;
    skip_blanks();
  }
  file_.root_ = block_node(-1, false);
  while (!stopped_ && skip_to_content()) {
    if (at_document_marker() && peek() == '.') {
      skip_line();
      continue;
    }
    const bool is_document = at_document_marker();
    problem(pos_, std::min(text_.find_first_of("\r\n", pos_), text_.size()),
            is_document ? "a second document: only the first is read"
                        : "expected a key and ':', or the end of the file");
    stop();
  }
}

// "&anchor" and "!tag", in any order. Tags are skipped.
bool Parser::read_properties(std::string& anchor) {
  bool any = false;
  while (peek() == '&' || peek() == '!') {
    const std::size_t begin = pos_;
    while (!at_blank() &&
           (pos_ == begin || std::string_view(",[]{}").find(peek()) == std::string_view::npos))
      ++pos_;
    if (text_[begin] == '&') anchor = std::string(text_.substr(begin + 1, pos_ - begin - 1));
    any = true;
    skip_blanks();
  }
  return any;
}

void Parser::finish_anchor(NodeIndex node, std::string anchor) {
  if (node == kNoNode || anchor.empty()) return;
  file_.anchors_[anchor] = node;
  at(node).anchor = std::move(anchor);
}

// The node that begins at the next content, if that is indented more than `parent`.
NodeIndex Parser::block_node(int parent, bool sequence_may_align) {
  const Nesting nesting(depth_);
  if (depth_ > kMaxDepth) {
    problem(pos_, pos_, fmt::format("nested more than {} levels deep", kMaxDepth));
    stop();
    return kNoNode;
  }
  if (!skip_to_content() || at_document_marker()) return kNoNode;
  const int here = column();
  if (at_indicator('-') && here >= 0 && (here > parent || (sequence_may_align && here == parent)))
    return block_sequence(here);
  if (here <= parent) return kNoNode;
  if (at_indicator('?')) {
    problem(pos_, pos_ + 1, "explicit keys ('? key') are not supported");
    stop();
    return kNoNode;
  }
  const std::size_t begin = pos_;
  std::string anchor;
  if (read_properties(anchor) && (peek() == '\n' || peek() == '\r' || peek() == '#')) {
    const NodeIndex node = block_node(parent, sequence_may_align);
    finish_anchor(node, std::move(anchor));
    return node;
  }
  // The properties belong to the first key if one follows on this line.
  const std::size_t after_properties = pos_;
  NodeIndex key = kNoNode;
  if (next_key(column(), key)) {
    finish_anchor(key, std::move(anchor));
    return block_mapping(static_cast<int>(begin - line_start_), key);
  }
  pos_ = after_properties;
  const NodeIndex value = inline_value(parent);
  finish_anchor(value, std::move(anchor));
  return value;
}

namespace {

// The end of a plain key on this line: the place of a ':' that a blank follows.
std::size_t plain_key_end(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size() && text[i] != '\n' && text[i] != '\r'; ++i) {
    if (text[i] == '#' && i > begin && (text[i - 1] == ' ' || text[i - 1] == '\t')) break;
    if (text[i] == ':' && (i + 1 >= text.size() ||
                           std::string_view(" \t\r\n").find(text[i + 1]) != std::string_view::npos))
      return i;
  }
  return std::string_view::npos;
}

// Behind the closing quote of the quoted text that begins here, on one line.
std::size_t quoted_end(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t i = begin + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote != '\'' || i + 1 >= text.size() || text[i + 1] != '\'') return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

// Reads "key:" and leaves the position behind the colon; false, and unmoved, when none is here.
bool Parser::next_key(int, NodeIndex& key) {
  const std::size_t begin = pos_;
  const char c = peek();
  std::size_t end = std::string_view::npos;
  if (c == '"' || c == '\'') {
    end = quoted_end(text_, begin);
    if (end == std::string_view::npos) return false;
    std::size_t colon = end;
    while (colon < text_.size() && (text_[colon] == ' ' || text_[colon] == '\t')) ++colon;
    if (colon >= text_.size() || text_[colon] != ':') return false;
    key = c == '"' ? double_quoted(-1) : single_quoted(-1);
    pos_ = colon + 1;
    return true;
  }
  if (std::string_view("[]{},#|>@`%").find(c) != std::string_view::npos) return false;
  end = plain_key_end(text_, begin);
  if (end == std::string_view::npos) return false;
  std::size_t last = end;
  while (last > begin && (text_[last - 1] == ' ' || text_[last - 1] == '\t')) --last;
  const bool is_alias = c == '*';
  key = add(is_alias ? Kind::kAlias : Kind::kScalar, begin);
  if (key == kNoNode) return false;
  at(key).span.end = last;
  at(key).value = std::string(text_.substr(begin + is_alias, last - begin - is_alias));
  at(key).pieces = {{0, begin + is_alias}};
  pos_ = end + 1;
  return true;
}

void Parser::add_entry(NodeIndex mapping, NodeIndex key, NodeIndex value,
                       std::unordered_set<std::string>& seen) {
  if (stopped_ && key == kNoNode) return;
  if (at(key).kind == Kind::kScalar && !seen.insert(at(key).value).second)
    problem(at(key).span.begin, at(key).span.end,
            fmt::format("key '{}' is defined twice", at(key).value.substr(0, 60)));
  at(mapping).entries.push_back({key, value});
  // Either may be missing, and then lies nowhere.
  at(mapping).span.end = std::max({at(mapping).span.end, at(key).span.end, at(value).span.end});
}

NodeIndex Parser::block_mapping(int column, NodeIndex first_key) {
  const NodeIndex mapping = add(Kind::kMapping, at(first_key).span.begin);
  if (mapping == kNoNode) return kNoNode;
  std::unordered_set<std::string> seen;
  columns_.push_back(column);
  NodeIndex key = first_key;
  while (!stopped_) {
    const NodeIndex value = mapping_value(column);
    add_entry(mapping, key, value, seen);
    if (!skip_to_content() || at_document_marker() || this->column() < column) break;
    const std::size_t begin = pos_;
    if (this->column() > column) {
      problem(
          begin, std::min(text_.find_first_of("\r\n", begin), text_.size()),
          fmt::format("indented by {} spaces, and the keys above by {}", this->column(), column));
      stop();
      break;
    }
    if (at_indicator('-')) break;
    std::string anchor;
    read_properties(anchor);
    if (!next_key(column, key)) {
      problem(begin, std::min(text_.find_first_of("\r\n", begin), text_.size()),
              "expected a key and ':'");
      stop();
      break;
    }
    finish_anchor(key, std::move(anchor));
  }
  columns_.pop_back();
  return mapping;
}

// Behind a key's colon.
NodeIndex Parser::mapping_value(int column) {
  skip_blanks();
  const bool is_comment = peek() == '#' && text_[pos_ - 1] != ':';
  if (at_end() || peek() == '\n' || peek() == '\r' || is_comment) return block_node(column, true);
  std::string anchor;
  if (read_properties(anchor) && (at_end() || peek() == '\n' || peek() == '\r' || peek() == '#')) {
    const NodeIndex node = block_node(column, true);
    finish_anchor(node, std::move(anchor));
    return node;
  }
  if (at_indicator('-')) {
    problem(pos_, pos_ + 1, "a sequence must begin on the line after its key");
    stop();
    return kNoNode;
  }
  const NodeIndex value = inline_value(column);
  finish_anchor(value, std::move(anchor));
  return value;
}

// A scalar, alias or flow collection that begins here; `parent` is the column of its key.
NodeIndex Parser::inline_value(int parent) {
  NodeIndex node = kNoNode;
  switch (peek()) {
    case '|':
    case '>':
      return block_scalar(parent);
    case '"':
      node = double_quoted(parent);
      break;
    case '\'':
      node = single_quoted(parent);
      break;
    case '[':
    case '{':
      node = flow_node(0);
      break;
    case '*':
      node = alias();
      break;
    case '@':
    case '`':
    case '%':
      problem(pos_, pos_ + 1, fmt::format("a value cannot begin with '{}': quote it", peek()));
      stop();
      return kNoNode;
    default:
      return plain(parent, false);
  }
  if (!stopped_) expect_line_end();
  return node;
}

NodeIndex Parser::block_sequence(int column) {
  const NodeIndex sequence = add(Kind::kSequence, pos_);
  if (sequence == kNoNode) return kNoNode;
  columns_.push_back(column);
  while (!stopped_ && at_indicator('-') && this->column() == column) {
    ++pos_;
    const std::size_t dash_end = pos_;
    skip_blanks();
    // What follows on the line is a node of its own, indented to where it begins.
    const NodeIndex item = block_node(column, false);
    at(sequence).items.push_back(item);
    at(sequence).span.end = item == kNoNode ? dash_end : at(item).span.end;
    if (!skip_to_content() || at_document_marker()) break;
    if (this->column() > column) {
      problem(
          pos_, std::min(text_.find_first_of("\r\n", pos_), text_.size()),
          fmt::format("indented by {} spaces, and the items above by {}", this->column(), column));
      stop();
    }
  }
  columns_.pop_back();
  return sequence;
}

}  // namespace hipwright::syntax::yaml
