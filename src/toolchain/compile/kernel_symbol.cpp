// SPDX-License-Identifier: MIT
#include "toolchain/compile/kernel_symbol.h"

#include <elf.h>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "toolchain/code_object/code_object.h"
#include "toolchain/code_object/demangle.h"
#include "toolchain/compile/name_expression.h"

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

// "scale<float>" of "ns::(anonymous namespace)::scale<float>".
std::string without_scope(const std::string& name) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    depth += (name[i] == '<' || name[i] == '(') - (name[i] == '>' || name[i] == ')');
    if (depth == 0 && name[i] == ':') begin = i + 1;
  }
  return name.substr(begin);
}

// "void ns::scale<float>(float*)": templates have their result's type.
std::string without_result(const std::string& full) {
  return full.starts_with("void ") ? full.substr(5) : full;
}

std::string without_hidden_scopes(std::string name) {
  constexpr std::string_view kHidden = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(kHidden)) != std::string::npos;)
    name.erase(at, kHidden.size());
  return name;
}

// "float", "4", "1" of "rows<float, 4u, true>".
std::vector<std::string> arguments_of(const std::string& name) {
  std::vector<std::string> out;
  const std::size_t open = name.find('<');
  if (open == std::string::npos || !name.ends_with('>')) return out;
  int depth = 0;
  out.emplace_back();
  for (const char c : name.substr(open + 1, name.size() - open - 2)) {
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (c == ',' && depth == 0)
      out.emplace_back();
    else if (c != ' ')
      out.back() += c;
  }
  for (std::string& each : out) {
    if (each == "true" || each == "false") each = each == "true" ? "1" : "0";
    if (each == "unsigned") each = "unsignedint";
    if (!each.empty() && each[0] >= '0' && each[0] <= '9')
      each.erase(each.find_last_not_of("uUlL") + 1);
  }
  return out;
}

// Whether the arguments are those given, followed by defaults.
bool begins_with(const std::vector<std::string>& all, const std::vector<std::string>& given) {
  return given.size() <= all.size() && std::equal(given.begin(), given.end(), all.begin());
}

// How well a symbol matches: 3 exactly, 2 without namespaces, 1 without a template's defaults.
int fitness(const std::string& symbol, const std::string& name) {
  const std::string full =
      without_hidden_scopes(without_result(without_parameters(demangle(symbol))));
  const auto base = [](const std::string& of) { return of.substr(0, of.find('<')); };
  if (symbol == name || full == name || base(full) == name) return 3;
  const std::string own = without_scope(full);
  if (own == name || base(own) == name) return 2;
  const bool is_same = base(full) == base(name) || base(own) == base(name);
  return is_same && begins_with(arguments_of(own), arguments_of(name)) ? 1 : 0;
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

bool is_called(const std::string& symbol, const std::string& name) {
  return fitness(symbol, name) > 0;
}

Result<std::string> choose_symbol(const std::vector<std::string>& symbols,
                                  const std::string& name) {
  std::vector<std::string> matching, there;
  int best = 1;
  for (const std::string& symbol : symbols) {
    const int fits = fitness(symbol, name);
    if (fits > best) matching.clear();
    if (fits >= best) matching.push_back(symbol);
    best = std::max(best, fits);
    there.push_back(demangle(symbol));
  }
  if (matching.size() == 1) return matching.front();
  if (matching.empty() && symbols.size() == 1) return symbols.front();
  return fail("cannot find the kernel", name,
              symbols.empty() ? "the source has no kernel (no __global__ function is instantiated)"
                              : fmt::format("{} kernels match the name; the source has: {}",
                                            matching.size(), fmt::join(there, ", ")));
}

Result<std::string> kernel_symbol(std::string_view code_object, const std::string& name) {
  if (is_amdgpu_elf(code_object)) {
    HW_TRY(const CodeObject parsed, CodeObject::parse(Bytes(std::string(code_object)), name));
    if (std::string named = named_symbol(parsed, 0); !named.empty()) return named;
  }
  HW_TRY(const auto symbols, kernels_of(code_object));
  return choose_symbol(symbols, name);
}

}  // namespace hipwright::toolchain
