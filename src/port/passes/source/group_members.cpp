// SPDX-License-Identifier: MIT
// Members that CUDA's cooperative groups have and HIP's have not, or under an older name.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using syntax::Name;

namespace {

const Name kGroups("cooperative_groups");

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

bool is_empty_call(const cu::File& file, TokenIndex at) {
  return at + 2 < file.tokens().size() && file.is(at + 1, "(") && file.is(at + 2, ")");
}
bool is_member(const cu::File& file, TokenIndex at) {
  return at > 1 && (file.is(at - 1, ".") || file.is(at - 1, "->"));
}

// One of the project's own has such a function, and its objects may be meant.
bool is_own(const Tree& tree, const Name& name) {
  return std::ranges::any_of(tree.files, [&](const auto& source) {
    const cu::File* file = source->cuda();
    return file != nullptr && std::ranges::any_of(file->occurrences(name), [&](TokenIndex at) {
             return !is_member(*file, at) && at + 1 < file->tokens().size() &&
                    file->is(at + 1, "(");
           });
  });
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

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  for (const Member& member : kMembers) {
    if (!file.has(member.name) || !uses_groups(context.tree) || is_own(context.tree, member.name))
      continue;
    for (const TokenIndex at : file.occurrences(member.name)) {
      if (!is_member(file, at) || !is_empty_call(file, at) || context.is_settled(at)) continue;
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
  return {.codes = {"HP201"},
          .after = {"project_rules", "half_waves", "whole_waves"},
          .before = {"names"},  // which would take a part of the call
          .cuda = apply};
}

}  // namespace hipwright::port::passes
