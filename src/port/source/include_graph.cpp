// SPDX-License-Identifier: MIT
#include "port/source/include_graph.h"

#include "port/api/api.h"
#include "project/path.h"

namespace hipwright::port {

IncludeGraph::IncludeGraph(const Tree& tree)
    : tree_(tree), includes_(tree.files.size()), included_by_(tree.files.size()) {
  for (std::size_t i = 0; i < tree.files.size(); ++i)
    places_.emplace(tree.files[i].get(), static_cast<std::uint32_t>(i));
  for (std::uint32_t from = 0; from < tree.files.size(); ++from) {
    const SourceFile& file = *tree.files[from];
    if (file.cuda() == nullptr) continue;
    for (const syntax::cuda::Include& include : file.cuda()->includes()) {
      // It may be CUDA's.
      if (api::find_header(include.path) != nullptr &&
          !tree.has_header_for(include.path, file, include.is_system))
        continue;
      for (const SourceFile* meant : tree.nearest(include.path, file, include.is_system)) {
        const std::uint32_t to = places_.at(meant);
        includes_[from].push_back(to);
        included_by_[to].push_back(from);
      }
    }
  }
}

void IncludeGraph::reach(const Edges& edges, std::vector<bool>& reached) {
  std::vector<std::uint32_t> left;
  for (std::uint32_t i = 0; i < reached.size(); ++i)
    if (reached[i]) left.push_back(i);
  while (!left.empty()) {
    const std::uint32_t at = left.back();
    left.pop_back();
    for (const std::uint32_t next : edges[at])
      if (!reached[next]) {
        reached[next] = true;
        left.push_back(next);
      }
  }
}

std::vector<bool> IncludeGraph::read_together(const SourceFile& file) const {
  std::vector<bool> reached(includes_.size(), false);
  reached[places_.at(&file)] = true;
  reach(included_by_, reached);
  reach(includes_, reached);
  return reached;
}

std::vector<bool> IncludeGraph::read_with(const SourceFile& header) const {
  if (included_by_[places_.at(&header)].empty()) {
    std::vector<bool> reached(includes_.size(), false);
    const std::string_view around = project::folder_of(project::folder_of(header.path()));
    for (std::size_t i = 0; i < reached.size(); ++i)
      reached[i] = around.empty() || tree_.files[i]->path().starts_with(std::string(around) + '/');
    return reached;
  }
  return read_together(header);
}

}  // namespace hipwright::port
