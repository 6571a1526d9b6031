// SPDX-License-Identifier: MIT
// Warps of 32 lanes stay what they are: on GPUs with waves of 64 lanes each half of a wave is one.
// The functions that see other lanes are exchanged for those of compat.h that see the own half
// only, and everything that the program computes around them (lane and warp numbers, masks,
// reductions, slots in shared memory) stays right without being understood.
#include <algorithm>
#include <array>

#include "port/wave/wave.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

// Their counterparts in namespace warp32 have the same names without the underscores.
constexpr std::array<std::string_view, 25> kFunctions = {"__activemask",      "__all",
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
                                                         "__shfl_xor_sync",   "__syncwarp",
                                                         "warpSize"};
static_assert(std::is_sorted(kFunctions.begin(), kFunctions.end()));

constexpr std::string_view kReason = "a warp of 32 lanes is half a wave where waves have 64";

// prop.warpSize, devices[i].warpSize: the first token of it.
cu::TokenIndex object_begin(const cu::File& file, cu::TokenIndex member) {
  cu::TokenIndex at = member;
  while (at >= 2 && (file.is(at - 1, ".") || file.is(at - 1, "->"))) {
    at -= 2;
    while (at > 0 && (file.is(at, "]") || file.is(at, ")")) && file.partner(at) != cu::kNoToken) {
      at = file.partner(at);
      if (at > 0 && file.tokens()[at - 1].kind == cu::Kind::kName) --at;
    }
  }
  return at;
}

}  // namespace

void keep_warps_of_32(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kName) continue;
    const std::string_view name = file.text(at);
    if (!std::binary_search(kFunctions.begin(), kFunctions.end(), name)) continue;
    // __has_builtin(__shfl) asks about the compiler.
    if ((tokens[at].flags & (cu::kInDirective | cu::kInMacroBody)) == cu::kInDirective) continue;
    if (context.own.has(name, context.source) || context.is_settled(at)) continue;
    const bool is_member = at > 0 && (file.is(at - 1, ".") || file.is(at - 1, "->"));
    if (name == "warpSize") {
      if (is_member)
        context.change({file.span(object_begin(file, at)).begin, file.span(at).end}, "32", "HP301",
                       std::string(kReason), Phase::kWave);
      else if (file.function_at(at) != nullptr)
        context.rename(at, "warp32::size", "HP301", std::string(kReason), Phase::kWave);
      continue;
    }
    if (is_member || (at > 0 && file.is(at - 1, "::"))) continue;
    context.needs.compat = true;
    context.rename(at, "warp32::" + std::string(name.substr(2)), "HP301", std::string(kReason),
                   Phase::kWave);
  }
}

}  // namespace hipwright::port
