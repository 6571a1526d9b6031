// SPDX-License-Identifier: MIT
#include "toolchain/compile/name_expression.h"

#include <fmt/format.h>

namespace hipwright::toolchain {

namespace {

std::string variable_of(std::size_t nth) {
  return fmt::format("__hipwright_name_{}", nth);
}

std::string symbol_at(const CodeObject& object, std::uint64_t address) {
  for (const Kernel& kernel : object.kernels())
    if (kernel.entry_address == address || kernel.descriptor_address == address) return kernel.name;
  for (const Variable& variable : object.variables())
    if (variable.address == address) return std::string(variable.name);
  return {};
}

}  // namespace

std::string naming_line(std::string_view expression, std::size_t nth) {
  return fmt::format(
      "\nextern \"C\" __device__ __attribute__((used)) const void* const {} = (const void*)({});\n",
      variable_of(nth), expression);
}

std::string named_symbol(const CodeObject& object, std::size_t nth) {
  const Variable* pointer = object.variable(variable_of(nth));
  if (pointer == nullptr) return {};
  for (const Relocation& relocation : object.relocations()) {
    if (relocation.address != pointer->address) continue;
    std::string symbol(relocation.symbol);
    if (symbol.ends_with(".kd")) symbol.resize(symbol.size() - 3);
    if (symbol.empty()) symbol = symbol_at(object, static_cast<std::uint64_t>(relocation.addend));
    if (!symbol.empty()) return symbol;
  }
  return {};
}

}  // namespace hipwright::toolchain
