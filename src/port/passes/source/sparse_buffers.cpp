// SPDX-License-Identifier: MIT
// hipsparseSpSM_solve takes the buffer of the analysis again; cuSPARSE remembers it.
#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const Name kSolve("cusparseSpSM_solve"), kAnalysis("cusparseSpSM_analysis");
constexpr std::size_t kDescriptor = 9, kBuffer = 10;  // of their arguments

// The buffer of the last analysis before it, of the same descriptor and in the same function.
std::string_view buffer_before(const cu::File& file, cu::TokenIndex solve,
                               std::string_view descriptor) {
  std::string_view buffer;
  for (const cu::TokenIndex at : file.occurrences(kAnalysis)) {
    if (at > solve || file.function_at(at) != file.function_at(solve)) continue;
    if (!file.is(at + 1, "(")) continue;
    const auto arguments = file.arguments(at + 1);
    if (arguments.size() == kBuffer + 1 && file.text(arguments[kDescriptor]) == descriptor)
      buffer = file.text(arguments[kBuffer]);
  }
  return buffer;
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  for (const cu::TokenIndex at : file.occurrences(kSolve)) {
    if (!file.is(at + 1, "(") || file.partner(at + 1) == cu::kNoToken || context.is_settled(at))
      continue;
    const auto arguments = file.arguments(at + 1);
    if (arguments.size() != kDescriptor + 1) continue;
    const std::string_view buffer = buffer_before(file, at, file.text(arguments[kDescriptor]));
    const std::size_t end = file.span(file.partner(at + 1)).begin;
    if (buffer.empty())
      context.report("HP207", Severity::kError, file.span(at),
                     "hipsparseSpSM_solve takes the buffer of hipsparseSpSM_analysis as its last "
                     "argument",
                     "No analysis of this descriptor is in this function: pass the buffer along.");
    else
      context.change({end, end}, fmt::format(", {}", buffer), "HP207",
                     "hipsparseSpSM_solve takes the buffer of the analysis");
  }
}

}  // namespace

Pass sparse_buffers() {
  return {.codes = {"HP207"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
