// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

// The function declaration formed by the tokens in front of a { or a ;.
struct Signature {
  TokenIndex name = kNoToken;
  TokenRange parameters;
  TokenRange template_parameters;
  unsigned qualifiers = 0;
  bool has_type = false;  // a possible return type precedes the name
};

std::optional<Signature> read_signature(const File& file, TokenRange head);

// The > that closes the < at `less`, or kNoToken. For positions where < can only open a template.
TokenIndex angle_end(const File& file, TokenIndex less, TokenIndex end);

bool is_all_capitals(std::string_view name);

}  // namespace hipwright::syntax::cuda
