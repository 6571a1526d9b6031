// SPDX-License-Identifier: MIT
// Names of CUDA that are made while preprocessing: cuda##name, CAT(cuda, Malloc), __shfl_##x. They
// are not in the text, so that nobody can exchange them.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/source/parts.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

// What names of CUDA begin with, alone.
bool is_beginning(std::string_view text) {
  static constexpr std::array<std::string_view, 14> kWords = {
      "cuda",     "cu",    "cublas", "cublasLt", "cufft", "curand", "cusparse",
      "cusolver", "cudnn", "nccl",   "nvrtc",    "CUDA",  "CUBLAS", "CUDNN"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

// Functions of a warp, which HIP has with other masks.
bool is_of_a_warp(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kWords = {"__shfl", "__ballot", "__any",
                                                             "__all",  "__match",  "__reduce"};
  return text == "_sync" || std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
           return text.starts_with(word);
         });
}

bool is_part(const cu::File& file, cu::TokenIndex token) {
  if (token >= file.tokens().size() || file.tokens()[token].kind != cu::Kind::kName) return false;
  const std::string_view text = file.text(token);
  return is_beginning(text) || is_of_a_warp(text) || looks_like_cuda(text);
}

void look_at_definition(SourceContext& context, cu::TokenIndex at) {
  const cu::File& file = context.file;
  if (!is_part(file, at - 1) && !is_part(file, at + 1)) return;
  const bool was_told = at >= 3 && file.is(at - 2, "##") && is_part(file, at - 3);
  if (was_told) return;
  context.tell("HP205", Severity::kError, {file.span(at - 1).begin, file.span(at + 1).end},
               "this macro makes a name of CUDA out of parts, which is not translated",
               "Write the HIP names beside it, or list the names that it makes.");
}

// CAT(cuda, Malloc): the macro pastes what it is given.
void look_at_use(SourceContext& context, cu::TokenIndex at) {
  const cu::File& file = context.file;
  for (const cu::TokenRange& argument : file.arguments(at + 1)) {
    if (argument.end != argument.begin + 1) continue;
    const std::string_view text = file.text(argument.begin);
    if (!is_beginning(text) && !(is_of_a_warp(text) && api::find(text) == nullptr)) continue;
    context.tell("HP205", Severity::kError, {file.span(at).begin, file.span(argument).end},
                 fmt::format("{} makes a name of CUDA that begins with {}, which is not translated",
                             file.text(at), text),
                 "Write the name that it makes, and HIP's beside it under an #if.");
    return;
  }
}

}  // namespace

void tell_pasting(SourceContext& context) {
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
      context.tell("HP205", Severity::kNote, file.span(at),
                   fmt::format("{} makes a name of CUDA here: see its definition", file.text(at)));
    else if (file.is(at + 1, "("))
      look_at_use(context, at);
  }
}

void PastingMacros::read(const cu::File& file) {
  for (const cu::Macro& macro : file.macros()) {
    if (!macro.is_function && macro.body.empty()) continue;
    bool pastes = false, of_cuda = false;
    for (cu::TokenIndex at = macro.body.begin; at < macro.body.end; ++at) {
      if (file.tokens()[at].kind == cu::Kind::kPunct && file.tokens()[at].id == cu::punct("##")) {
        pastes = true;
        of_cuda |= is_part(file, at - 1) || is_part(file, at + 1);
      } else if (macro.is_function && file.tokens()[at].kind == cu::Kind::kName &&
                 at + 1 < macro.body.end && file.is(at + 1, "(")) {
        calls_[file.text(macro.name)].push_back(file.text(at));
      }
    }
    if (pastes && macro.is_function)
      kinds_[file.text(macro.name)] = of_cuda ? Kind::kOfCuda : Kind::kAny;
  }
}

// CAT(a, b) that calls CAT_(a, b) pastes, too.
void PastingMacros::finish() {
  for (int step = 0; step < 4; ++step)
    for (const auto& [name, calls] : calls_)
      if (!kinds_.contains(name))
        for (const std::string_view called : calls)
          if (const auto known = kinds_.find(called); known != kinds_.end()) {
            kinds_.emplace(name, known->second);
            break;
          }
  calls_.clear();
  for (const auto& [name, kind] : kinds_) filter_.set(mark_of(name));
}

}  // namespace hipwright::port
