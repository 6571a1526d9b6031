// SPDX-License-Identifier: MIT
// CUDA names that the preprocessor makes: cuda##name, CAT(cuda, Malloc), __shfl_##x. They do not
// stand in the text, so that no pass can translate them.
#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;

namespace {

void look_at_definition(SourceContext& context, cu::TokenIndex at) {
  const cu::File& file = context.file;
  if (!is_part_of_cuda_name(file, at - 1) && !is_part_of_cuda_name(file, at + 1)) return;
  const bool was_reported = at >= 3 && file.is(at - 2, "##") && is_part_of_cuda_name(file, at - 3);
  if (was_reported) return;
  context.report("HP205", Severity::kError, {file.span(at - 1).begin, file.span(at + 1).end},
                 "this macro assembles a CUDA name, which is not translated",
                 "Add the HIP names, or write out the names that it forms.");
}

// CAT(cuda, Malloc): the macro pastes what it is given.
void look_at_use(SourceContext& context, cu::TokenIndex at) {
  const cu::File& file = context.file;
  for (const cu::TokenRange& argument : file.arguments(at + 1)) {
    if (argument.end != argument.begin + 1) continue;
    const std::string_view text = file.text(argument.begin);
    if (!begins_cuda_name(text) && !(begins_warp_function(text) && api::find(text) == nullptr))
      continue;
    context.report(
        "HP205", Severity::kError, {file.span(at).begin, file.span(argument).end},
        fmt::format("{} assembles a CUDA name that starts with {}, which is not translated",
                    file.text(at), text),
        "Write out the name, with its HIP counterpart under an #if.");
    return;
  }
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind == cu::Kind::kPunct) {
      if (tokens[at].id == cu::punct("##") && at > 0 && !context.is_settled(at))
        look_at_definition(context, at);
      continue;
    }
    if (tokens[at].kind != cu::Kind::kName || at + 1 >= tokens.size()) continue;
    const PastingMacros::Kind kind = context.own.pasting().kind(file.text(at));
    if (kind == PastingMacros::Kind::kNone || context.is_settled(at)) continue;
    const bool is_defined = at >= 2 && file.text(at - 1) == "define" && file.is(at - 2, "#");
    if (is_defined) continue;
    if (kind == PastingMacros::Kind::kOfCuda)
      context.report(
          "HP205", Severity::kNote, file.span(at),
          fmt::format("{} assembles a CUDA name here; see its definition", file.text(at)));
    else if (file.is(at + 1, "("))
      look_at_use(context, at);
  }
}

}  // namespace

Pass pasted_names() {
  return {.codes = {"HP205"}, .after = {"names"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
