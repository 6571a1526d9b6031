// SPDX-License-Identifier: MIT
// Queries about expressions and variables of CUDA code, from tokens alone. Uncertain queries return
// no answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

// An integer and the number of bits of its type.
struct Constant {
  std::uint64_t value = 0;
  unsigned bits = 32;
};

// The value of a literal, of a macro or constant of the file, or of casts and simple arithmetic
// with them.
std::optional<Constant> constant(const File& file, TokenRange expression);
bool is_constant(const File& file, TokenRange expression, std::uint64_t value);
// The integer that one token writes.
std::optional<Constant> literal(const File& file, TokenIndex token);

enum class Bits { kUnknown, kBool, kNarrow, k64, kAuto };  // kNarrow: 32 and less
Bits bits_of_type(const File& file, TokenRange type);

struct Variable {
  TokenIndex name = kNoToken;
  TokenRange type;   // the tokens before the name, qualifiers included
  TokenRange value;  // the initialiser; empty if there is none, or for a parameter
  bool is_array = false;
  bool is_reference = false;
};

// Is this name declared here, as a local variable, a parameter or a constant?
std::optional<Variable> declared_at(const File& file, TokenIndex name);
// The last declaration before a use, in the function or else in the whole file.
std::optional<Variable> declaration_of(const File& file, TokenIndex use);

// Without enclosing parentheses.
TokenRange unwrapped(const File& file, TokenRange expression);
// The part between two ; or { or } or the ( of a for, around a token, at the same nesting level.
TokenRange segment(const File& file, TokenIndex token);

bool is_name(const File& file, TokenIndex token);
bool is_punctuator(const File& file, TokenIndex token,
                   std::initializer_list<const char*> punctuators);

// All positions of a name in the file.
std::vector<TokenIndex> places_of(const File& file, std::string_view name);

}  // namespace hipwright::syntax::cuda
