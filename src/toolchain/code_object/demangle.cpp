// SPDX-License-Identifier: MIT
#include "toolchain/code_object/demangle.h"

#include <cxxabi.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace hipwright::toolchain {

namespace {

// Each back reference (S_, S0_, T_, …) can repeat all that came before it, so that `n` of them make
// at most 3^(n/3) copies. Names that could pass this many bytes stay mangled.
constexpr double kLongest = 1 << 28;

bool could_explode(std::string_view name) {
  double references = 0;
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] != 'S' && name[i] != 'T') continue;
    std::size_t end = i + 1;
    while (end < name.size() && std::isalnum(static_cast<unsigned char>(name[end]))) ++end;
    if (end < name.size() && name[end] == '_') ++references;
  }
  return static_cast<double>(name.size()) * std::pow(3.0, references / 3) > kLongest;
}

}  // namespace

std::string demangle(std::string_view name) {
  std::string text(name);
  if (!name.starts_with("_Z") || could_explode(name)) return text;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !demangled) return text;
  text = demangled.get();
  if (text.starts_with("void ")) text.erase(0, 5);
  return text;
}

}  // namespace hipwright::toolchain
