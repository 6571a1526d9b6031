// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

// What the tokens in front of a { or a ; say, where they declare a function.
struct Signature {
  TokenIndex name = kNoToken;
  TokenRange parameters;
  TokenRange template_parameters;
  unsigned qualifiers = 0;
  bool has_type = false;  // something stands before the name that can be its result
};

std::optional<Signature> read_signature(const File& file, TokenRange head);

// The > that closes the < at `less`, or kNoToken. For places where < can only be a template's.
TokenIndex angle_end(const File& file, TokenIndex less, TokenIndex end);

bool is_all_capitals(std::string_view name);

}  // namespace hipwright::syntax::cuda
