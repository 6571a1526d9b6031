// SPDX-License-Identifier: MIT
// The preprocessor lines of a file: includes, definitions, and the tree of conditions.
#pragma once

#include <string_view>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

constexpr std::uint32_t kNoBranch = ~0U;

// The code between two of #if, #elif, #else and #endif.
struct Branch {
  enum class Form : std::uint8_t { kIf, kIfdef, kIfndef, kElse };
  Form form = Form::kIf;
  bool is_guard = false;   // an include guard
  bool has_error = false;  // an #error is directly in it
  std::uint32_t parent = kNoBranch;
  std::uint32_t first = 0;  // of the same #if
  TokenRange expression;    // the condition; for an #ifdef, the name
  TokenRange body;
};

struct Directives {
  std::vector<Branch> branches;  // in text order
  // From this token on, up to the next entry, the innermost branch is this one.
  struct Change {
    TokenIndex from = 0;
    std::uint32_t branch = kNoBranch;
  };
  std::vector<Change> changes;
  std::vector<Include> includes;
  std::vector<Macro> macros;
  std::vector<Problem> problems;

  std::uint32_t branch_at(TokenIndex token) const;
};

Directives read_directives(const File& file, std::span<const TokenIndex> hashes);

// The first token after a preprocessor line.
TokenIndex directive_end(const File& file, TokenIndex hash);

// Code that no platform compiles: #if 0.
bool is_never(const File& file, const Branch& branch);

}  // namespace hipwright::syntax::cuda
