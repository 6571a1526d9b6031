// SPDX-License-Identifier: MIT
// A constant that depends on the GPU's macros is used in host code, which does not see them.
//
// ## What it finds
//
// A macro or constant that has one value under `__GFX9__`, `__gfx90a__`, `__AMDGCN_WAVEFRONT_SIZE`
// or
// `__HIP_DEVICE_COMPILE__` and another without, in a function of the host: where grids, blocks and
// shared memory are computed. `warpSize` there, and macros that stand for it, are the same.
//
// ## Why it matters
//
// The macros are defined while the GPU's code is compiled, not while the host's is. The host then
// takes the other value: it launches for 32 lanes what runs with 64, and half of the rows are
// missing.
//
// ## Example
//
// ```cuda
// #if defined(__GFX9__)
// #define WARP_SIZE 64
// #else
// #define WARP_SIZE 32
// #endif
//
// void launch(int rows) { kernel<<<rows, WARP_SIZE>>>(); }
// ```
//
// ## Use instead
//
// ```cuda
// void launch(int rows) {
//   int lanes = 0;
//   hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0);
//   kernel<<<rows, lanes>>>();
// }
// ```
//
// ## When it is not a bug
//
// - The use is in device code.
// - Both branches have one value, or the test is one that the host sees (`USE_ROCM`).
#include <algorithm>

#include <fmt/format.h>

#include "lint/cuda/lanes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::Kind;
using syntax::cuda::TokenIndex;

const std::vector<Name> kDeviceMacros = {Name("__GFX9__"),
                                         Name("__GFX8__"),
                                         Name("__GFX10__"),
                                         Name("__GFX11__"),
                                         Name("__GFX12__"),
                                         Name("__gfx908__"),
                                         Name("__gfx90a__"),
                                         Name("__gfx940__"),
                                         Name("__gfx941__"),
                                         Name("__gfx942__"),
                                         Name("__gfx950__"),
                                         Name("__AMDGCN_WAVEFRONT_SIZE"),
                                         Name("__AMDGCN_WAVEFRONT_SIZE__"),
                                         Name("__HIP_DEVICE_COMPILE__")};
// Known to the GPU's code alone, too.
const Name kWarpSize("warpSize");

bool depends_on_device(const File& file, TokenIndex at) {
  for (const std::string& condition : file.conditions(at))
    for (const Name& name : kDeviceMacros)
      if (condition.find(name.text()) != std::string::npos) return true;
  return false;
}

struct Dependent {
  std::string_view name;
  std::string first;  // its value in one branch
  bool differs = false;
};

// What the file defines in branches of device macros, with more than one value.
std::vector<Dependent> dependents(const CudaCheck& check) {
  const File& file = check.file;
  std::vector<Dependent> all;
  const auto add = [&](TokenIndex name, cu::TokenRange value) {
    if (value.empty() || check.on_amd(name) == Truth::kNo || !depends_on_device(file, name)) return;
    const std::string text(file.text(value));
    for (Dependent& each : all) {
      if (each.name != file.text(name)) continue;
      each.differs |= each.first != text;
      return;
    }
    all.push_back({file.text(name), text});
  };
  for (const cu::Macro& macro : file.macros())
    if (!macro.is_function) {
      // #define WARP_SIZE __AMDGCN_WAVEFRONT_SIZE
      for (TokenIndex at = macro.body.begin; at < macro.body.end; ++at)
        for (const Name& name : kDeviceMacros)
          if (file.is(at, name)) all.push_back({file.text(macro.name), "", true});
      if (macro.body.end == macro.body.begin + 1 && file.is(macro.body.begin, kWarpSize) &&
          check.on_amd(macro.name) != Truth::kNo)
        all.push_back({file.text(macro.name), "", true});
      add(macro.name, macro.body);
    }
  // A variable of the same name is the host's own.
  const auto sizes = file.occurrences(kWarpSize);
  if (!sizes.empty() && std::none_of(sizes.begin(), sizes.end(), [&](TokenIndex at) {
        return declared_at(file, at).has_value();
      }))
    all.push_back({kWarpSize.text(), "", true});
  const auto count = static_cast<TokenIndex>(file.tokens().size() - 1);
  for (TokenIndex at = 1; at < count; ++at) {
    if (!is_name(file, at) || file.text(at) != "constexpr" || file.function_at(at) != nullptr)
      continue;
    TokenIndex name = at + 1;
    while (name < count && is_name(file, name + 1)) ++name;
    if (const auto variable = declared_at(file, name)) add(name, variable->value);
  }
  std::erase_if(all, [](const Dependent& each) { return !each.differs; });
  return all;
}

bool is_in_capitals(std::string_view word) {
  return word.size() > 3 && std::all_of(word.begin(), word.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
         });
}

// Without qualifiers, but a macro may stand for them, or the body is one that only a GPU can run.
bool may_be_device(const File& file, const cu::Function& function) {
  for (TokenIndex at = function.head.begin; at < function.name; ++at)
    if (is_name(file, at) && is_in_capitals(file.text(at)) &&
        !function.template_parameters.contains(at))
      return true;
  for (TokenIndex at = function.body.begin; at < function.body.end; ++at) {
    if (!is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    if (word == "threadIdx" || word == "blockIdx" || word == "__syncthreads" ||
        word == "__shared__" || word.starts_with("__shfl"))
      return true;
  }
  return false;
}

void find(CudaCheck& check) {
  const File& file = check.file;
  const std::vector<Dependent> names = dependents(check);
  if (names.empty()) return;
  for (const cu::Function& function : file.functions()) {
    if (function.is_device() || function.body.empty()) continue;
    // A template or inline function of a header may be called by anybody.
    const bool is_unsure =
        (function.qualifiers & cu::kHost) == 0 &&
        file.text(cu::TokenRange{function.head.begin, function.name}).find("constexpr") !=
            std::string_view::npos;
    if (is_unsure || may_be_device(file, function)) continue;
    for (TokenIndex at = function.body.begin; at < function.body.end; ++at) {
      if (!is_name(file, at) || is_any(file, at - 1, {".", "->", "::"})) continue;
      const auto found = std::find_if(names.begin(), names.end(), [&](const Dependent& each) {
        return each.name == file.text(at);
      });
      if (found == names.end() || check.on_amd(at) == Truth::kNo) continue;
      check.report(file.span(at), sure(check, at),
                   found->name == kWarpSize.text()
                       ? "warpSize is the GPU's, host code has to ask for its device's"
                       : fmt::format("{} depends on the GPU's macros, which host code does not see",
                                     found->name));
    }
  }
}

std::vector<Name> triggers() {
  std::vector<Name> names = kDeviceMacros;
  names.push_back(kWarpSize);
  return names;
}

}  // namespace

Rule warp_size_macro_in_host_code() {
  return {.code = "HW104",
          .name = "warp-size-macro-in-host-code",
          .summary = "a constant of the device in host code",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = triggers(),
          .cuda = find};
}

}  // namespace hipwright::lint::rules
