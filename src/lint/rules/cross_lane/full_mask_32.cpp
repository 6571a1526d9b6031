// SPDX-License-Identifier: MIT
// A `*_sync` function is called with a 32-bit mask.
//
// ## What it finds
//
// `0xffffffff`, `~0u`, `FULL_MASK` and other 32-bit values as the mask of `__shfl_*_sync`,
// `__ballot_sync`, `__any_sync` and similar functions, where AMD's compiler sees the call. With low
// confidence, `kFullMask = 0xffffffffu` in a header, for the files that include it.
//
// ## Why it matters
//
// HIP takes 64-bit masks on every target and rejects others: "The mask must be a 64-bit integer".
// Where an older HIP or a macro accepts it, the mask selects half of the lanes of a wave64.
//
// ## Example
//
// ```cuda
// value += __shfl_xor_sync(0xffffffff, value, 1);
// ```
//
// ## Use instead
//
// One definition per platform. CUDA masks have 32 bits: a 64-bit literal is truncated there, which
// is harmless for a mask of all lanes, but compilers may warn.
//
// ```cuda
// #ifdef USE_ROCM
// constexpr unsigned long long kFullMask = ~0ull;
// #else
// constexpr unsigned kFullMask = 0xffffffffu;
// #endif
// value += __shfl_xor_sync(kFullMask, value, 1);
// ```
//
// ## When it is not a bug
//
// - The project defines the function as a macro that drops the mask.
// - The number is a hash, a sentinel or a bit pattern: only lane masks are checked.
// - `0xffffffffull`: the lower half of a wave, in 64 bits.
// - The file includes a port's `hip_names.h`, whose functions take 32-bit masks.
#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/lanes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

struct Mask {
  TokenIndex at;       // where it is written: the number, or the declared name
  TokenRange literal;  // the text to replace; empty if uncertain
  bool is_full;
};

// Whether the macro is also defined with 64 bits in code that some AMD build compiles.
bool has_wide_definition(const CudaCheck& check, std::string_view name) {
  const File& file = check.file;
  return std::ranges::any_of(file.macros(), [&](const cu::Macro& macro) {
    if (file.text(macro.name) != name || check.on_amd(macro.name) == Truth::kNo) return false;
    const auto value = constant(file, macro.body);
    return value && value->bits == 64;
  });
}

// A 32-bit name or number, in the argument or where the argument's name is defined.
std::optional<Mask> narrow_mask(const CudaCheck& check, TokenRange argument) {
  const File& file = check.file;
  const TokenRange mask = unwrapped(file, argument);
  if (mask.empty()) return std::nullopt;
  if (mask.end - mask.begin > 1 || !is_name(file, mask.begin)) {
    const auto value = constant(file, mask);
    if (!value || value->bits != 32) return std::nullopt;
    return Mask{mask.begin, mask, value->value == 0xFFFFFFFF};
  }
  if (const cu::Macro* macro = file.macro_named(file.text(mask.begin))) {
    if (has_wide_definition(check, file.text(mask.begin))) return std::nullopt;
    const auto value = constant(file, macro->body);
    if (!value || value->bits != 32 || check.on_amd(macro->name) == Truth::kNo) return std::nullopt;
    return Mask{macro->name, macro->body, value->value == 0xFFFFFFFF};
  }
  const auto variable = declaration_of(file, mask.begin);
  if (!variable || variable->is_array || check.on_amd(variable->name) == Truth::kNo)
    return std::nullopt;
  const cu::Bits bits = bits_of_type(file, variable->type);
  if (bits != cu::Bits::kNarrow && bits != cu::Bits::kAuto) return std::nullopt;
  // The other rules check results of ballots.
  for (TokenIndex at = variable->value.begin; at < variable->value.end; ++at)
    if (cu::lane_op_at(file, at) != nullptr) return std::nullopt;
  const auto value = constant(file, variable->value);
  if (bits == cu::Bits::kAuto && (!value || value->bits != 32)) return std::nullopt;
  // A parameter is reported where it is passed on; a numeric default is reported itself.
  const cu::Function* function = file.function_at(mask.begin);
  const bool is_number = variable->value.end - variable->value.begin == 1 &&
                         !is_name(file, variable->value.begin) && value;
  const bool is_given =
      !is_number && function != nullptr && function->parameters.contains(variable->name);
  return Mask{is_given ? mask.begin : variable->name, {}, value && value->value == 0xFFFFFFFF};
}

// FULL_MASK, kFullWarpMask, ALL_LANES_MASK
bool is_full_mask_name(std::string_view name) {
  return name.size() <= 40 && contains_word(name, "mask") &&
         (contains_word(name, "full") || contains_word(name, "warp") ||
          contains_word(name, "lane") || contains_word(name, "final"));
}

// Definitions for other files: only in headers, and only those not reported at a call.
void find_definitions(CudaCheck& check, const std::vector<TokenIndex>& reported) {
  const File& file = check.file;
  const std::string_view path = check.facts.path;
  if (!path.ends_with(".cuh") && !path.ends_with(".h") && !path.ends_with(".hpp")) return;
  const auto look_at = [&](TokenIndex name, TokenRange value) {
    if (std::find(reported.begin(), reported.end(), name) != reported.end() ||
        check.on_amd(name) == Truth::kNo || is_for_amd_alone(check, name))
      return;
    if (const auto number = constant(file, value);
        number && number->bits == 32 && number->value == 0xFFFFFFFF)
      check.report(file.span(name), Confidence::kLow,
                   "HIP's warp functions take 64-bit masks, but this one has 32 bits");
  };
  for (const cu::Macro& macro : file.macros())
    if (!macro.is_function && is_full_mask_name(file.text(macro.name)))
      look_at(macro.name, macro.body);
  for (TokenIndex at = 1; at + 2 < file.tokens().size(); ++at)
    if (is_name(file, at) && is_punctuator(file, at + 1, {"=", "{"}) &&
        is_full_mask_name(file.text(at)) && file.function_at(at) == nullptr)
      if (const auto variable = declared_at(file, at)) look_at(at, variable->value);
}

void find(CudaCheck& check) {
  const File& file = check.file;
  // hip_compat.h takes 32-bit masks.
  if (is_bound_to_nvidia(check) || has_warps_of_32(check)) return;
  std::vector<TokenIndex> reported;
  for (const LaneCall& call : lane_calls(check)) {
    const auto argument = call.argument(call.op->mask);
    if (!argument || is_own_macro(check, call.op->name.text())) continue;
    const auto mask = narrow_mask(check, *argument);
    if (!mask || std::find(reported.begin(), reported.end(), mask->at) != reported.end()) continue;
    reported.push_back(mask->at);
    std::vector<Fix> fixes;
    if (mask->is_full && !mask->literal.empty())
      fixes.push_back({.description = "use a 64-bit mask; CUDA truncates it to 32 bits",
                       .safe = false,
                       .edits = {{file.span(mask->literal), "0xffffffffffffffffull"}}});
    check.report(
        file.span(mask->at), sure(check, call.name),
        fmt::format("HIP's {} takes a 64-bit mask, but this one has 32 bits", call.op->name.text()),
        std::move(fixes));
  }
  find_definitions(check, reported);
}

}  // namespace

Rule full_mask_32() {
  return {.code = "HW203",
          .name = "full-mask-32",
          .summary = "32-bit lane mask passed to a *_sync function",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = cu::lane_op_names(),
          .words = {"Mask", "MASK"},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
