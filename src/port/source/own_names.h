// SPDX-License-Identifier: MIT
// Names of CUDA that a project defines itself: its own cudaMalloc is not CUDA's.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "port/tree.h"

namespace hipwright::port {

class OwnNames {
 public:
  explicit OwnNames(const Tree& tree);
  // A name that is none of CUDA's in this project. It must outlive this.
  void add(std::string_view name) { shared_.insert(name); }
  // Defined in this file, or in a header of the project.
  bool has(std::string_view name, const SourceFile& file) const;

 private:
  std::unordered_set<std::string_view> shared_;  // of headers
  std::unordered_map<const SourceFile*, std::unordered_set<std::string_view>> local_;
};

// Does it begin as the names of CUDA's libraries do: "cudaX", "cublasX", "CUDNN_X"?
bool looks_like_cuda(std::string_view name);

}  // namespace hipwright::port
