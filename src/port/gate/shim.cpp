// SPDX-License-Identifier: MIT
#include "port/gate/shim.h"

#include <algorithm>

#include <fmt/format.h>

#include "port/marks.h"
#include "port/options.h"

namespace hipwright::port {

namespace {

constexpr std::string_view kDefine = "#define ";
constexpr std::string_view kDisable = "#pragma clang diagnostic ignored ";
constexpr std::string_view kFunctionName = "__device__ inline void ";
constexpr std::string_view kBeginFunctions = "namespace hip_ptx {\n\n";
constexpr std::string_view kEndFunctions = "}  // namespace hip_ptx\n";

// Takes the first line off the text.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

void read_define(std::string_view line, Shim& into) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) {
    into.settings.emplace(line);
    return;
  }
  // f(a, b) text
  const std::size_t open = line.find('(');
  const std::size_t end = open < space ? line.find(')') + 1 : space;
  if (end < line.size() && line[end] == ' ')
    into.names.emplace(line.substr(0, end), line.substr(end + 1));
}

// Is there a macro of this name with parameters? A name has one definition.
bool has_parameters(const Shim& shim, std::string_view name) {
  const auto next = shim.names.lower_bound(fmt::format("{}(", name));
  return next != shim.names.end() && next->first.starts_with(fmt::format("{}(", name));
}

void read_functions(std::string_view text, Shim& into) {
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    const std::string_view function = text.substr(0, std::min(end, text.size()));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    const std::size_t name = function.find(kFunctionName);
    if (name == std::string_view::npos) continue;
    const std::string_view rest = function.substr(name + kFunctionName.size());
    into.functions.emplace(rest.substr(0, rest.find('(')), fmt::format("{}\n", function));
  }
}

}  // namespace

void Shim::merge(const Shim& other) {
  names.insert(other.names.begin(), other.names.end());
  settings.insert(other.settings.begin(), other.settings.end());
  warnings.insert(other.warnings.begin(), other.warnings.end());
  functions.insert(other.functions.begin(), other.functions.end());
  compat |= other.compat;
  ptx |= other.ptx;
  is_included |= other.is_included;
  is_read_by_c |= other.is_read_by_c;
}

std::string shim_text(const Shim& shim) {
  std::string out = fmt::format(
      "// CUDA names that this project uses, defined for AMD. Made "
      "by hipwright port; NVIDIA "
      "builds never\n// read it.\n#pragma once\n\n#if {}\n\n",
      kGate);
  for (const std::string& setting : shim.settings)
    out += fmt::format("#ifndef {0}\n#define {0}\n#endif\n", setting);
  const std::string_view header = shim.ptx      ? "\"hip_ptx.h\""
                                  : shim.compat ? "\"hip_compat.h\""
                                                : "<hip/hip_runtime.h>";
  if (shim.is_read_by_c)
    out += fmt::format("#ifdef __cplusplus\n#include {}\n#else\n#include <{}>\n#endif\n", header,
                       "hip/hip_runtime_api.h");
  else
    out += fmt::format("#include {}\n", header);
  if (!shim.warnings.empty()) {
    out += "\n#ifdef __clang__\n";
    for (const std::string& warning : shim.warnings)
      out += fmt::format("{}\"{}\"\n", kDisable, warning);
    out += "#endif\n";
  }
  if (!shim.functions.empty()) {
    out += fmt::format("\n#if defined(__HIP__)\n{}", kBeginFunctions);
    for (const auto& [name, text] : shim.functions) out += text + "\n";
    out += fmt::format("{}#endif\n", kEndFunctions);
  }
  if (!shim.names.empty()) out += "\n";
  for (const auto& [cuda, hip] : shim.names)
    if (!has_parameters(shim, cuda)) out += fmt::format("{}{} {}\n", kDefine, cuda, hip);
  return out + "\n#endif\n";
}

Shim read_shim(std::string_view text) {
  Shim shim{.ptx = text.find(kPtxName) != std::string_view::npos};
  shim.is_read_by_c = text.find("#ifdef __cplusplus") != std::string_view::npos;
  shim.compat = shim.ptx || text.find(kCompatName) != std::string_view::npos;
  if (const std::size_t begin = text.find(kBeginFunctions); begin != std::string_view::npos) {
    const std::string_view functions = text.substr(begin + kBeginFunctions.size());
    read_functions(functions.substr(0, functions.find(kEndFunctions)), shim);
  }
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.starts_with(kDefine)) read_define(line.substr(kDefine.size()), shim);
    if (line.starts_with(kDisable) && line.size() > kDisable.size() + 2)
      shim.warnings.emplace(line.substr(kDisable.size() + 1, line.size() - kDisable.size() - 2));
  }
  return shim;
}

}  // namespace hipwright::port
