// SPDX-License-Identifier: MIT
// Libraries have warps, too. CUB's have 32 lanes by default, hipCUB's as many as a wave;
// coalesced groups have up to 64 threads on AMD GPUs.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/words.h"
#include "port/wave/half_wave.h"
#include "syntax/cuda/values.h"

namespace hipwright::port {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;

namespace {

// Which template argument is the number of lanes, and what stands between the last one that must
// be given and it.
struct WarpClass {
  syntax::Name name;
  std::size_t place;
  std::string_view before;
};
const std::array<WarpClass, 6> kClasses = {
    {{syntax::Name("WarpReduce"), 1, {}},
     {syntax::Name("WarpScan"), 1, {}},
     {syntax::Name("WarpExchange"), 2, {}},
     {syntax::Name("WarpMergeSort"), 2, {}},
     {syntax::Name("WarpLoad"), 3, "hipcub::WARP_LOAD_DIRECT"},
     {syntax::Name("WarpStore"), 3, "hipcub::WARP_STORE_DIRECT"}}};

const syntax::Name kCoalesced("coalesced_threads");
const syntax::Name kCub("cub"), kLaneId("LaneId"), kWarpId("WarpId"),
    kThreads("CUB_PTX_WARP_THREADS"), kLogThreads("CUB_PTX_LOG_WARP_THREADS"),
    kThreadsOf("CUB_WARP_THREADS"), kLogThreadsOf("CUB_LOG_WARP_THREADS");

// The > that closes these template arguments, and the arguments.
struct Arguments {
  std::size_t end;
  std::vector<Span> each;
};
std::optional<Arguments> template_arguments(const cu::File& file, TokenIndex less) {
  int depth = 0;
  Arguments found;
  std::size_t begin = file.span(less).end;
  const auto finish = [&](std::size_t end) {
    found.each.push_back({begin, end});
    found.end = end;
  };
  for (TokenIndex at = less; at < file.tokens().size() && at - less < 128; ++at) {
    if (file.is(at, "<")) ++depth;
    if (file.is(at, ">") && --depth == 0) {
      finish(file.span(at).begin);
      return found;
    }
    if (file.is(at, ">>")) {
      if (depth == 2) {
        finish(file.span(at).begin + 1);
        return found;
      }
      if (depth == 1) return std::nullopt;
      depth -= 2;
    }
    if (file.is(at, ",") && depth == 1) {
      finish(file.span(at).begin);
      begin = file.span(at).end;
    }
    if (cu::is_punctuator(file, at, {"(", "[", "{"})) {
      const TokenIndex close = file.partner(at);
      if (close == cu::kNoToken || close < at) return std::nullopt;
      at = close;
    }
    if (cu::is_punctuator(file, at, {";", "}"})) return std::nullopt;
  }
  return std::nullopt;
}

bool is_of_cub(const cu::File& file, TokenIndex at) {
  if (at >= 2 && file.is(at - 1, "::")) return file.text(at - 2) == "cub";
  if (at == 0 || file.is(at - 1, ".") || file.is(at - 1, "->")) return false;
  const std::string_view before = file.text(at - 1);
  if (before == "struct" || before == "class") return false;
  const auto places = file.occurrences(kCub);
  return std::any_of(places.begin(), places.end(), [&](TokenIndex cub) {
    return cub >= 2 && file.text(cub - 1) == "namespace" && file.text(cub - 2) == "using";
  });
}

void keep(SourceContext& context, Span span, std::string text) {
  context.keep_32_lanes(span, std::move(text), SourceContext::Side::kDevice,
                        std::string(kWarpOf32));
}

void cub_classes(SourceContext& context) {
  const cu::File& file = context.file;
  for (const WarpClass& each : kClasses) {
    for (const TokenIndex at : file.occurrences(each.name)) {
      if (!file.is(at + 1, "<") || !is_of_cub(file, at) || context.are_lanes_settled(at) ||
          context.own.has(file.text(at), context.source, at))
        continue;
      const auto given = template_arguments(file, at + 1);
      if (!given) {
        context.report("HP304", Severity::kWarning, file.span(at),
                       fmt::format("hipCUB's {} uses the wave size; pass 32", file.text(at)));
        continue;
      }
      if (given->each.size() > each.place) continue;
      std::string text = ", ";
      if (given->each.size() < each.place && !each.before.empty())
        text += fmt::format("{}, ", each.before);
      keep(context, {given->end, given->end}, text + "32");
    }
  }
}

// BlockLoad and BlockStore can transpose within warps. rocPRIM's do so within waves, and refuse a
// block that is not a multiple of one; transposing within the block gives the same items.
struct Transposing {
  syntax::Name name;
  std::array<std::string_view, 2> within_warps;
  std::string_view within_block;
};
const std::array<Transposing, 2> kTransposing = {
    {{syntax::Name("BlockLoad"),
      {"BLOCK_LOAD_WARP_TRANSPOSE", "BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED"},
      "BLOCK_LOAD_TRANSPOSE"},
     {syntax::Name("BlockStore"),
      {"BLOCK_STORE_WARP_TRANSPOSE", "BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED"},
      "BLOCK_STORE_TRANSPOSE"}}};
constexpr std::size_t kThreadsPlace = 1, kMethodPlace = 3, kOtherDimensions = 4;

void transposing_classes(SourceContext& context) {
  const cu::File& file = context.file;
  for (const Transposing& each : kTransposing) {
    for (const TokenIndex at : file.occurrences(each.name)) {
      if (!file.is(at + 1, "<") || !is_of_cub(file, at) || context.are_lanes_settled(at) ||
          context.own.has(file.text(at), context.source, at))
        continue;
      const auto given = template_arguments(file, at + 1);
      if (!given || given->each.size() <= kMethodPlace) continue;
      const auto argument = [&](std::size_t place) {
        const Span span = given->each[place];
        return trimmed(file.text().substr(span.begin, span.end - span.begin));
      };
      const std::string_view method = argument(kMethodPlace);
      const std::size_t colons = method.rfind("::");
      const std::string_view scope =
          colons == std::string_view::npos ? "" : method.substr(0, colons + 2);
      if (std::ranges::find(each.within_warps, method.substr(scope.size())) ==
          each.within_warps.end())
        continue;
      const auto translated = [&](std::size_t place) {
        const std::string text = context.changes().text_of(file.text(), given->each[place]);
        return fmt::format("({})", trimmed(text));
      };
      std::string threads = translated(kThreadsPlace);
      for (std::size_t i = kOtherDimensions; i < std::min<std::size_t>(given->each.size(), 6); ++i)
        threads += " * " + translated(i);
      // The scope was renamed with the other names: this is no longer a CUDA name.
      const std::string_view of = scope.empty() ? "" : "hipcub::";
      context.keep_32_lanes(
          given->each[kMethodPlace],
          fmt::format(" ({} % 64 == 0 ? {}{} : {}{})", threads, of, method.substr(scope.size()), of,
                      each.within_block),
          SourceContext::Side::kDevice,
          "rocPRIM transposes within waves, so the block size must be a multiple of the wave size");
    }
  }
}

// cub::LaneId(): with its scope.
Span qualified(const cu::File& file, TokenIndex at) {
  TokenIndex begin = at;
  while (begin >= 2 && file.is(begin - 1, "::") && cu::is_name(file, begin - 2)) begin -= 2;
  if (begin >= 1 && file.is(begin - 1, "::")) --begin;
  return {file.span(begin).begin, file.span(at).end};
}

void calls(SourceContext& context, const syntax::Name& name, bool is_cub,
           std::string_view becomes) {
  const cu::File& file = context.file;
  for (const TokenIndex at : file.occurrences(name)) {
    if (!file.is(at + 1, "(") || context.are_lanes_settled(at) ||
        context.own.has(file.text(at), context.source, at) || (is_cub && !is_of_cub(file, at)))
      continue;
    if (at > 0 && (file.is(at - 1, ".") || file.is(at - 1, "->"))) continue;
    keep(context, qualified(file, at), std::string(becomes));
  }
}

void constants(SourceContext& context, const syntax::Name& name, bool has_argument,
               std::string_view value) {
  const cu::File& file = context.file;
  for (const TokenIndex at : file.occurrences(name)) {
    if (context.are_lanes_settled(at) || context.own.has(file.text(at), context.source, at))
      continue;
    TokenIndex end = at;
    if (has_argument) {
      if (!file.is(at + 1, "(") || file.partner(at + 1) == cu::kNoToken) continue;
      end = file.partner(at + 1);
    }
    keep(context, {file.span(at).begin, file.span(end).end}, std::string(value));
  }
}

}  // namespace

void keep_groups_of_32(SourceContext& context) {
  calls(context, kCoalesced, false, "warp32::coalesced_threads");
  if (!context.file.has(kCub) && !context.file.has(kThreads) && !context.file.has(kThreadsOf))
    return;
  cub_classes(context);
  transposing_classes(context);
  calls(context, kLaneId, true, "warp32::lane");
  calls(context, kWarpId, true, "warp32::number");
  constants(context, kThreads, false, "32");
  constants(context, kLogThreads, false, "5");
  constants(context, kThreadsOf, true, "32");
  constants(context, kLogThreadsOf, true, "5");
}

}  // namespace hipwright::port
