// SPDX-License-Identifier: MIT
#include "toolchain/compile/kernel_symbol.h"

#include <elf.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "toolchain/code_object/code_object.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::toolchain {

namespace {

// "ns::scale<float>(float*)" → "ns::scale<float>", and "ns::scale" without its template arguments.
std::string without_parameters(const std::string& demangled) {
  // The parameter list is what the last parenthesis at depth 0 closes; arguments of templates may
  // have parentheses too.
  int depth = 0;
  for (std::size_t i = demangled.size(); i-- > 0;) {
    if (demangled[i] == ')') ++depth;
    if (demangled[i] == '(' && --depth == 0) return demangled.substr(0, i);
  }
  return demangled;
}

bool is_called(const std::string& symbol, const std::string& name) {
  const std::string full = without_parameters(demangle(symbol));
  return symbol == name || full == name || full.substr(0, full.find('<')) == name;
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

Result<std::string> choose_symbol(const std::vector<std::string>& symbols,
                                  const std::string& name) {
  std::vector<std::string> matching, there;
  for (const std::string& symbol : symbols) {
    if (is_called(symbol, name)) matching.push_back(symbol);
    there.push_back(demangle(symbol));
  }
  if (matching.size() == 1) return matching.front();
  if (matching.empty() && symbols.size() == 1) return symbols.front();
  return fail("cannot find the kernel", name,
              symbols.empty() ? "the source has no kernel (no __global__ function is instantiated)"
                              : fmt::format("{} kernels fit the name; the source has: {}",
                                            matching.size(), fmt::join(there, ", ")));
}

Result<std::string> kernel_symbol(std::string_view code_object, const std::string& name) {
  HW_TRY(const auto symbols, kernels_of(code_object));
  return choose_symbol(symbols, name);
}

}  // namespace hipwright::toolchain
