// SPDX-License-Identifier: MIT
// CUDA names that a project defines itself: its own cudaMalloc is not CUDA's.
#pragma once

#include <list>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "port/project_names.h"
#include "port/source/include_graph.h"
#include "port/source/pasting_macros.h"
#include "port/source/scope.h"

namespace hipwright::port {

class OwnNames {
 public:
  explicit OwnNames(const Tree& tree);
  // A name that is not CUDA's in this project. It must outlive this object.
  void add(std::string_view name) { shared_[name].emplace_back(); }
  // Does `name` at this token refer to a definition in this file or in a header compiled with it? A
  // definition in a namespace or a class counts where C++ name lookup finds it.
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

// Does it start like a CUDA library name: "cudaX", "cublasX", "CUDNN_X"?
bool looks_like_cuda(std::string_view name);
// Is it spelled like a value of one: CU_FOO, CUDART_FOO_F16, CUBLAS_FOO?
bool looks_like_cuda_value(std::string_view name);

}  // namespace hipwright::port
