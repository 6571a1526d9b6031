// SPDX-License-Identifier: MIT
// The parser behind yaml::File: one pass over the text, recursive over nesting.
#pragma once

#include <optional>
#include <unordered_set>

#include "syntax/yaml/yaml.h"

namespace hipwright::syntax::yaml {

class Parser {
 public:
  explicit Parser(File& file) : file_(file), text_(file.text_) {}
  void parse();

 private:
  // blocks (parser.cpp)
  NodeIndex block_node(int parent, bool sequence_may_align);
  NodeIndex block_mapping(int column, NodeIndex first_key);
  NodeIndex block_sequence(int column);
  NodeIndex mapping_value(int column);
  NodeIndex inline_value(int parent);
  bool next_key(int column, NodeIndex& key);
  void add_entry(NodeIndex mapping, NodeIndex key, NodeIndex value,
                 std::unordered_set<std::string>& seen);
  bool read_properties(std::string& anchor);
  void finish_anchor(NodeIndex node, std::string anchor);

  // flow collections (flow.cpp)
  NodeIndex flow_node(unsigned depth);
  NodeIndex flow_mapping(unsigned depth);
  NodeIndex flow_sequence(unsigned depth);
  NodeIndex flow_pair(NodeIndex key, unsigned depth);

  // scalars (scalar.cpp)
  NodeIndex single_quoted(int parent);
  NodeIndex double_quoted(int parent);
  NodeIndex plain(int parent, bool in_flow);
  NodeIndex block_scalar(int parent);
  NodeIndex alias();
  bool escape(Node& node);
  bool fold_line(Node& node, int parent);
  bool ends_plain(std::size_t at, bool in_flow) const;

  // characters
  bool at_end() const { return pos_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  bool at_blank(std::size_t ahead = 0) const;  // blank, line end or end of text
  int column() const { return static_cast<int>(pos_ - line_start_); }
  bool at_indicator(char c) const { return peek() == c && at_blank(1); }
  bool at_document_marker() const;
  void skip_blanks();
  // Blanks, comments and line ends; false at the end of the text.
  bool skip_to_content();
  void skip_line();
  void newline();
  bool expect_line_end();

  NodeIndex add(Kind kind, std::size_t begin);
  Node& at(NodeIndex index) { return file_.nodes_[index]; }
  void problem(std::size_t begin, std::size_t end, std::string what);
  bool stopped() const { return stopped_; }
  void stop() { stopped_ = true, pos_ = text_.size(); }

  File& file_;
  std::string_view text_;
  std::size_t pos_ = 0, line_start_ = 0;
  unsigned depth_ = 0;
  bool stopped_ = false;
  std::vector<int> columns_;  // of the block collections that are open
};

}  // namespace hipwright::syntax::yaml
