// SPDX-License-Identifier: MIT
#include "syntax/build/project.h"

#include <algorithm>
#include <array>

#include "syntax/build/cmake.h"
#include "syntax/build/setup_py.h"

namespace hipwright::syntax::build {

namespace {

constexpr std::array kPlatforms = {Platform::kAmd, Platform::kNvidia};

class Graph {
 public:
  Graph(std::span<const IncludingFile> files, const BuiltFiles& lists) : files_(files) {
    nodes_.resize(files.size());
    for (std::uint32_t i = 0; i < files.size(); ++i) {
      by_path_.emplace(files[i].path, i);
      const std::string_view path = files[i].path;
      by_name_[path.substr(path.rfind('/') + 1)].push_back(i);
    }
    link();
    for (const auto& [path, built] : lists) {
      Built& beside =
          folders_.try_emplace(folder_of(path), Built{Truth::kNo, Truth::kNo}).first->second;
      beside = {beside.amd | built.amd, beside.nvidia | built.nvidia};
    }
    for (std::uint32_t i = 0; i < files.size(); ++i) start(i, lists);
  }

  BuiltFiles run() {
    while (!open_.empty()) {
      const std::uint32_t from = open_.back();
      open_.pop_back();
      for (const Edge& edge : nodes_[from].edges) pass(from, edge);
    }
    BuiltFiles all;
    for (std::uint32_t i = 0; i < files_.size(); ++i)
      all.emplace(files_[i].path, nodes_[i].is_reached ? nodes_[i].built : Built{});
    return all;
  }

 private:
  struct Edge {
    std::uint32_t to = 0;
    Built built;
  };
  struct Node {
    std::vector<Edge> edges;
    bool is_included = false;
    bool is_reached = false;
    Built built{Truth::kNo, Truth::kNo};
  };

  void link() {
    for (std::uint32_t from = 0; from < files_.size(); ++from) {
      for (const IncludingFile::Edge& include : files_[from].includes) {
        for (const std::uint32_t to : targets(files_[from].path, include.path)) {
          if (to == from) continue;
          nodes_[from].edges.push_back({to, include.built});
          nodes_[to].is_included = true;
        }
      }
    }
  }

  std::vector<std::uint32_t> targets(std::string_view from, std::string_view written) const {
    if (const auto beside = join_path(folder_of(from), written)) {
      if (const auto found = by_path_.find(*beside); found != by_path_.end())
        return {found->second};
    }
    // <a/b.h> in some folder of the compiler's command line.
    std::string_view tail = written;
    while (tail.starts_with("../") || tail.starts_with("./"))
      tail.remove_prefix(tail.find('/') + 1);
    const auto same_name = by_name_.find(tail.substr(tail.rfind('/') + 1));
    if (same_name == by_name_.end()) return {};
    std::vector<std::uint32_t> found;
    for (const std::uint32_t each : same_name->second) {
      const std::string_view path = files_[each].path;
      const bool fits =
          path == tail || (path.ends_with(tail) && path[path.size() - tail.size() - 1] == '/');
      if (fits) found.push_back(each);
    }
    return found;
  }

  // Sources begin by themselves: as the build says, or perhaps. A header that nobody includes is
  // there for generated sources or for others: it goes with the sources of its folder.
  void start(std::uint32_t index, const BuiltFiles& lists) {
    Node& node = nodes_[index];
    const auto listed = lists.find(files_[index].path);
    const bool is_source = is_compiled_source(files_[index].path);
    if (is_source && listed != lists.end()) {
      node.built = listed->second;
    } else if (!node.is_included) {
      const auto beside = folders_.find(folder_of(files_[index].path));
      if (!is_source && beside != folders_.end())
        node.built = {beside->second.amd & Truth::kMaybe, beside->second.nvidia & Truth::kMaybe};
      else
        node.built = {};
    } else {
      return;
    }
    node.is_reached = true;
    open_.push_back(index);
  }

  void pass(std::uint32_t from, const Edge& edge) {
    Node& to = nodes_[edge.to];
    bool changed = !to.is_reached;
    to.is_reached = true;
    for (const Platform platform : kPlatforms) {
      const Truth way = nodes_[from].built.on(platform) & edge.built.on(platform);
      if (way <= to.built.on(platform)) continue;
      to.built.on(platform) = way;
      changed = true;
    }
    if (changed) open_.push_back(edge.to);
  }

  std::span<const IncludingFile> files_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, std::uint32_t> by_path_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_name_;
  std::unordered_map<std::string_view, Built> folders_;  // what is compiled in each
  std::vector<std::uint32_t> open_;
};

}  // namespace

BuiltFiles read_build_lists(const Tree& tree) {
  BuiltFiles all = read_cmake_sources(tree);
  for (const auto& [path, built] : read_setup_sources(tree)) {
    Built& entry = all.try_emplace(path, Built{Truth::kNo, Truth::kNo}).first->second;
    entry = {entry.amd | built.amd, entry.nvidia | built.nvidia};
  }
  return all;
}

IncludingFile including_file(std::string path, const cuda::File& file) {
  IncludingFile made{std::move(path), {}};
  for (const cuda::Include& include : file.includes()) {
    made.includes.push_back({std::string(include.path),
                             {file.compiled(include.hash, Platform::kAmd),
                              file.compiled(include.hash, Platform::kNvidia)}});
  }
  return made;
}

Project::Project(std::span<const IncludingFile> files, const BuiltFiles& lists)
    : built_(Graph(files, lists).run()) {
  for (const auto& [path, built] : lists) built_.try_emplace(path, built);
}

Truth Project::built(std::string_view path, Platform platform) const {
  const auto found = built_.find(path);
  return found == built_.end() ? Truth::kMaybe : found->second.on(platform);
}

}  // namespace hipwright::syntax::build
