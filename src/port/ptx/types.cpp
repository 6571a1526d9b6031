// SPDX-License-Identifier: MIT
#include "port/ptx/types.h"

#include <array>

namespace hipwright::port::ptx {

std::string_view to_string(Cpp type) {
  constexpr std::array<std::string_view, 11> kNames = {
      "unsigned char", "unsigned short", "unsigned int", "unsigned long long",
      "signed char",   "short",          "int",          "long long",
      "float",         "double",         "bool"};
  return kNames[static_cast<std::size_t>(type)];
}
unsigned bits_of(Cpp type) {
  constexpr std::array<unsigned, 11> kBits = {8, 16, 32, 64, 8, 16, 32, 64, 32, 64, 1};
  return kBits[static_cast<std::size_t>(type)];
}
bool is_signed(Cpp type) {
  return type >= Cpp::kS8 && type <= Cpp::kS64;
}
bool is_float(Cpp type) {
  return type == Cpp::kF32 || type == Cpp::kF64;
}
Cpp unsigned_of(Cpp type) {
  return is_signed(type) ? integer_of(bits_of(type), false) : type;
}
Cpp integer_of(unsigned bits, bool with_sign) {
  const int size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
  return static_cast<Cpp>(size + (with_sign ? 4 : 0));
}

std::optional<Type> type_named(std::string_view name) {
  using Half = Type::Half;
  struct Named {
    std::string_view name;
    Type type;
  };
  static constexpr std::array kTypes = {Named{"b8", {Cpp::kU8}},
                                        Named{"u8", {Cpp::kU8}},
                                        Named{"s8", {Cpp::kS8}},
                                        Named{"b16", {Cpp::kU16}},
                                        Named{"u16", {Cpp::kU16}},
                                        Named{"s16", {Cpp::kS16}},
                                        Named{"b32", {Cpp::kU32}},
                                        Named{"u32", {Cpp::kU32}},
                                        Named{"s32", {Cpp::kS32}},
                                        Named{"b64", {Cpp::kU64}},
                                        Named{"u64", {Cpp::kU64}},
                                        Named{"s64", {Cpp::kS64}},
                                        Named{"f32", {Cpp::kF32}},
                                        Named{"f64", {Cpp::kF64}},
                                        Named{"pred", {Cpp::kPred}},
                                        Named{"f16", {Cpp::kU16, Half::kF16}},
                                        Named{"f16x2", {Cpp::kU32, Half::kF16x2}},
                                        Named{"bf16", {Cpp::kU16, Half::kBf16}},
                                        Named{"bf16x2", {Cpp::kU32, Half::kBf16x2}}};
  for (const Named& each : kTypes)
    if (each.name == name) return each.type;
  return std::nullopt;
}

std::vector<Type> types_of(const Instruction& instruction) {
  std::vector<Type> types;
  for (const std::string& word : instruction.modifiers)
    if (const auto type = type_named(word)) types.push_back(*type);
  return types;
}

}  // namespace hipwright::port::ptx
