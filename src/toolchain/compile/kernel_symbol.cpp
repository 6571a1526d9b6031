// SPDX-License-Identifier: MIT
#include "toolchain/compile/kernel_symbol.h"

#include <elf.h>

#include "toolchain/code_object/code_object.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::toolchain {

namespace {

// "void ns::scale<float>(float*)" → "ns::scale": what one writes to call it.
std::string source_name(const std::string& symbol) {
  std::string name = demangle(symbol);
  name.erase(std::min(name.find('('), name.size()));
  name.erase(std::min(name.find('<'), name.size()));
  return name.substr(name.rfind(' ') + 1);
}

Result<std::vector<std::string>> kernels_of(std::string_view code_object) {
  std::vector<std::string> names;
  Bytes bytes{std::string(code_object)};
  if (is_amdgpu_elf(code_object)) {
    HW_TRY(const CodeObject parsed, CodeObject::parse(std::move(bytes), "compiled kernel"));
    for (const Kernel& kernel : parsed.kernels()) names.emplace_back(kernel.name);
    return names;
  }
  // A CUBIN: kernels are the global functions; device functions are local.
  HW_TRY(const ElfFile elf, ElfFile::parse(std::move(bytes), "compiled kernel"));
  for (const ElfSection& section : elf.sections()) {
    if (section.type != SHT_SYMTAB) continue;
    HW_TRY(const auto symbols, elf.symbols(section));
    for (const ElfSymbol& symbol : symbols)
      if (symbol.type == STT_FUNC && symbol.binding == STB_GLOBAL && symbol.defined())
        names.emplace_back(symbol.name);
  }
  return names;
}

}  // namespace

std::string choose_symbol(const std::vector<std::string>& symbols, std::string_view name) {
  std::vector<std::string> matching;
  for (const std::string& symbol : symbols) {
    if (symbol == name) return symbol;
    if (source_name(symbol) == name) matching.push_back(symbol);
  }
  if (matching.size() == 1) return matching.front();
  return matching.empty() && symbols.size() == 1 ? symbols.front() : std::string();
}

Result<std::string> kernel_symbol(std::string_view code_object, std::string_view name) {
  HW_TRY(const auto symbols, kernels_of(code_object));
  return choose_symbol(symbols, name);
}

}  // namespace hipwright::toolchain
