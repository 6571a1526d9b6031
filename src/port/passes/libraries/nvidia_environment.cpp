// SPDX-License-Identifier: MIT
// Environment variables that NVIDIA's libraries read and ROCm's do not.
#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/lint_findings.h"

namespace hipwright::port::passes {

namespace {

void apply(PythonContext& context) {
  for (const lint::Reported& each : findings(context, "HW702"))
    context.report("HP510", Severity::kWarning, each.diagnostic.span, each.diagnostic.message);
}

}  // namespace

Pass nvidia_environment() {
  return {.codes = {"HP510"}, .python = apply};
}

}  // namespace hipwright::port::passes
