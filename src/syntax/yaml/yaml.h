// SPDX-License-Identifier: MIT
// YAML as a tree with exact byte positions, in bounded time and memory whatever the bytes are.
// Aliases are nodes of their own and never expanded. It reads what configuration files use: block
// and flow collections, all five scalar styles, comments, anchors. Explicit keys ("? key") and
// several documents are problems, not silence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "syntax/problem.h"

namespace hipwright::syntax::yaml {

enum class Kind : unsigned char { kNull, kScalar, kMapping, kSequence, kAlias };
enum class Style : unsigned char { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral, kFolded };

using NodeIndex = std::uint32_t;
constexpr NodeIndex kNoNode = 0;  // node 0 is the null node of an empty document

struct Entry {
  NodeIndex key, value;
};

// Where a part of a scalar's value stands in the text: from `value` on, until the next piece.
struct Piece {
  std::size_t value, source;
};

struct Node {
  Kind kind = Kind::kNull;
  Style style = Style::kPlain;
  bool is_flow = false;
  Span span;           // of a collection: from its first key or item to its last
  std::string value;   // of a scalar, decoded; of an alias, the anchor's name
  std::string anchor;  // its own
  std::vector<Piece> pieces;
  std::vector<Entry> entries;    // of a mapping, in order; keys are scalars or aliases
  std::vector<NodeIndex> items;  // of a sequence
};

class File {
 public:
  explicit File(std::string_view text);

  std::string_view text() const { return text_; }
  const Node& root() const { return nodes_[root_]; }
  const Node& node(NodeIndex index) const { return nodes_[index]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  // The first is where a strict reader stops; the tree after it is a guess.
  const std::vector<Problem>& problems() const { return problems_; }

  // The value of a mapping's key, the first of that name; nullptr: no such key, or no mapping.
  const Node* get(const Node& mapping, std::string_view key) const;
  // The key's own node.
  const Node* key(const Node& mapping, std::string_view key) const;
  // An alias as the node that it names; others as they are. nullptr: an unknown anchor.
  const Node* resolved(const Node& node) const;

 private:
  friend class Parser;
  std::string_view text_;
  std::vector<Node> nodes_;
  NodeIndex root_ = kNoNode;
  std::unordered_map<std::string, NodeIndex> anchors_;  // of a name that is used twice, the last
  std::vector<Problem> problems_;
};

// The place in the text of a byte of a scalar's value.
std::size_t source_of(const Node& scalar, std::size_t value_offset);

}  // namespace hipwright::syntax::yaml
