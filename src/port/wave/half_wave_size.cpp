// SPDX-License-Identifier: MIT
// Makes every query of the warp size return 32: a kernel that gets 64 from one query and 32 from
// another is wrong.
#include <algorithm>

#include <fmt/format.h>

#include "port/wave/half_wave.h"
#include "port/wave/whole_wave.h"
#include "syntax/cuda/values.h"

namespace hipwright::port {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using Side = SourceContext::Side;

namespace {

const syntax::Name kWarpSize("warpSize");
const syntax::Name kAttributes[] = {syntax::Name("cudaDevAttrWarpSize"),
                                    syntax::Name("CU_DEVICE_ATTRIBUTE_WARP_SIZE")};

// prop.warpSize, devices[i].warpSize: its first token.
TokenIndex object_begin(const cu::File& file, TokenIndex member) {
  TokenIndex at = member;
  while (at >= 2 && (file.is(at - 1, ".") || file.is(at - 1, "->"))) {
    at -= 2;
    while (at > 0 && (file.is(at, "]") || file.is(at, ")")) && file.partner(at) != cu::kNoToken) {
      at = file.partner(at);
      if (at > 0 && file.tokens()[at - 1].kind == cu::Kind::kName) --at;
    }
  }
  return at;
}

bool is_member(const cu::File& file, TokenIndex at) {
  return at > 0 && (file.is(at - 1, ".") || file.is(at - 1, "->"));
}

// In a structure, not in a namespace.
bool is_in_structure(const cu::File& file, TokenIndex at) {
  const TokenIndex open = file.enclosing(at);
  if (open == cu::kNoToken) return false;
  for (TokenIndex word = open; word > 0 && open - word < 12; --word) {
    const std::string_view text = file.text(word - 1);
    if (text == "struct" || text == "class" || text == "union") return true;
    if (text == "namespace" || text == ";" || text == "}") return false;
  }
  return false;
}

// Where the file declares variables of this name, other than members.
std::vector<TokenIndex> own_sizes(const cu::File& file) {
  std::vector<TokenIndex> found;
  for (const TokenIndex at : file.occurrences(kWarpSize))
    if (!is_member(file, at) && cu::declared_at(file, at) &&
        (file.function_at(at) != nullptr || !is_in_structure(file, at)))
      found.push_back(at);
  return found;
}

// A variable of this name in the function or the file.
bool is_own(const cu::File& file, const std::vector<TokenIndex>& own, TokenIndex use) {
  const cu::Function* function = file.function_at(use);
  return std::ranges::any_of(own, [&](TokenIndex at) {
    const cu::Function* place = file.function_at(at);
    return place == nullptr || (place == function && at <= use);
  });
}

// Does the project have a structure with a member of that name?
bool has_own_member(const Tree& tree) {
  for (const auto& source : tree.files) {
    const cu::File* file = source->cuda();
    if (file == nullptr) continue;
    for (const TokenIndex at : file->occurrences(kWarpSize))
      if (file->function_at(at) == nullptr && !is_member(*file, at) &&
          (file->tokens()[at].flags & cu::kInDirective) == 0 && is_in_structure(*file, at) &&
          cu::declared_at(*file, at))
        return true;
  }
  return false;
}

bool is_property(const cu::File& file, TokenIndex member) {
  const auto variable = cu::declaration_of(file, object_begin(file, member));
  return variable && file.text(variable->type).find("DeviceProp") != std::string_view::npos;
}

// cudaDeviceGetAttribute(&size, cudaDevAttrWarpSize, device)
void attribute(SourceContext& context, TokenIndex at) {
  const cu::File& file = context.file;
  const TokenIndex open = file.enclosing(at);
  const bool is_call = open != cu::kNoToken && open > 0 && file.is(open, "(") &&
                       (file.text(open - 1) == "cudaDeviceGetAttribute" ||
                        file.text(open - 1) == "cuDeviceGetAttribute");
  if (is_call && file.partner(open) != cu::kNoToken) {
    const auto arguments = file.arguments(open);
    if (arguments.size() == 3 && arguments[1].begin == at && arguments[1].end == at + 1) {
      const std::string_view into = file.text(arguments[0]);
      const Span call = {file.span(open - 1).begin, file.span(file.partner(open)).end};
      if (context.keep_32_lanes(call, fmt::format("(*({}) = 32, hipSuccess)", into), Side::kHost,
                                std::string(kWarpOf32)))
        context.needs.runtime = true;
      return;
    }
  }
  if (context.shares_lanes_with_amd(file.span(at), Side::kHost)) return;
  context.report(
      "HP304", Severity::kWarning, file.span(at),
      fmt::format("{} is 64 on GPUs with 64-lane waves, but this program's warps have 32 lanes",
                  file.text(at)));
}

}  // namespace

bool keeps_warps_of_32(const SourceContext& context) {
  const Waves::Decision* decision =
      context.waves == nullptr ? nullptr : context.waves->of(context.source);
  const bool is_native = decision != nullptr && decision->is_native &&
                         context.amd.lanes_beside(context.source) == nullptr;
  return !is_native && !is_for_waves(context.file);
}

void keep_size_of_32(SourceContext& context) {
  const cu::File& file = context.file;
  for (const syntax::Name& name : kAttributes)
    for (const TokenIndex at : file.occurrences(name))
      if (!context.are_lanes_settled(at)) attribute(context, at);
  if (!file.has(kWarpSize)) return;
  const bool has_members = has_own_member(context.tree);
  const std::vector<TokenIndex> own = own_sizes(file);
  for (const TokenIndex at : file.occurrences(kWarpSize)) {
    const auto flags = file.tokens()[at].flags;
    const bool is_in_macro = (flags & cu::kInMacroBody) != 0;
    if ((flags & cu::kInDirective) != 0 && !is_in_macro) continue;
    if (context.own.has(file.text(at), context.source, at) || context.are_lanes_settled(at))
      continue;
    if (is_member(file, at)) {
      if (has_members && !is_property(file, at)) continue;
      context.keep_32_lanes({file.span(object_begin(file, at)).begin, file.span(at).end}, "32",
                            Side::kHost, std::string(kWarpOf32));
    } else if ((is_in_macro || file.function_at(at) != nullptr) && !is_own(file, own, at) &&
               !(at > 0 && file.is(at - 1, "::"))) {
      context.keep_32_lanes(at, "warp32::size", std::string(kWarpOf32));
    }
  }
}

}  // namespace hipwright::port
