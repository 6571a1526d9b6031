// SPDX-License-Identifier: MIT
#include "port/source/include_graph.h"

#include "port/api/api.h"
#include "project/path.h"

namespace hipwright::port {

bool means_own_header(const Tree& tree, std::string_view path, const SourceFile& from,
                      bool is_system) {
  if (tree.has_header_for(path, from, is_system)) return true;
  const api::Entry* entry = api::find_header(path);
  const bool is_of_samples = entry != nullptr && entry->library == api::Library::kOther &&
                             entry->cuda.find_first_of("/*") == std::string_view::npos;
  return is_of_samples && !tree.nearest(path, from, is_system).empty();
}

IncludeGraph::IncludeGraph(const Tree& tree)
    : tree_(tree), includes_(tree.files.size()), lines_(tree.files.size()) {
  for (std::size_t i = 0; i < tree.files.size(); ++i)
    places_.emplace(tree.files[i].get(), static_cast<std::uint32_t>(i));
  for (std::uint32_t from = 0; from < tree.files.size(); ++from) {
    const SourceFile& file = *tree.files[from];
    if (file.cuda() == nullptr) continue;
    for (const syntax::cuda::Include& include : file.cuda()->includes()) {
      // It may be CUDA's.
      if (api::find_header(include.path) != nullptr &&
          !means_own_header(tree, include.path, file, include.is_system))
        continue;
      for (const SourceFile* meant : tree.nearest(include.path, file, include.is_system)) {
        if (meant == &file) continue;  // cuda.h, which includes CUDA's
        includes_[from].push_back(places_.at(meant));
        lines_[from].push_back(include.hash);
      }
    }
  }
  included_by_ = reversed(includes_);
}

IncludeGraph::Edges IncludeGraph::on_amd() const {
  Edges edges(includes_.size());
  for (std::uint32_t from = 0; from < includes_.size(); ++from)
    for (std::size_t i = 0; i < includes_[from].size(); ++i)
      if (tree_.files[from]->cuda()->compiled(lines_[from][i], syntax::cuda::Platform::kAmd) !=
          syntax::Truth::kNo)
        edges[from].push_back(includes_[from][i]);
  return edges;
}

IncludeGraph::Edges IncludeGraph::reversed(const Edges& edges) {
  Edges back(edges.size());
  for (std::uint32_t from = 0; from < edges.size(); ++from)
    for (const std::uint32_t to : edges[from]) back[to].push_back(from);
  return back;
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
