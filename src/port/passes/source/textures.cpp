// SPDX-License-Identifier: MIT
// Textures and surfaces need instructions that AMD's compute GPUs lack.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/counted.h"
#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const Name kFetch("tex1Dfetch"), kObject("cudaTextureObject_t");

const auto kAccesses = std::to_array<Name>({Name("tex1D"),
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
                                            Name("surf1Dread"),
                                            Name("surf1Dwrite"),
                                            Name("surf2Dread"),
                                            Name("surf2Dwrite"),
                                            Name("surf2DLayeredread"),
                                            Name("surf2DLayeredwrite"),
                                            Name("surf3Dread"),
                                            Name("surf3Dwrite"),
                                            Name("surfCubemapread"),
                                            Name("surfCubemapwrite")});

bool is_access(const SourceContext& context, cu::TokenIndex at) {
  const cu::File& file = context.file;
  return (file.is(at + 1, "(") || file.is(at + 1, "<")) && !context.is_settled(at) &&
         !context.own.has(file.text(at), context.source, at);
}

// Did linear_textures make the texture objects of the file plain memory, if it has some?
bool are_objects_memory(const SourceContext& context) {
  return !context.file.has(kObject) ||
         std::ranges::any_of(context.changes().list(), [](const Change& change) {
           return change.edit.replacement.find("linear_texture") != std::string::npos;
         });
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  std::size_t count = 0;
  cu::TokenIndex first = cu::kNoToken;
  for (const Name& name : kAccesses)
    for (const cu::TokenIndex at : file.occurrences(name))
      if (is_access(context, at)) {
        ++count;
        first = std::min(first, at);
      }
  if (!are_objects_memory(context))
    for (const cu::TokenIndex at : file.occurrences(kFetch))
      if (is_access(context, at)) {
        ++count;
        first = std::min(first, at);
      }
  if (count == 0) return;
  context.report("HP225", Severity::kWarning, file.span(first),
                 fmt::format("{} of textures or surfaces: AMD's compute GPUs from MI300 on have no "
                             "texture instructions",
                             counted(count, "use")),
                 "The file does not compile for them; it does for RDNA GPUs. Read the data from "
                 "ordinary memory there.");
}

}  // namespace

Pass textures() {
  return {.codes = {"HP225"}, .after = {"linear_textures"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
