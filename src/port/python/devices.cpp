// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "port/python/parts.h"

namespace hipwright::port {

using namespace syntax::python;

namespace {

// if torch.version.cuda is not None: …
void gate_version(PythonContext& context, const lint::Reported& found) {
  const File& file = context.file;
  const TokenIndex at = token_at(file, found.diagnostic.span.begin);
  if (at == kNoToken) return;
  TokenRange condition{at, at + 5};  // torch . version . cuda
  bool is_true = true;
  if (file.compact(condition) == "torch.version.cuda") {
    if (file.is(condition.end, "is") && file.is(condition.end + 1, "not")) {
      condition.end += 3;
    } else if (file.is(condition.end, "is")) {
      condition.end += 2;
      is_true = false;
    }
    if (context.gate_truth(condition, is_true,
                           {"HP102", Phase::kDetection, "torch.version.cuda is None on ROCm"}))
      return;
  }
  context.tell("HP102", Severity::kWarning, found.diagnostic.span, found.diagnostic.message);
}

void gate_fp8_type(PythonContext& context, const lint::Reported& found) {
  const File& file = context.file;
  const TokenIndex at = token_at(file, found.diagnostic.span.begin);
  const Why why{"HP509", Phase::kLibraries, "MI300 computes with the fnuz types"};
  if (at != kNoToken && found.diagnostic.confidence != Confidence::kLow) {
    const TokenRange name = file.dotted(at);
    const std::string text = file.compact(name);
    const bool is_ocp = text == "torch.float8_e4m3fn" || text == "torch.float8_e5m2";
    if (is_ocp && name.begin == at &&
        context.gate_value(name, fmt::format("fp8_dtype({})", text), why, {"fp8_dtype"}))
      return;
  }
  context.tell("HP509", Severity::kNote, found.diagnostic.span, found.diagnostic.message);
}

void gate_fp8_max(PythonContext& context, const lint::Reported& found) {
  const TokenIndex at = token_at(context.file, found.diagnostic.span.begin);
  const Why why{"HP509", Phase::kLibraries, "the largest value depends on the GPU"};
  if (at != kNoToken && found.diagnostic.confidence != Confidence::kLow &&
      context.gate_value({at, at + 1}, "fp8_max()", why, {"fp8_max"}))
    return;
  context.tell("HP509", Severity::kNote, found.diagnostic.span, found.diagnostic.message);
}

}  // namespace

void gate_devices(PythonContext& context) {
  for (const lint::Reported& each : findings(context, "HW502")) gate_version(context, each);
  for (const lint::Reported& each : findings(context, "HW302")) gate_fp8_type(context, each);
  for (const lint::Reported& each : findings(context, "HW301")) gate_fp8_max(context, each);
  for (const lint::Reported& each : findings(context, "HW501"))
    context.tell("HP103", Severity::kNote, each.diagnostic.span,
                 each.diagnostic.message + " (the name \"cuda\" itself is right on ROCm)");
  for (const lint::Reported& each : findings(context, "HW505"))
    context.tell("HP104", Severity::kWarning, each.diagnostic.span, each.diagnostic.message);
}

}  // namespace hipwright::port
