// SPDX-License-Identifier: MIT
// The mask of a `*_sync` function has 32 bits.
//
// ## What it finds
//
// `0xffffffff`, `~0u`, `FULL_MASK` and other 32-bit values as the mask of `__shfl_*_sync`,
// `__ballot_sync`, `__any_sync` and the like, where AMD's compiler sees the call. With low
// confidence also `kFullMask = 0xffffffffu` in a header: those who include it shuffle with it.
//
// ## Why it matters
//
// HIP takes masks of 64 bits on every target and refuses others: "The mask must be a 64-bit
// integer". Where an older HIP or a macro lets it pass, the mask names half of the lanes of a
// wave64.
//
// ## Example
//
// ```cuda
// value += __shfl_xor_sync(0xffffffff, value, 1);
// ```
//
// ## Use instead
//
// One definition per platform. CUDA's masks have 32 bits: a 64-bit literal is cut there, which is
// harmless for a mask of all lanes, but compilers may warn.
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
// - The project defines the function as a macro that leaves the mask out.
// - The number is a hash, a sentinel or a bit pattern: only masks of lanes are looked at.
// - `0xffffffffull`: the lower half of a wave, in 64 bits.
#include <algorithm>

#include <fmt/format.h>

#include "lint/cuda/lanes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

struct Mask {
  TokenIndex at;       // where it is written: the number, or the name that is declared
  TokenRange literal;  // what would be replaced; empty: nothing certain
  bool is_full;
};

// A name or number that has 32 bits, in the argument or where the argument's name is defined.
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
    const auto value = constant(file, macro->body);
    if (!value || value->bits != 32 || check.on_amd(macro->name) == Truth::kNo) return std::nullopt;
    return Mask{macro->name, macro->body, value->value == 0xFFFFFFFF};
  }
  const auto variable = declaration_of(file, mask.begin);
  if (!variable || variable->is_array || check.on_amd(variable->name) == Truth::kNo)
    return std::nullopt;
  const Bits bits = bits_of_type(file, variable->type);
  if (bits != Bits::kNarrow && bits != Bits::kAuto) return std::nullopt;
  // What a ballot gives is the other rules' concern.
  for (TokenIndex at = variable->value.begin; at < variable->value.end; ++at)
    if (lane_op_at(file, at) != nullptr) return std::nullopt;
  const auto value = constant(file, variable->value);
  if (bits == Bits::kAuto && (!value || value->bits != 32)) return std::nullopt;
  // What a caller gave is wrong where it is handed on; a number as its default is wrong itself.
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

// Definitions for others: only a header's, and not those that were reported at a call.
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
                   "HIP's functions of lanes take masks of 64 bits, this one has 32");
  };
  for (const cu::Macro& macro : file.macros())
    if (!macro.is_function && is_full_mask_name(file.text(macro.name)))
      look_at(macro.name, macro.body);
  for (TokenIndex at = 1; at + 2 < file.tokens().size(); ++at)
    if (is_name(file, at) && is_any(file, at + 1, {"=", "{"}) && is_full_mask_name(file.text(at)) &&
        file.function_at(at) == nullptr)
      if (const auto variable = declared_at(file, at)) look_at(at, variable->value);
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  std::vector<TokenIndex> reported;
  for (const LaneCall& call : lane_calls(check)) {
    const auto argument = call.argument(call.op->mask);
    if (!argument || is_own_macro(check, call.op->name.text())) continue;
    const auto mask = narrow_mask(check, *argument);
    if (!mask || std::find(reported.begin(), reported.end(), mask->at) != reported.end()) continue;
    reported.push_back(mask->at);
    std::vector<Fix> fixes;
    if (mask->is_full && !mask->literal.empty())
      fixes.push_back({.description = "a mask of 64 bits; CUDA cuts it to 32",
                       .safe = false,
                       .edits = {{file.span(mask->literal), "0xffffffffffffffffull"}}});
    check.report(
        file.span(mask->at), sure(check, call.name),
        fmt::format("HIP's {} takes a mask of 64 bits, this one has 32", call.op->name.text()),
        std::move(fixes));
  }
  find_definitions(check, reported);
}

}  // namespace

Rule full_mask_32() {
  return {.code = "HW203",
          .name = "full-mask-32",
          .summary = "a lane mask of 32 bits for a *_sync function",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = lane_op_names(),
          .words = {"Mask", "MASK"},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
