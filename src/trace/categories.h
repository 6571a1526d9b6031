// SPDX-License-Identifier: MIT
// What a kernel does, judged by its name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hipwright::trace {

enum class Category : std::uint8_t {
  kGemm,
  kAttention,
  kMoe,
  kConvolution,
  kNormalization,
  kActivation,
  kSoftmax,
  kRotary,
  kQuantization,
  kCompiled,
  kElementwise,
  kReduction,
  kIndexing,
  kSort,
  kOptimizer,
  kKvCache,
  kCommunication,
  kCopy,
  kOther
};
constexpr std::size_t kCategories = 19;

std::span<const Category> all_categories();
std::string_view key_of(Category category);    // "kv_cache": in files
std::string_view title_of(Category category);  // "KV cache"

// The rules are tried in the order of src/trace/categories.cpp; the first that fits wins.
Category category_of(std::string_view kernel);

// The groups into which optimisation work falls.
enum class Group : std::uint8_t { kGemm, kAttention, kElementwise, kOther };
Group group_of(Category category);
std::string_view title_of(Group group);

// What runs at the same time counts once: as computation first, then as communication, then as a
// copy.
unsigned precedence_of(Category category);

// What the name of a Tensile kernel (rocBLAS, hipBLASLt) says.
struct TensileName {
  unsigned m = 0, n = 0, k = 0;                     // the macro tile
  bool transposes_a = false, transposes_b = false;  // column-major, as BLAS counts
  std::string types;                                // "BBS": bf16 in, bf16 out, fp32 computed
};
std::optional<TensileName> parse_tensile(std::string_view kernel);

}  // namespace hipwright::trace
