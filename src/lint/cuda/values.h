// SPDX-License-Identifier: MIT
// Small answers about expressions and variables of CUDA code, from tokens alone: what is not
// certain is not answered.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::lint {

namespace cu = syntax::cuda;

// An integer and how many bits its type has.
struct Constant {
  std::uint64_t value = 0;
  unsigned bits = 32;
};

// The value of a literal, of a macro or constant that the file defines, of casts and simple
// arithmetic with them.
std::optional<Constant> constant(const cu::File& file, cu::TokenRange expression);
bool is_constant(const cu::File& file, cu::TokenRange expression, std::uint64_t value);
// The integer that one token writes.
std::optional<Constant> literal(const cu::File& file, cu::TokenIndex token);

enum class Bits { kUnknown, kBool, kNarrow, k64, kAuto };  // kNarrow: 32 and less
Bits bits_of_type(const cu::File& file, cu::TokenRange type);

struct Variable {
  cu::TokenIndex name = cu::kNoToken;
  cu::TokenRange type;   // what stands before the name, qualifiers included
  cu::TokenRange value;  // what it begins with; empty: nothing, or a parameter
  bool is_array = false;
  bool is_reference = false;
};

// Is this name declared here, as a local variable, a parameter or a constant?
std::optional<Variable> declared_at(const cu::File& file, cu::TokenIndex name);
// The last declaration before a use, within the function or, failing that, of the whole file.
std::optional<Variable> declaration_of(const cu::File& file, cu::TokenIndex use);

// Without parentheses around the whole.
cu::TokenRange unwrapped(const cu::File& file, cu::TokenRange expression);
// The part between two ; or { or } or the ( of a for, around a token of the same nesting.
cu::TokenRange segment(const cu::File& file, cu::TokenIndex token);

bool is_name(const cu::File& file, cu::TokenIndex token);
bool is_any(const cu::File& file, cu::TokenIndex token,
            std::initializer_list<const char*> punctuators);
// "laneId" has "lane" in it.
bool contains_word(std::string_view name, std::string_view lower_case);

}  // namespace hipwright::lint
