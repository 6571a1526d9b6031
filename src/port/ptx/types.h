// SPDX-License-Identifier: MIT
// PTX's types, and those of C++ that their values are kept in.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "port/ptx/program.h"

namespace hipwright::port::ptx {

enum class Cpp { kU8, kU16, kU32, kU64, kS8, kS16, kS32, kS64, kF32, kF64, kPred };
std::string_view to_string(Cpp type);  // "unsigned int"
unsigned bits_of(Cpp type);
bool is_signed(Cpp type);
bool is_float(Cpp type);
Cpp unsigned_of(Cpp type);
Cpp integer_of(unsigned bits, bool is_signed);

// A type of PTX. Halfs are kept by their bits.
struct Type {
  enum class Half { kNone, kF16, kF16x2, kBf16, kBf16x2 };
  Cpp cpp = Cpp::kU32;
  Half half = Half::kNone;
  bool is_half() const { return half != Half::kNone; }
};
std::optional<Type> type_named(std::string_view name);  // "u32", "f16x2"
std::vector<Type> types_of(const Instruction& instruction);

}  // namespace hipwright::port::ptx
