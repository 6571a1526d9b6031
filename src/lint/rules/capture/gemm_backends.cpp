// SPDX-License-Identifier: MIT
// Inductor may take its matrix products from libraries that ROCm does not have.
//
// ## What it finds
//
// `max_autotune_gemm_backends` set to a list without ATEN, or with CUTLASS, without a question
// about the platform around it.
//
// ## Why it matters
//
// CUTLASS exists for NVIDIA only; Triton's matrix products are often slower than hipBLASLt's on
// AMD. ATEN is the one that always works: without it compiling fails, or gives the slow kernel.
//
// ## Example
//
// ```python
// torch._inductor.config.max_autotune_gemm_backends = "CUTLASS,TRITON"
// ```
//
// ## Use instead
//
// ```python
// torch._inductor.config.max_autotune_gemm_backends = "ATEN,TRITON"
// ```
//
// ## When it is not a bug
//
// - The setting is made for NVIDIA alone.
#include "lint/python/around.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kBackends("max_autotune_gemm_backends");

void find(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_nvidia_specific) return;
  for (const TokenIndex at : file.occurrences(kBackends)) {
    if (!file.is(at + 1, "=") || file.tokens()[at + 2].kind != Kind::kString) continue;
    const std::string list = file.string_value(at + 2);
    const bool has_aten = list.find("ATEN") != std::string::npos;
    const bool has_cutlass = list.find("CUTLASS") != std::string::npos;
    const StatementIndex index = file.statement_at(at);
    if ((has_aten && !has_cutlass) || index == kNoStatement) continue;
    if (file.runs_on_rocm(index) == Truth::kNo) continue;
    if (mentions(file, Scope(file, index), platform_questions())) continue;
    check.report(file.span(at + 2), Confidence::kMedium,
                 has_cutlass ? "CUTLASS exists for NVIDIA only"
                             : "without ATEN there is no hipBLASLt on ROCm: name it first");
  }
}

}  // namespace

Rule gemm_backends() {
  return {.code = "HW613",
          .name = "gemm-backends",
          .summary = "matrix products from libraries that ROCm does not have",
          .triggers = {kBackends},
          .python = find};
}

}  // namespace hipwright::lint::rules
