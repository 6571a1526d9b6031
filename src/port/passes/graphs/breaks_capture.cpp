// SPDX-License-Identifier: MIT
// Operations that are not allowed during graph capture.
#include <array>

#include "port/pass.h"
#include "port/python/captured.h"
#include "port/python/context.h"
#include "port/python/lint_findings.h"

namespace hipwright::port::passes {

namespace {

constexpr std::array<std::string_view, 6> kRules = {"HW601", "HW602", "HW603",
                                                    "HW604", "HW605", "HW606"};

void apply(PythonContext& context) {
  if (captures_in(context.file).empty()) return;
  for (const std::string_view rule : kRules)
    for (const lint::Reported& each : findings(context, rule))
      if (each.diagnostic.confidence != Confidence::kLow)
        context.report("HP702", Severity::kWarning, each.diagnostic.span, each.diagnostic.message);
}

}  // namespace

Pass breaks_capture() {
  return {.codes = {"HP702"}, .python = apply};
}

}  // namespace hipwright::port::passes
