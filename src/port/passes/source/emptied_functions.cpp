// SPDX-License-Identifier: MIT
// Functions whose work is under a test that 700, the number for AMD GPUs, fails.
#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "syntax/cuda/arch_conditions.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const Name kArch("__CUDA_ARCH__");

// The ported file's view of __CUDA_ARCH__.
constexpr std::string_view kNumber =
    "#if __HIP_DEVICE_COMPILE__\n#define __CUDA_ARCH__ 700\n#endif\n";

constexpr const char* kAdvice =
    "AMD GPUs count as 700 (Volta). If they can run the code, name them in the test with "
    "defined(__HIP_DEVICE_COMPILE__); if not, write a branch for them, or do not call the "
    "function.";

void apply(SourceContext& context) {
  if (!context.file.has(kArch)) return;
  const std::string text = std::string(kNumber) + std::string(context.file.text());
  const cu::File file(text);
  for (const cu::HiddenCode& hidden : cu::code_hidden_from_amd(file)) {
    Span place = file.span(hidden.group.place());
    place.begin -= kNumber.size();
    place.end -= kNumber.size();
    // Both files have the same tokens, but for those in front.
    const auto shift =
        static_cast<cu::TokenIndex>(file.tokens().size() - context.file.tokens().size());
    if (context.is_settled(hidden.group.lines.begin - shift)) continue;
    context.report("HP218", Severity::kError, place,
                   fmt::format("{} {} on AMD: no AMD GPU passes this architecture test",
                               file.text(hidden.function->name), to_string(hidden.effect)),
                   kAdvice);
  }
}

}  // namespace

Pass emptied_functions() {
  return {.codes = {"HP218"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
