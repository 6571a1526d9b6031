// SPDX-License-Identifier: MIT
// 32-lane warps stay 32 lanes: on GPUs with 64-lane waves each half of a wave is one.
// The functions that see other lanes are exchanged for those of compat.h that see the own half
// only, and everything that the program computes around them (lane and warp numbers, masks,
// reductions, slots in shared memory) stays right without being understood.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "port/marks.h"
#include "port/pass.h"
#include "port/wave/half_wave.h"
#include "port/wave/whole_wave.h"
#include "project/build/build_graph.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;

namespace {

// Their counterparts in namespace warp32 have the same names without the underscores.
constexpr std::array<std::string_view, 24> kFunctions = {"__activemask",      "__all",
                                                         "__all_sync",        "__any",
                                                         "__any_sync",        "__ballot",
                                                         "__ballot_sync",     "__match_all_sync",
                                                         "__match_any_sync",  "__reduce_add_sync",
                                                         "__reduce_and_sync", "__reduce_max_sync",
                                                         "__reduce_min_sync", "__reduce_or_sync",
                                                         "__reduce_xor_sync", "__shfl",
                                                         "__shfl_down",       "__shfl_down_sync",
                                                         "__shfl_sync",       "__shfl_up",
                                                         "__shfl_up_sync",    "__shfl_xor",
                                                         "__shfl_xor_sync",   "__syncwarp"};
static_assert(std::is_sorted(kFunctions.begin(), kFunctions.end()));

// Are all operands of this lane mask at most 32 bits wide? False if that is unknown.
bool is_narrow(const SourceContext& context, cu::TokenRange mask);

// typedef unsigned int U32; using U32 = unsigned; anywhere in the tree, and always narrow.
bool is_narrow_type(const SourceContext& context, std::string_view name) {
  bool is_found = false;
  for (const auto& source : context.tree.files) {
    const cu::File* file = source->cuda();
    if (file == nullptr) continue;
    for (const cu::TokenIndex at : cu::places_of(*file, name)) {
      if (at == 0) continue;
      cu::TokenRange type = {cu::segment(*file, at).begin + 1, at};
      const bool is_typedef = file->text(type.begin - 1) == "typedef" && file->is(at + 1, ";");
      const bool is_using = file->text(at - 1) == "using" && file->is(at + 1, "=");
      if (is_using) type = {at + 2, cu::segment(*file, at).end};
      if (!is_typedef && !is_using) continue;
      if (cu::bits_of_type(*file, type) != cu::Bits::kNarrow) return false;
      is_found = true;
    }
  }
  return is_found;
}

bool is_narrow_name(const SourceContext& context, cu::TokenIndex at) {
  const cu::File& file = context.file;
  const std::string_view name = file.text(at);
  if (file.is(at + 1, "("))  // their masks are checked where they are called
    return (name == "__activemask" || name == "__ballot_sync" || name == "__match_any_sync") &&
           !context.own.has(name, context.source, at);
  if (is_any(name, {"unsigned", "int", "uint32_t", "int32_t"})) return true;  // casts
  const bool in_macro = (file.tokens()[at].flags & cu::kInMacroBody) != 0;    // may be a parameter
  if (const auto variable = in_macro ? std::nullopt : cu::declaration_of(file, at)) {
    if (variable->is_array) return false;
    switch (cu::bits_of_type(file, variable->type)) {
      case cu::Bits::kNarrow:
        return true;
      case cu::Bits::kAuto:
        return !variable->value.contains(at) && is_narrow(context, variable->value);
      case cu::Bits::kUnknown: {
        const cu::TokenIndex last = variable->type.end - 1;  // of "const U32"
        return !variable->type.empty() && is_narrow_type(context, file.text(last));
      }
      default:
        return false;
    }
  }
  bool is_found = false;
  for (const auto& source : context.tree.files) {
    const cu::Macro* macro =
        source->cuda() == nullptr ? nullptr : source->cuda()->macro_named(name);
    if (macro == nullptr) continue;
    const auto value = cu::constant(*source->cuda(), macro->body);
    if (!value || value->bits != 32) return false;
    is_found = true;
  }
  return is_found;
}

bool is_narrow(const SourceContext& context, cu::TokenRange mask) {
  const cu::File& file = context.file;
  if (mask.empty()) return false;
  const bool in_macro = (file.tokens()[mask.begin].flags & cu::kInMacroBody) != 0;
  if (const auto value = in_macro ? std::nullopt : cu::constant(file, mask))
    return value->bits == 32;
  for (cu::TokenIndex at = mask.begin; at < mask.end; ++at) {
    const cu::Kind kind = file.tokens()[at].kind;
    if (kind == cu::Kind::kNumber) {
      const auto number = cu::literal(file, at);
      if (!number || number->bits != 32) return false;
    } else if (kind == cu::Kind::kName) {
      if (!is_narrow_name(context, at)) return false;
      if (file.is(at + 1, "(")) at = file.partner(at + 1);
      if (at == cu::kNoToken) return false;
    } else if (!cu::is_punctuator(
                   file, at, {"(", ")", "&", "|", "^", "~", "<<", ">>", "+", "-", "!", "*", "/"})) {
      return false;
    }
  }
  return true;
}

// In dual mode overloads for 32-bit masks serve most calls as they are: HIP's own functions accept
// 64-bit masks only. Not beside code in which the project counts lanes for AMD.
bool is_served_by_overload(SourceContext& context, cu::TokenIndex at) {
  const cu::File& file = context.file;
  if (!context.is_dual() || context.options.warp != Warp::kHalf ||
      context.amd.lanes_anywhere() != nullptr || !file.is(at + 1, "(") ||
      file.partner(at + 1) == cu::kNoToken)
    return false;
  const auto arguments = file.arguments(at + 1);
  const bool takes_no_mask = file.text(at) == "__syncwarp" && arguments.empty();
  const bool has_mask = file.text(at).ends_with("_sync") || file.text(at) == "__syncwarp";
  return takes_no_mask || (has_mask && !arguments.empty() && is_narrow(context, arguments[0]));
}

void include_overloads(SourceContext& context) {
  context.needs.compat = true;
  context.shim().is_included = true;
  context.shim().settings.emplace(project::kWarpsOf32);
}

void keep_functions(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kName) continue;
    const std::string_view name = file.text(at);
    if (!std::binary_search(kFunctions.begin(), kFunctions.end(), name)) continue;
    // __has_builtin(__shfl) asks about the compiler.
    if ((tokens[at].flags & (cu::kInDirective | cu::kInMacroBody)) == cu::kInDirective) continue;
    if (context.own.has(name, context.source, at) || context.are_lanes_settled(at)) continue;
    if (at > 0 && (file.is(at - 1, ".") || file.is(at - 1, "->"))) continue;
    // ::__shfl_sync is CUDA's, lib::__shfl_sync is not.
    const bool is_global = at > 0 && file.is(at - 1, "::");
    if (is_global && at > 1 && (tokens[at - 2].kind == cu::Kind::kName || file.is(at - 2, ">")) &&
        file.text(at - 2) != "return")
      continue;
    if (is_served_by_overload(context, at)) {
      include_overloads(context);
      continue;
    }
    if (!context.keep_32_lanes(at, "warp32::" + std::string(name.substr(2)),
                               std::string(kWarpOf32)))
      continue;
    if (name == "__activemask" && file.is(at + 1, "(") && context.is_dual())
      context.use_macro(at, "__activemask()", "warp32::activemask()");
  }
}

void report_obstacle(SourceContext& context, const Obstacle& obstacle) {
  if (obstacle.file == &context.source)
    return context.report("HP302", Severity::kNote, obstacle.span,
                          fmt::format("warps stay half a wave: {}", obstacle.what));
  context.report("HP302", Severity::kNote, {0, 0},
                 fmt::format("warps stay half a wave, see {}:{}: {}", obstacle.file->path(),
                             LineIndex(obstacle.file->text()).position(obstacle.span.begin).line,
                             obstacle.what));
}

void apply(SourceContext& context) {
  if (!keeps_warps_of_32(context)) return;
  const Waves::Decision* decision =
      context.waves == nullptr ? nullptr : context.waves->of(context.source);
  keep_functions(context);
  keep_size_of_32(context);
  keep_groups_of_32(context);
  if (decision != nullptr && decision->obstacle != nullptr)
    report_obstacle(context, *decision->obstacle);
}

}  // namespace

Pass half_waves() {
  return {.codes = {"HP301", "HP302", "HP304", "HP306"},
          .after = {"project_rules", "whole_waves"},
          .before = {"names"},
          .cuda = apply};
}

}  // namespace hipwright::port::passes
