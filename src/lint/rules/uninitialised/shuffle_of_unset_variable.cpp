// SPDX-License-Identifier: MIT
// A variable that only some lanes have set is passed to a shuffle.
//
// ## What it finds
//
// In device code: `int x;` without an initial value, written only inside an `if`, and then passed
// to
// `__shfl_sync`, `__shfl_up_sync`, `__shfl_down_sync`, `__shfl_xor_sync` or to the members `shfl`,
// `shfl_up`, `shfl_down`, `shfl_xor` of a cooperative group. The finding is reported at the
// shuffle.
//
// ## Why it matters
//
// CUDA's documentation writes warp-aggregated atomics like this, and nvcc compiles it as intended.
// In HIP these functions are templates, and clang may assume that an argument passed by value is
// set. It concludes that the condition holds in every lane and removes it: from -O1 on, every lane
// executes the `atomicAdd`.
//
// HIP declares the parameter of the plain `__shfl` functions with `maybe_undef`, which forbids that
// conclusion; ROCm 6.2 lists the same bug for them as a known issue, fixed in 6.3. The templates
// with a mask, which ROCm 6.2 introduced, lacked the attribute until January 2026
// (ROCm/rocm-systems#2533). On member templates, as those of cooperative groups are, clang 22
// ignores it (see ROCm/clr#146).
//
// ## Example
//
// ```cuda
// int old;
// if (lane == leader) old = atomicAdd(counter, count);
// old = __shfl_sync(active, old, leader);
// ```
//
// ## Use instead
//
// ```cuda
// int old = 0;
// if (lane == leader) old = atomicAdd(counter, count);
// old = __shfl_sync(active, old, leader);
// ```
//
// ## When it is not a bug
//
// - The file uses `warp32::shfl_sync` and its siblings of `hip_compat.h`, which declare their
//   parameters with `maybe_undef`. The rule does not report these.
// - The code is compiled only with a HIP release whose templates have the attribute.
#include <fmt/format.h>

#include "lint/cuda/lanes.h"
#include "lint/cuda/unset.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;

void find(CudaCheck& check) {
  if (is_bound_to_nvidia(check)) return;
  const cu::File& file = check.file;
  for (const UnsetRead& each : unset_reads(file)) {
    const cu::TokenIndex name = each.variable.name, callee = callee_of(file, each.read);
    if (callee == cu::kNoToken || !is_sync_shuffle(file, callee)) continue;
    if (check.on_amd(each.read) == Truth::kNo || is_own_name(check, Name(file.text(callee))))
      continue;
    std::vector<Fix> fixes;
    if (const auto edit = initialise(file, each.variable))
      fixes.push_back({.description = "initialise with zero", .safe = true, .edits = {*edit}});
    check.report(
        file.span(each.read), sure(check, name),
        fmt::format("{} is set only if {}, and {} lets the compiler assume that it always is",
                    file.text(name), test_of(file, each.condition), file.text(callee)),
        std::move(fixes));
  }
}

}  // namespace

Rule shuffle_of_unset_variable() {
  return {.code = "HW402",
          .name = "shuffle-of-unset-variable",
          .summary = "variable that only some lanes have set is passed to a shuffle",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = {Name("__shfl_sync"), Name("__shfl_up_sync"), Name("__shfl_down_sync"),
                       Name("__shfl_xor_sync"), Name("shfl"), Name("shfl_up"), Name("shfl_down"),
                       Name("shfl_xor")},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
