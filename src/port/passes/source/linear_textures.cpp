// SPDX-License-Identifier: MIT
// Textures over linear memory. Compute GPUs (MI300, MI350) have no texture instructions, but
// tex1Dfetch reads plain memory, which can be loaded directly.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const Name kTexture("texture"), kObject("cudaTextureObject_t"), kObjectClass("cudaTextureObject"),
    kFetch("tex1Dfetch");

// What needs arrays, filters or coordinates.
const std::array kOthers = {Name("tex1D"),
                            Name("tex1DLod"),
                            Name("tex1DGrad"),
                            Name("tex1DLayered"),
                            Name("tex2D"),
                            Name("tex2DLod"),
                            Name("tex2DGrad"),
                            Name("tex2DLayered"),
                            Name("tex2Dgather"),
                            Name("tex3D"),
                            Name("tex3DLod"),
                            Name("tex3DGrad"),
                            Name("texCubemap"),
                            Name("texCubemapLayered"),
                            Name("cudaBindTexture2D"),
                            Name("cudaBindTextureToArray"),
                            Name("cudaBindTextureToMipmappedArray"),
                            Name("cudaGetTextureReference")};

// Names near a use of these: what it is about is among them. Other files are read without asking
// for their brackets, which others may be making just now.
constexpr cu::TokenIndex kNear = 12;

bool is_used_otherwise(const Tree& tree, const std::vector<bool>& read, std::string_view texture) {
  for (std::size_t i = 0; i < tree.files.size(); ++i) {
    if (!read[i] || tree.files[i]->cuda() == nullptr) continue;
    const cu::File& file = *tree.files[i]->cuda();
    for (const Name& name : kOthers)
      for (const cu::TokenIndex at : file.occurrences(name))
        for (cu::TokenIndex near = at + 1; near < at + kNear && near < file.tokens().size(); ++near)
          if (file.text(near) == texture) return true;
  }
  return false;
}

bool is_linear_everywhere(const Tree& tree) {
  bool fetches = false;
  for (const auto& source : tree.files) {
    if (source->cuda() == nullptr) continue;
    const cu::File& file = *source->cuda();
    fetches |= file.has(kFetch);
    const auto has = [&](const Name& name) { return file.has(name); };
    if (std::ranges::any_of(kOthers, has)) return false;
  }
  return fetches;
}

// texture<float4, 1, cudaReadModeElementType> name;
void reference(SourceContext& context, const std::vector<bool>& read, cu::TokenIndex at) {
  const cu::File& file = context.file;
  if (!file.is(at + 1, "<") || context.is_settled(at)) return;
  std::vector<std::string> arguments(1);
  cu::TokenIndex end = at + 2;
  for (int depth = 1; end < file.tokens().size() && end < at + 32; ++end) {
    if (file.is(end, ";") || file.is(end, "(")) return;
    if (file.is(end, "<")) ++depth;
    if (file.is(end, ">") && --depth == 0) break;
    if (file.is(end, ",") && depth == 1) {
      arguments.emplace_back();
      continue;
    }
    if (!arguments.back().empty()) arguments.back() += ' ';
    arguments.back() += file.text(end);
  }
  const cu::TokenIndex name = end + 1;
  if (!file.is(end, ">") || name + 1 >= file.tokens().size() || !file.is(name + 1, ";")) return;
  if (file.tokens()[name].kind != cu::Kind::kName) return;
  if (arguments.size() > 1 && arguments[1] != "1" && arguments[1] != "cudaTextureType1D") return;
  if (arguments.size() > 2 && arguments[2] != "cudaReadModeElementType") return;
  if (is_used_otherwise(context.tree, read, file.text(name))) return;
  context.needs.compat = true;
  context.change({file.span(at).begin, file.span(end).end},
                 fmt::format("__device__ hip_compat::linear_texture<{}>", arguments[0]), "HP216",
                 "its elements are loaded from the bound memory");
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  if (file.has(kTexture)) {
    const std::vector<bool> read = context.own.graph().read_together(context.source);
    for (const cu::TokenIndex at : file.occurrences(kTexture))
      if (!context.own.has("texture", context.source, at)) reference(context, read, at);
  }
  if ((!file.has(kObject) && !file.has(kObjectClass)) || !is_linear_everywhere(context.tree))
    return;
  for (const cu::TokenIndex at : file.occurrences(kObject)) {
    if (context.is_settled(at) || context.own.has("cudaTextureObject_t", context.source, at))
      continue;
    context.needs.compat = true;
    context.rename(at, "hip_compat::linear_texture_object", "HP216",
                   "its elements are loaded from memory");
  }
}

}  // namespace

Pass linear_textures() {
  return {.codes = {"HP216"}, .after = {"project_rules"}, .before = {"names"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
