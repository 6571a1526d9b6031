// SPDX-License-Identifier: MIT
// 32-lane warps stay 32 lanes: on GPUs with 64-lane waves each half of a wave is one.
// The functions that see other lanes are exchanged for those of compat.h that see the own half
// only, and everything that the program computes around them (lane and warp numbers, masks,
// reductions, slots in shared memory) stays right without being understood.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/wave/half_wave.h"
#include "port/wave/whole_wave.h"

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
    context.keep_32_lanes(at, "warp32::" + std::string(name.substr(2)), std::string(kWarpOf32));
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
