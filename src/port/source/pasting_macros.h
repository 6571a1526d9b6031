// SPDX-License-Identifier: MIT
#pragma once

#include <bitset>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::port {

// Prefixes of CUDA names: `cuda`, `cublas`.
bool begins_cuda_name(std::string_view text);
// Prefixes and suffixes of warp functions: `__shfl`, `_sync`. HIP's have other masks.
bool begins_warp_function(std::string_view text);
bool is_part_of_cuda_name(const syntax::cuda::File& file, syntax::cuda::TokenIndex token);

// Macros of a project that assemble names. Their files must outlive it.
class PastingMacros {
 public:
  enum class Kind {
    kNone,
    kAny,     // of what they are given
    kOfCuda,  // one part belongs to CUDA and is written in the macro
  };
  void read(const syntax::cuda::File& file);
  void finish();
  Kind kind(std::string_view name) const {
    if (!filter_[mark_of(name)]) return Kind::kNone;  // nearly all names
    const auto known = kinds_.find(name);
    return known == kinds_.end() ? Kind::kNone : known->second;
  }

 private:
  static std::size_t mark_of(std::string_view name) {
    const auto first = static_cast<unsigned char>(name.front());
    const auto last = static_cast<unsigned char>(name.back());
    return (first * 31U + last * 7U + name.size()) % 1024;
  }

  std::bitset<1024> filter_;
  std::unordered_map<std::string_view, Kind> kinds_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> calls_;
};

}  // namespace hipwright::port
