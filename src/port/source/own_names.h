// SPDX-License-Identifier: MIT
// Names of CUDA that a project defines itself: its own cudaMalloc is not CUDA's.
#pragma once

#include <list>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "port/source/include_graph.h"
#include "port/source/pasting.h"
#include "port/source/scope.h"
#include "port/tree.h"

namespace hipwright::port {

class OwnNames {
 public:
  explicit OwnNames(const Tree& tree);
  // A name that is none of CUDA's in this project. It must outlive this.
  void add(std::string_view name) { shared_[name].emplace_back(); }
  // Does `name`, which stands at this token, mean one that this file or a header that is read with
  // it defines? One of a namespace or a class counts where C++ looks into those.
  bool has(std::string_view name, const SourceFile& file, syntax::cuda::TokenIndex at) const;

  const PastingMacros& pasting() const { return pasting_; }
  const IncludeGraph& graph() const { return graph_; }

 private:
  struct Place {
    Scope scope;
    const std::vector<bool>* read_with = nullptr;  // which files see it; nullptr: all
  };
  using Names = std::unordered_map<std::string_view, std::vector<Place>>;
  static void collect(const SourceFile& source, Names& names);
  bool sees(const std::vector<Place>& places, std::string_view name, const SourceFile& file,
            syntax::cuda::TokenIndex at) const;

  PastingMacros pasting_;
  IncludeGraph graph_;
  std::list<std::vector<bool>> read_with_;
  Names shared_;  // of headers
  std::unordered_map<const SourceFile*, Names> local_;
};

// Does it begin as the names of CUDA's libraries do: "cudaX", "cublasX", "CUDNN_X"?
bool looks_like_cuda(std::string_view name);

}  // namespace hipwright::port
