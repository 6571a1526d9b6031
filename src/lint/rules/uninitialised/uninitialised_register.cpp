// SPDX-License-Identifier: MIT
// A local variable is written under a condition and read where the condition may not hold.
//
// ## What it finds
//
// In device code: `float x;` or `float acc[4];` without an initial value, written only inside an
// `if`, and read after it. The finding is reported at the write.
//
// ## Why it matters
//
// The register holds its previous content: often zero on one GPU and something else on another.
// Compilers may also assume any value and drop the condition.
//
// ## Example
//
// ```cuda
// float value;
// if (index < n) value = data[index];
// sum += value;
// ```
//
// ## Use instead
//
// ```cuda
// float value = 0.0f;
// if (index < n) value = data[index];
// sum += value;
// ```
//
// ## When it is not a bug
//
// - Every branch of the `if` writes it, or the other branches leave the function or the loop.
// - It is read under a condition, too, often the same one.
// - A function fills it through a reference or a pointer.
#include <fmt/format.h>

#include "lint/cuda/lanes.h"
#include "lint/cuda/unset.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;

const Name kGlobal("__global__"), kDevice("__device__");

// To one chosen lane's value: HIP's __shfl takes variables that the others have not set, and HW402
// is about those with a mask.
bool is_handed_on(const cu::File& file, cu::TokenIndex callee) {
  return is_sync_shuffle(file, callee) || file.text(callee) == "__shfl";
}

// if (kind == 0) x = …; else if (kind == 1) x = …; and if (Traits::kRows == 8) x = …: the values
// that are not handled may not exist.
bool may_be_complete(const cu::File& file, const cu::Condition& condition) {
  const cu::TokenIndex close = file.partner(condition.keyword + 1);
  if (close == cu::kNoToken) return false;
  for (cu::TokenIndex at = condition.keyword + 2; at + 1 < close; ++at)
    if (file.is(at, "::")) return true;
  cu::TokenIndex end = close + 1;
  if (file.is(end, "{") && file.partner(end) != cu::kNoToken)
    end = file.partner(end) + 1;
  else
    while (end + 1 < file.tokens().size() && !file.is(end, ";") && !file.is(end, "}")) ++end;
  if (file.is(end, ";")) ++end;
  return file.text(end) == "else" && file.text(end + 1) == "if";
}

void find(CudaCheck& check) {
  if (check.facts.is_nvidia_specific) return;
  for (const UnsetRead& each : unset_reads(check.file)) {
    const cu::TokenIndex name = each.variable.name, callee = callee_of(check.file, each.read);
    if (check.on_amd(name) == Truth::kNo) continue;
    if (callee != cu::kNoToken && is_handed_on(check.file, callee)) continue;
    std::vector<Fix> fixes;
    if (const auto edit = initialise(check.file, each.variable))
      fixes.push_back({.description = "initialise with zero", .safe = true, .edits = {*edit}});
    // Reported at the write, because the declaration may be far above.
    check.report(
        check.file.span(each.written),
        sure(check, name,
             may_be_complete(check.file, each.condition) ? Confidence::kLow : Confidence::kMedium),
        fmt::format("{} is set only if {}, but read unconditionally", check.file.text(name),
                    test_of(check.file, each.condition)),
        std::move(fixes));
  }
}

}  // namespace

Rule uninitialised_register() {
  return {.code = "HW401",
          .name = "uninitialised-register",
          .summary = "local variable set only under a condition",
          .severity = Severity::kWarning,
          .relevance = Relevance::kAll,
          .triggers = {kGlobal, kDevice},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
