// SPDX-License-Identifier: MIT
// The files of a tree that are compiled together. The build is not consulted: an #include refers to
// the closest file of that name, and to all that are equally close.
#pragma once

#include <unordered_map>
#include <vector>

#include "port/project_names.h"

namespace hipwright::port {

class IncludeGraph {
 public:
  explicit IncludeGraph(const Tree& tree);

  // For every file of the tree, in its order: can a source that reads it read `header`, too? Of a
  // header that no file includes, those near it may, by an option or by a name that a macro makes.
  std::vector<bool> read_with(const SourceFile& header) const;
  // The same of any file: what the sources read that read it, and itself.
  std::vector<bool> read_together(const SourceFile& file) const;
  std::size_t place_of(const SourceFile& file) const { return places_.at(&file); }

 private:
  using Edges = std::vector<std::vector<std::uint32_t>>;
  static void reach(const Edges& edges, std::vector<bool>& reached);

  const Tree& tree_;
  std::unordered_map<const SourceFile*, std::uint32_t> places_;
  Edges includes_, included_by_;
};

}  // namespace hipwright::port
