// SPDX-License-Identifier: MIT
// Tensors created on "cuda" where the caller cannot choose a device.
#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/lint_findings.h"

namespace hipwright::port::passes {

namespace {

void apply(PythonContext& context) {
  for (const lint::Reported& each : findings(context, "HW501"))
    context.report("HP103", Severity::kNote, each.diagnostic.span,
                   each.diagnostic.message + " (the name \"cuda\" itself is right on ROCm)");
}

}  // namespace

Pass default_device() {
  return {.codes = {"HP103"}, .python = apply};
}

}  // namespace hipwright::port::passes
