// SPDX-License-Identifier: MIT
// What a File knows, and what it has found out so far.
#pragma once

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

struct File::State {
  std::string_view text;
  Tokens tokens;
  // Occurrences by name: those of name n are occurrences[first[n]] up to first[n + 1].
  std::vector<std::uint32_t> first;
  std::vector<TokenIndex> occurrences;

  void index_names();
};

}  // namespace hipwright::syntax::cuda
