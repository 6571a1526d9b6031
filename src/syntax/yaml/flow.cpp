// SPDX-License-Identifier: MIT
// [a, b] and {a: b}.
#include "syntax/yaml/parser.h"

namespace hipwright::syntax::yaml {

namespace {

constexpr unsigned kMaxDepth = 100;

}  // namespace

NodeIndex Parser::flow_node(unsigned depth) {
  if (depth > kMaxDepth) {
    problem(pos_, pos_, "nested too deep");
    stop();
    return kNoNode;
  }
  std::string anchor;
  read_properties(anchor);
  NodeIndex node = kNoNode;
  switch (peek()) {
    case '[':
      node = flow_sequence(depth);
      break;
    case '{':
      node = flow_mapping(depth);
      break;
    case '"':
      node = double_quoted(-1);
      break;
    case '\'':
      node = single_quoted(-1);
      break;
    case '*':
      node = alias();
      break;
    case ',':
    case ']':
    case '}':
      break;
    default:
      node = plain(-1, true);
  }
  finish_anchor(node, std::move(anchor));
  return node;
}

// {key: value, key}
NodeIndex Parser::flow_mapping(unsigned depth) {
  const NodeIndex mapping = add(Kind::kMapping, pos_);
  if (mapping == kNoNode) return kNoNode;
  at(mapping).is_flow = true;
  const std::size_t open = pos_++;
  std::unordered_set<std::string> seen;
  while (skip_to_content() && peek() != '}') {
    const std::size_t begin = pos_;
    const NodeIndex key = flow_node(depth + 1);
    NodeIndex value = kNoNode;
    if (!stopped_ && skip_to_content() && peek() == ':') {
      ++pos_;
      if (skip_to_content()) value = flow_node(depth + 1);
    }
    if (stopped_) return mapping;
    add_entry(mapping, key, value, seen);
    if (!skip_to_content()) break;
    if (peek() == ',') ++pos_;
    if (pos_ == begin) break;
  }
  if (peek() == '}') {
    at(mapping).span.end = ++pos_;
    return mapping;
  }
  problem(open, open + 1, "unclosed '{'");
  stop();
  return mapping;
}

// [item, key: value]
NodeIndex Parser::flow_sequence(unsigned depth) {
  const NodeIndex sequence = add(Kind::kSequence, pos_);
  if (sequence == kNoNode) return kNoNode;
  at(sequence).is_flow = true;
  const std::size_t open = pos_++;
  while (skip_to_content() && peek() != ']') {
    const std::size_t begin = pos_;
    NodeIndex item = flow_node(depth + 1);
    if (!stopped_ && skip_to_content() && peek() == ':') item = flow_pair(item, depth);
    if (stopped_) return sequence;
    at(sequence).items.push_back(item);
    if (!skip_to_content()) break;
    if (peek() == ',') ++pos_;
    if (pos_ == begin) break;
  }
  if (peek() == ']') {
    at(sequence).span.end = ++pos_;
    return sequence;
  }
  problem(open, open + 1, "unclosed '['");
  stop();
  return sequence;
}

// A mapping of one entry within a sequence.
NodeIndex Parser::flow_pair(NodeIndex key, unsigned depth) {
  const NodeIndex mapping = add(Kind::kMapping, key == kNoNode ? pos_ : at(key).span.begin);
  ++pos_;
  if (mapping == kNoNode) return kNoNode;
  at(mapping).is_flow = true;
  NodeIndex value = kNoNode;
  if (skip_to_content()) value = flow_node(depth + 1);
  if (stopped_) return mapping;
  std::unordered_set<std::string> seen;
  add_entry(mapping, key, value, seen);
  return mapping;
}

}  // namespace hipwright::syntax::yaml
