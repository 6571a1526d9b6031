// SPDX-License-Identifier: MIT
// The files of a tree that are compiled together. The build is not consulted: an #include refers to
// the closest file of that name, and to all that are equally close.
#pragma once

#include <unordered_map>
#include <vector>

#include "port/project_names.h"

namespace hipwright::port {

// Does an #include of `path` in `from` mean a header of the tree, although one of NVIDIA's has the
// name? One that no toolkit brings (helper_cuda.h) is the tree's wherever it lies.
bool means_own_header(const Tree& tree, std::string_view path, const SourceFile& from,
                      bool is_system);

class IncludeGraph {
 public:
  explicit IncludeGraph(const Tree& tree);

  // For every file of the tree, in its order: can a source that reads it read `header`, too? For a
  // header that no file includes, nearby files may: through an option or a name that a macro
  // assembles.
  std::vector<bool> read_with(const SourceFile& header) const;
  // The same for any file: itself and everything read by the sources that read it.
  std::vector<bool> read_together(const SourceFile& file) const;
  std::size_t place_of(const SourceFile& file) const { return places_.at(&file); }
  bool is_included(const SourceFile& file) const { return !included_by_[place_of(file)].empty(); }

  // By the file that includes, those that it includes.
  using Edges = std::vector<std::vector<std::uint32_t>>;
  const Edges& includes() const { return includes_; }
  // The # of the line that such an entry comes from.
  syntax::cuda::TokenIndex line(std::size_t from, std::size_t i) const { return lines_[from][i]; }
  // Of the #include lines that AMD's compiler may read.
  Edges on_amd() const;
  static Edges reversed(const Edges& edges);
  // Adds what the files of `reached` lead to.
  static void reach(const Edges& edges, std::vector<bool>& reached);

 private:
  const Tree& tree_;
  std::unordered_map<const SourceFile*, std::uint32_t> places_;
  Edges includes_, included_by_;
  std::vector<std::vector<syntax::cuda::TokenIndex>> lines_;  // as `includes_`
};

}  // namespace hipwright::port
