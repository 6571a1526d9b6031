// SPDX-License-Identifier: MIT
#include "port/source/context.h"

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

void SourceContext::report(CodeId code, Severity severity, Span span, std::string message,
                           std::string why) {
  out_.report(code, severity, span, std::move(message), std::move(why));
}

bool SourceContext::is_settled(cu::TokenIndex token) const {
  return file.compiled(token, cu::Platform::kAmd) == syntax::Truth::kNo && asks_for_amd(token);
}

bool SourceContext::are_lanes_settled(cu::TokenIndex token) const {
  const bool is_of_one = file.compiled(token, cu::Platform::kAmd) == syntax::Truth::kNo ||
                         file.compiled(token, cu::Platform::kNvidia) == syntax::Truth::kNo;
  return is_of_one && asks_for_amd(token);
}

bool SourceContext::asks_for_amd(cu::TokenIndex token) const {
  for (const std::string& condition : file.conditions(token))
    for (const std::string_view word : {"ROCM", "HIP", "AMD"})
      if (condition.find(word) != std::string::npos) return true;
  return false;
}

}  // namespace hipwright::port
