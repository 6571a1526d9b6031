// SPDX-License-Identifier: MIT
// A constant that depends on device macros is used in host code, where they are undefined.
//
// ## What it finds
//
// A macro or constant with one value under `__GFX9__`, `__gfx90a__`, `__AMDGCN_WAVEFRONT_SIZE` or
// `__HIP_DEVICE_COMPILE__` and another one otherwise, used in a host function: where grids, blocks
// and shared memory are computed. The same holds for `warpSize`, macros that expand to it,
// PyTorch's `C10_WARP_SIZE`, rocPRIM's `warp_size()` in a constant and hipCUB's
// `HIPCUB_WARP_THREADS`. The macro may be defined in a header. Reported with low confidence:
// `if (WARP_SIZE == 64)` of a name that no file here defines, and constants of classes and files
// computed with such a name, whose host and device values differ. With low confidence, too: a wave
// size that a header fixes at 64 for all of AMD, where RDNA's waves have 32 lanes.
//
// ## Why it matters
//
// The macros are defined only while device code is compiled. The host gets the other value: it
// launches 32 lanes for code that runs with 64, and half of the rows are missing.
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
// - Both branches have the same value, or the condition is one that the host sees (`USE_ROCM`).
#include <algorithm>

#include <fmt/format.h>

#include "arch/mentions.h"
#include "lint/cuda/lanes.h"
#include "lint/cuda/warp_sizes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::Kind;
using syntax::cuda::TokenIndex;

// Beside the macros of targets.
const std::vector<Name> kDeviceMacros = {Name("__AMDGCN_WAVEFRONT_SIZE"),
                                         Name("__AMDGCN_WAVEFRONT_SIZE__"),
                                         Name("__HIP_DEVICE_COMPILE__")};
// Defined in device code only, too.
const Name kWarpSize("warpSize");
const Name kConstexpr("constexpr");
// Library macros computed from the same macros.
const std::vector<Name> kLibraryMacros = {Name("C10_WARP_SIZE"), Name("HIPCUB_WARP_THREADS"),
                                          Name("HIPCUB_DEVICE_WARP_THREADS"),
                                          Name("ROCPRIM_WARP_SIZE")};
const Name kRocprim("rocprim");

bool mentions_device_macro(std::string_view text) {
  return arch::mentions_target_macro(text) ||
         std::ranges::any_of(kDeviceMacros, [&](const Name& name) {
           return text.find(name.text()) != std::string_view::npos;
         });
}

bool depends_on_device(const File& file, TokenIndex at) {
  return std::ranges::any_of(file.conditions(at), mentions_device_macro);
}

struct Dependent {
  std::string_view name;
  std::string first;  // its value in one branch
  bool differs = false;
};

// Names that the file defines under device macros with more than one value.
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
        if (mentions_device_macro(file.text(at))) all.push_back({file.text(macro.name), "", true});
      if (macro.body.end == macro.body.begin + 1 && file.is(macro.body.begin, kWarpSize) &&
          check.on_amd(macro.name) != Truth::kNo)
        all.push_back({file.text(macro.name), "", true});
      add(macro.name, macro.body);
    }
  // A local variable of the same name belongs to the host.
  const auto sizes = file.occurrences(kWarpSize);
  if (!sizes.empty() &&
      std::none_of(sizes.begin(), sizes.end(),
                   [&](TokenIndex at) { return declared_at(file, at).has_value(); }) &&
      !is_template_parameter(file, kWarpSize.text()))
    all.push_back({kWarpSize.text(), "", true});
  for (const Name& name : kLibraryMacros)
    if (file.has(name) && file.macro_named(name.text()) == nullptr)
      all.push_back({name.text(), "", true});
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

// A function without qualifiers, unless a macro provides them or its body uses device features.
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

// The file's own names, and those of headers that it does not redefine.
class PerTarget {
 public:
  explicit PerTarget(const CudaCheck& check) : check_(check), here_(dependents(check)) {
    add_derived();
  }

  bool is_empty() const {
    return here_.empty() && (headers() == nullptr ||
                             (headers()->per_target.empty() && headers()->fixed_sizes.empty()));
  }
  // 64 for every target, by a header, and no other value in this file.
  bool is_fixed(std::string_view name) const {
    return headers() != nullptr && !headers()->fixed_sizes.empty() &&
           headers()->has_fixed_size(name) && !headers()->has_per_target(name);
  }
  bool has(std::string_view name) const {
    if (std::any_of(here_.begin(), here_.end(),
                    [&](const Dependent& each) { return each.name == name; }))
      return true;
    return headers() != nullptr && !headers()->per_target.empty() &&
           headers()->has_per_target(name) && check_.file.macro_named(name) == nullptr;
  }

  // With any value, here or in a header of the project.
  bool is_defined(std::string_view name) const {
    return check_.file.macro_named(name) != nullptr ||
           (headers() != nullptr && headers()->has_macro(name));
  }

 private:
  const project::OwnDefinitions* headers() const { return check_.facts.own_definitions; }

  // constexpr int kWarpSize = GPU_WARP_SIZE;
  void add_derived() {
    if (is_empty()) return;
    const File& file = check_.file;
    for (const TokenIndex word : file.occurrences(kConstexpr)) {
      if (file.function_at(word) != nullptr || check_.on_amd(word) == Truth::kNo) continue;
      TokenIndex equals = word + 1;
      while (is_name(file, equals)) ++equals;
      if (file.is(equals, "=") && is_name(file, equals + 1) && file.is(equals + 2, ";") &&
          cu::is_warp_size_name(file.text(equals - 1)) && has(file.text(equals + 1)))
        here_.push_back({file.text(equals - 1), "", true});
    }
  }

  const CudaCheck& check_;
  std::vector<Dependent> here_;
};

void report(CudaCheck& check, TokenIndex at, Confidence most) {
  const std::string_view name = check.file.text(at);
  check.report(
      check.file.span(at), sure(check, at, most),
      name == kWarpSize.text()
          ? "warpSize is not available in host code; query the device's warp size"
          : fmt::format("{} depends on device macros, which are undefined in host code", name));
}

// PyTorch's C10_WARP_SIZE has the size of gfx9 in host code: right if all GPUs of the build are
// gfx9.
Confidence highest(const File& file, TokenIndex at) {
  const bool is_librarys = std::ranges::any_of(
      kLibraryMacros, [&](const Name& name) { return file.text(at) == name.text(); });
  return is_librarys ? Confidence::kMedium : Confidence::kHigh;
}

void report_fixed(CudaCheck& check, TokenIndex at) {
  check.report(check.file.span(at), Confidence::kLow,
               fmt::format("{} is 64 for all of AMD, but gfx10 to gfx12 waves have 32 lanes; query "
                           "the device's warp size",
                           check.file.text(at)),
               {}, Relevance::kWave32);
}

bool declares(const File& file, TokenIndex at) {
  const auto variable = declared_at(file, at);
  return variable && variable->name == at;
}

void check_function(CudaCheck& check, const cu::Function& function, const PerTarget& names) {
  const File& file = check.file;
  if (function.is_device() || function.body.empty()) return;
  // Device code may call a template or inline function of a header.
  const bool is_unsure =
      (function.qualifiers & cu::kHost) == 0 &&
      file.text(cu::TokenRange{function.head.begin, function.name}).find("constexpr") !=
          std::string_view::npos;
  if (is_unsure) return;
  bool is_device_like = false, is_known = false;
  for (TokenIndex at = function.body.begin; at < function.body.end; ++at) {
    // #if IS_DEVICE in a function of both sides is what such a macro is for.
    const bool is_seen = is_name(file, at) && !is_punctuator(file, at - 1, {".", "->"}) &&
                         (file.tokens()[at].flags & cu::kInDirective) == 0;
    if (!is_seen) continue;
    // PRINT_PROP(warpSize): the macro takes the name of a member.
    const bool is_member = file.is(at, kWarpSize) && file.is(at - 1, "(") && file.is(at + 1, ")") &&
                           is_in_capitals(file.text(at - 2));
    const bool is_own_name = !is_member && !file.is(at - 1, "::") && names.has(file.text(at));
    const bool is_fixed = !is_own_name && names.is_fixed(file.text(at));
    if ((!is_own_name && !is_fixed) || check.on_amd(at) == Truth::kNo) continue;
    if (!is_known) is_device_like = may_be_device(file, function);
    is_known = true;
    if (is_device_like) continue;
    if (is_own_name)
      report(check, at, highest(file, at));
    else if (!is_for_wave64(check, at) && !declares(file, at))
      report_fixed(check, at);
  }
}

// Class and file constants computed with the wave size: host and device have different values.
void check_constants(CudaCheck& check, const PerTarget& names) {
  const File& file = check.file;
  for (const TokenIndex word : file.occurrences(kConstexpr)) {
    if ((file.tokens()[word].flags & cu::kInDirective) != 0 || file.function_at(word) != nullptr)
      continue;
    const cu::TokenRange whole = file.statement(word);
    for (TokenIndex at = word; at < whole.end; ++at)
      if (is_name(file, at) && cu::is_warp_size_name(file.text(at)) && !file.is(at + 1, "=") &&
          names.has(file.text(at)) && check.on_amd(at) != Truth::kNo &&
          file.text(at) != "C10_WARP_SIZE") {  // a build error, reported by HW103
        report(check, at, Confidence::kLow);
        break;
      }
  }
}

// if (WARP_SIZE == 64), with a name from a header outside the project: the test expects different
// values, but on the host it gives the same result for every GPU.
void check_questions(CudaCheck& check, const PerTarget& names) {
  const File& file = check.file;
  for (const cu::Function& function : check.file.functions()) {
    if (function.is_device() || function.body.empty()) continue;
    for (TokenIndex at = function.body.begin; at < function.body.end; ++at) {
      if (!is_name(file, at) || !is_in_capitals(file.text(at)) ||
          !cu::is_warp_size_name(file.text(at)) || !is_punctuator(file, at + 1, {"==", "!="}) ||
          !(is_constant(file, {at + 2, at + 3}, 32) || is_constant(file, {at + 2, at + 3}, 64)))
        continue;
      const TokenIndex open = file.enclosing(at);
      const bool is_asked = open != cu::kNoToken && open > 0 && file.text(open - 1) == "if";
      if (!is_asked || names.has(file.text(at)) || names.is_defined(file.text(at)) ||
          constant(file, {at, at + 1}) || declaration_of(file, at) ||
          check.on_amd(at) == Truth::kNo || may_be_device(file, function))
        continue;
      report(check, at, Confidence::kLow);
    }
  }
}

// constexpr int lanes = rocprim::warp_size(); in host code
void check_library_calls(CudaCheck& check) {
  const File& file = check.file;
  for (const TokenIndex at : file.occurrences(kRocprim)) {
    if (!file.is(at + 1, "::") ||
        (file.text(at + 2) != "warp_size" && file.text(at + 2) != "device_warp_size") ||
        !file.is(at + 3, "(") || file.partner(at + 3) != at + 4)
      continue;
    const cu::Function* function = file.function_at(at);
    if (function == nullptr || function->is_device() || check.on_amd(at) == Truth::kNo ||
        file.text(file.statement(at)).find(kConstexpr.text()) == std::string_view::npos ||
        may_be_device(file, *function))
      continue;
    check.report(file.span(cu::TokenRange{at, at + 3}), sure(check, at, Confidence::kMedium),
                 "device constant used in host code; query the device's warp size");
  }
}

void find(CudaCheck& check) {
  check_library_calls(check);
  const PerTarget names(check);
  check_questions(check, names);
  if (names.is_empty()) return;
  for (const cu::Function& function : check.file.functions())
    check_function(check, function, names);
  check_constants(check, names);
}

}  // namespace

Rule warp_size_macro_in_host_code() {
  return {.code = "HW104",
          .name = "warp-size-macro-in-host-code",
          .summary = "device constant used in host code",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .cuda = find};
}

}  // namespace hipwright::lint::rules
