// SPDX-License-Identifier: MIT
// Inductor is configured to use GEMM libraries that ROCm lacks.
//
// ## What it finds
//
// `max_autotune_gemm_backends` set to a list without ATEN or with CUTLASS, without a platform check
// around it: as an attribute, in the options of `torch.compile`, or as
// `TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS`.
//
// ## Why it matters
//
// CUTLASS is NVIDIA-only, and Triton's GEMMs are often slower than hipBLASLt's on AMD. ATEN always
// works: without it, compilation fails or selects the slow kernel.
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
// - The setting applies to NVIDIA only.
#include <array>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kBackends("max_autotune_gemm_backends");
constexpr std::array<std::string_view, 2> kKeys = {"max_autotune_gemm_backends",
                                                   "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS"};

void look_at(PythonCheck& check, TokenIndex value) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(value);
  if (index == kNoStatement || file.tokens()[value].kind != Kind::kString) return;
  const std::string list = file.string_value(value);
  const bool has_aten = list.find("ATEN") != std::string::npos;
  const bool has_cutlass = list.find("CUTLASS") != std::string::npos;
  if ((has_aten && !has_cutlass) || file.runs_on_rocm(index) == Truth::kNo) return;
  if (mentions(file, FunctionScope(file, index), platform_questions())) return;
  check.report(file.span(value), Confidence::kMedium,
               has_cutlass ? "CUTLASS is NVIDIA-only"
                           : "without ATEN, ROCm cannot use hipBLASLt; list ATEN first");
}

// The value of the key at `at`: ["key"] = value, {"key": value}, setdefault("key", value)
TokenIndex value_of_key(const File& file, TokenIndex at) {
  if (file.is(at + 1, "]") && file.is(at + 2, "=")) return at + 3;
  if (file.is(at + 1, ":")) return at + 2;
  const TokenIndex open = file.enclosing(at);
  const bool sets = open != kNoToken && open > 0 && file.is(at + 1, ",") &&
                    (file.is(open - 1, "setdefault") || file.is(open - 1, "putenv") ||
                     file.is(open - 1, "setenv"));
  return sets ? at + 2 : kNoToken;
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_nvidia_specific) return;
  for (const TokenIndex at : file.occurrences(kBackends))
    if (file.is(at + 1, "=")) look_at(check, at + 2);
  for (TokenIndex at = 0; at + 3 < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != Kind::kString || !is_any(file.string_value(at), kKeys)) continue;
    if (const TokenIndex value = value_of_key(file, at); value != kNoToken) look_at(check, value);
  }
}

}  // namespace

Rule gemm_backends() {
  return {.code = "HW613",
          .name = "gemm-backends",
          .summary = "GEMM backends that ROCm lacks",
          .triggers = {kBackends},
          .words = {kKeys.begin(), kKeys.end()},
          .python = find};
}

}  // namespace hipwright::lint::rules
