// SPDX-License-Identifier: MIT
// Members of CUDA cooperative groups that HIP groups lack, have under an older name, or
// restrict.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "project/build/build_graph.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using syntax::Name;

namespace {

const Name kGroups("cooperative_groups"), kPartition("tiled_partition");

const std::array<Name, 2> kSplitBarrier = {Name("barrier_arrive"), Name("barrier_wait")};

struct Member {
  Name name;
  std::string_view becomes;
  bool is_member;  // of the group; otherwise it takes the place of the whole call
};
const std::array<Member, 6> kMembers = {
    {{Name("num_threads"), "size", true},
     {Name("dim_threads"), "group_dim", true},
     {Name("num_blocks"), "(gridDim.x * gridDim.y * gridDim.z)", false},
     {Name("block_rank"), "(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z))",
      false},
     {Name("dim_blocks"), "dim3(gridDim.x, gridDim.y, gridDim.z)", false},
     {Name("block_index"), "dim3(blockIdx.x, blockIdx.y, blockIdx.z)", false}}};

// Members that take the value of a lane, and how many arguments they have.
struct Exchange {
  Name name;
  std::size_t arguments;
  bool takes_small;  // bool, char, short
};
const std::array<Exchange, 6> kExchanges = {{{Name("shfl"), 2, true},
                                             {Name("shfl_up"), 2, true},
                                             {Name("shfl_down"), 2, true},
                                             {Name("shfl_xor"), 2, true},
                                             {Name("match_any"), 1, false},
                                             {Name("match_all"), 2, false}}};

constexpr auto kGroupNames = std::to_array<std::string_view>(
    {"coalesced_group", "coalesced_threads", "thread_block_tile", "tiled_partition",
     "binary_partition", "labeled_partition", "thread_block", "this_thread_block", "grid_group",
     "this_grid", "thread_group", "multi_grid_group", "this_multi_grid"});

bool is_empty_call(const cu::File& file, TokenIndex at) {
  return at + 2 < file.tokens().size() && file.is(at + 1, "(") && file.is(at + 2, ")");
}
bool is_member(const cu::File& file, TokenIndex at) {
  return at > 1 && (file.is(at - 1, ".") || file.is(at - 1, "->"));
}

// A class that is compiled together with this file has such a function, and its objects may be
// meant.
bool is_own(const SourceContext& context, const Name& name) {
  const std::vector<bool> read = context.own.graph().read_together(context.source);
  for (std::size_t i = 0; i < context.tree.files.size(); ++i) {
    const cu::File* file = read[i] ? context.tree.files[i]->cuda() : nullptr;
    if (file != nullptr && std::ranges::any_of(file->occurrences(name), [&](TokenIndex at) {
          return !is_member(*file, at) && at + 1 < file->tokens().size() && file->is(at + 1, "(");
        }))
      return true;
  }
  return false;
}

// auto g = cg::coalesced_threads(); const thread_block_tile<32>& g: its declaration says so.
bool is_declared_as_group(const cu::File& file, TokenIndex object) {
  const auto variable = cu::declaration_of(file, object);
  if (!variable) return false;
  const auto names_group = [&](cu::TokenRange range) {
    for (TokenIndex at = range.begin; at < range.end; ++at)
      if (std::ranges::find(kGroupNames, file.text(at)) != kGroupNames.end()) return true;
    return false;
  };
  return names_group(variable->type) || names_group(variable->value);
}

// `grid`, `cg::this_grid()`: where it begins. None: it is a part of something else.
TokenIndex object_before(const cu::File& file, TokenIndex dot) {
  TokenIndex at = dot - 1;
  if (file.is(at, ")")) {
    at = file.partner(at);
    if (at == cu::kNoToken || at == 0) return cu::kNoToken;
    --at;
  }
  if (file.tokens()[at].kind != cu::Kind::kName) return cu::kNoToken;
  while (at >= 2 && file.is(at - 1, "::") && file.tokens()[at - 2].kind == cu::Kind::kName) at -= 2;
  if (at > 0 && (file.is(at - 1, ".") || file.is(at - 1, "->") || file.is(at - 1, "::")))
    return cu::kNoToken;
  return at;
}

bool uses_groups(const Tree& tree) {
  return std::ranges::any_of(tree.files, [](const auto& source) {
    return source->cuda() != nullptr && source->cuda()->has(kGroups);
  });
}

// Of numbers of any size, and nothing else: no template parameter, no auto.
bool is_number(const cu::File& file, cu::TokenRange type) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"bool", "char", "const", "double", "float", "int", "int32_t", "int64_t", "long", "short",
       "signed", "size_t", "uint32_t", "uint64_t", "unsigned"});
  static_assert(std::ranges::is_sorted(kWords));
  for (TokenIndex at = type.begin; at < type.end; ++at)
    if (!std::ranges::binary_search(kWords, file.text(at))) return false;
  return !type.empty();
}

bool is_small(const cu::File& file, cu::TokenRange type) {
  for (TokenIndex at = type.begin; at < type.end; ++at)
    if (const std::string_view word = file.text(at);
        word == "bool" || word == "char" || word == "short")
      return true;
  return false;
}

// A number that every lane has set, which HIP's own members take.
bool is_set_number(const cu::File& file, cu::TokenRange value, const Exchange& exchange) {
  if (value.end - value.begin != 1 || !cu::is_name(file, value.begin)) return false;
  const auto variable = cu::declaration_of(file, value.begin);
  if (!variable || variable->is_array || !is_number(file, variable->type)) return false;
  if (!exchange.takes_small && is_small(file, variable->type)) return false;
  const TokenIndex around = file.enclosing(variable->name);
  const bool is_parameter = around != cu::kNoToken && file.is(around, "(");
  return is_parameter || !variable->value.empty();
}

// `tile`, `this->tile`, `state.tile`: where it begins.
TokenIndex variable_before(const cu::File& file, TokenIndex dot) {
  TokenIndex at = dot - 1;
  if (!cu::is_name(file, at)) return cu::kNoToken;
  while (at >= 2 && cu::is_punctuator(file, at - 1, {".", "->", "::"})) {
    if (!cu::is_name(file, at - 2)) return cu::kNoToken;
    at -= 2;
  }
  return at;
}

// HIP's members take numbers only, and let the compiler assume that every lane has set the value.
void exchanges(SourceContext& context, const Exchange& exchange) {
  const cu::File& file = context.file;
  const Name& name = exchange.name;
  if (!file.has(name) || !uses_groups(context.tree)) return;
  const bool is_uncertain = is_own(context, name);
  for (const TokenIndex at : file.occurrences(name)) {
    if (!is_member(file, at) || !file.is(at + 1, "(") || context.are_lanes_settled(at)) continue;
    const std::vector<cu::TokenRange> arguments = file.arguments(at + 1);
    const TokenIndex begin = variable_before(file, at - 1);
    if (arguments.size() != exchange.arguments || begin == cu::kNoToken ||
        is_set_number(file, arguments[0], exchange) ||
        (is_uncertain && !is_declared_as_group(file, begin)))
      continue;
    const Span group = {file.span(begin).begin, file.span(at - 2).end};
    const std::string_view object = file.text().substr(group.begin, group.end - group.begin);
    context.needs.compat = true;
    context.change({group.begin, file.span(at + 1).end},
                   fmt::format("hip_compat::{}({}{}, ", file.text(at),
                               file.is(at - 1, "->") ? "*" : "", object),
                   "HP201",
                   "HIP's member takes only numbers, and only variables that every lane has set");
  }
}

// The block's type in a declaration, or the call that makes the block.
bool names_a_block(const cu::File& file, cu::TokenRange range) {
  for (TokenIndex at = range.begin; at < range.end; ++at)
    if (file.text(at) == "thread_block" || file.text(at) == "this_thread_block") return true;
  return false;
}

// tiled_partition<4>(warp): HIP makes static tiles of blocks only, compat.h of tiles, too.
void tiles_of_tiles(SourceContext& context) {
  const cu::File& file = context.file;
  for (const TokenIndex at : file.occurrences(kPartition)) {
    if (!file.is(at + 1, "<") || context.is_settled(at)) continue;
    TokenIndex open = at + 2;
    while (open + 1 < file.tokens().size() && !file.is(open, "(") && !file.is(open, ";")) ++open;
    const auto arguments =
        file.is(open, "(") ? file.arguments(open) : std::vector<cu::TokenRange>();
    if (arguments.size() != 1 || names_a_block(file, arguments[0])) continue;
    const auto group = arguments[0].end - arguments[0].begin == 1
                           ? cu::declaration_of(file, arguments[0].begin)
                           : std::nullopt;
    if (group && (names_a_block(file, group->type) || names_a_block(file, group->value))) continue;
    context.needs.compat = true;
  }
}

// grid.barrier_arrive(): HIP's groups only wait.
void split_barriers(SourceContext& context) {
  const cu::File& file = context.file;
  for (const Name& name : kSplitBarrier)
    for (const TokenIndex at : file.occurrences(name)) {
      if (!is_member(file, at) || !file.is(at + 1, "(") || context.is_settled(at)) continue;
      const TokenIndex begin = variable_before(file, at - 1);
      if (begin == cu::kNoToken || !is_declared_as_group(file, begin)) continue;
      context.report("HP202", Severity::kError, file.span(at),
                     fmt::format("HIP's groups have no {}()", file.text(at)),
                     "Call sync() of the group where the other threads are awaited.");
    }
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  if (uses_groups(context.tree)) split_barriers(context);
  for (const Exchange& exchange : kExchanges) exchanges(context, exchange);
  tiles_of_tiles(context);
  for (const Member& member : kMembers) {
    if (!file.has(member.name) || !uses_groups(context.tree)) continue;
    const bool is_uncertain = is_own(context, member.name);
    for (const TokenIndex at : file.occurrences(member.name)) {
      if (!is_member(file, at) || !is_empty_call(file, at) || context.is_settled(at)) continue;
      const TokenIndex object = object_before(file, at - 1);
      if (is_uncertain && (object == cu::kNoToken || !is_declared_as_group(file, object))) continue;
      const std::string why = fmt::format("HIP's groups have no {}()", file.text(at));
      if (member.is_member) {
        context.change(file.span(at), std::string(member.becomes), "HP201", why);
        continue;
      }
      const TokenIndex begin = object_before(file, at - 1);
      if (begin == cu::kNoToken) continue;
      context.needs.runtime = true;
      context.change({file.span(begin).begin, file.span(at + 2).end}, std::string(member.becomes),
                     "HP201", why);
    }
  }
}

}  // namespace

Pass group_members() {
  return {.codes = {"HP201", "HP202"},
          .after = {"project_rules", "half_waves", "whole_waves"},
          .before = {"names"},  // which would take a part of the call
          .cuda = apply};
}

}  // namespace hipwright::port::passes
