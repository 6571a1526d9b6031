// SPDX-License-Identifier: MIT
#include "port/source/context.h"

#include <fmt/format.h>

namespace hipwright::port {

namespace cu = syntax::cuda;

bool SourceContext::change(Span span, std::string replacement, CodeId code, std::string reason) {
  return out_.change(
      {.edit = {span, std::move(replacement)}, .code = code, .reason = std::move(reason)});
}

bool SourceContext::rename(cu::TokenIndex name, std::string_view replacement, CodeId code,
                           std::string reason) {
  return out_.change({.edit = {file.span(name), std::string(replacement)},
                      .code = code,
                      .reason = std::move(reason),
                      .is_renaming = true});
}

bool SourceContext::change_neutrally(Span span, std::string replacement, CodeId code,
                                     std::string reason) {
  return out_.change({.edit = {span, std::move(replacement)},
                      .code = code,
                      .reason = std::move(reason),
                      .is_neutral = true});
}

bool SourceContext::use_macro(cu::TokenIndex name, std::string macro, std::string text) {
  return out_.changes.use_macro(file.span(name), std::move(macro), std::move(text));
}

void SourceContext::report(CodeId code, Severity severity, Span span, std::string message,
                           std::string why) {
  out_.report(code, severity, span, std::move(message), std::move(why));
}

bool SourceContext::keep_32_lanes(Span span, std::string replacement, Side side,
                                  std::string reason) {
  if (shares_lanes_with_amd(span, side)) return false;
  needs.compat |= replacement.find("warp32::") != std::string::npos;
  return change(span, std::move(replacement), "HP301", std::move(reason));
}

bool SourceContext::keep_32_lanes(cu::TokenIndex name, std::string_view replacement,
                                  std::string reason) {
  if (shares_lanes_with_amd(file.span(name), Side::kDevice)) return false;
  needs.compat = true;
  return rename(name, replacement, "HP301", std::move(reason));
}

bool SourceContext::shares_lanes_with_amd(Span span, Side side) {
  const AmdSupport::Lanes* lanes =
      side == Side::kHost ? amd.lanes_anywhere() : amd.lanes_beside(source);
  if (lanes == nullptr) return false;
  const LineIndex lines(lanes->file->text());
  report("HP306", Severity::kWarning, span,
         fmt::format("unchanged: {}:{} counts lanes for AMD", lanes->file->path(),
                     lines.position(lanes->span.begin).line),
         "A warp of 32 lanes here would not match it. Use the same number of lanes in both.");
  return true;
}

bool SourceContext::is_settled(cu::TokenIndex token) const {
  return file.compiled(token, cu::Platform::kAmd) == syntax::Truth::kNo &&
         ask_for_amd(file.conditions(token), AskedBy::kAnyone);
}

bool SourceContext::are_lanes_settled(cu::TokenIndex token) const {
  const bool is_of_one = file.compiled(token, cu::Platform::kAmd) == syntax::Truth::kNo ||
                         file.compiled(token, cu::Platform::kNvidia) == syntax::Truth::kNo;
  return is_of_one && ask_for_amd(file.conditions(token), AskedBy::kAnyone);
}

}  // namespace hipwright::port
