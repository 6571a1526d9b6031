// SPDX-License-Identifier: MIT
// if (__CUDA_ARCH__ >= 800) in code: the branch that AMD's device code takes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

struct ArchStatement {
  TokenRange whole;  // from the `if` to the end of its else
  TokenRange taken, skipped;
};

// The if whose condition holds this token, where macros of the file and the number of AMD's GPUs
// decide it.
std::optional<ArchStatement> arch_statement_at(const File& file, TokenIndex token);

}  // namespace hipwright::syntax::cuda
