// SPDX-License-Identifier: MIT
#include "soft/check/allocated.h"

#include <fmt/format.h>

#include <algorithm>

#include "soft/exec/workgroup.h"

namespace hipwright::soft {

namespace {

// How many registers of each file the kernel has.
struct Allocated {
  unsigned vectors = kAccumulator0, accumulators = kAccumulator0;
};
Allocated allocated_of(const Wave& wave) {
  const toolchain::KernelDescriptor* const descriptor =
      wave.group->launch ? wave.group->launch->descriptor : nullptr;
  if (!descriptor || descriptor->allocated_vgprs == 0) return {};
  const unsigned all = descriptor->allocated_vgprs;
  if (descriptor->accum_offset == 0)
    return {.vectors = std::min(all, kAccumulator0), .accumulators = std::min(all, kAccumulator0)};
  const unsigned vectors = std::min<unsigned>(descriptor->accum_offset, all);
  return {.vectors = vectors, .accumulators = all - vectors};
}

}  // namespace

void check_allocated(Findings& findings, const Wave& wave, const Inst& inst) {
  const Allocated allocated = allocated_of(wave);
  const auto check = [&](const Operand& operand) {
    if (!operand.is_vector() || operand.index >= kSpareRow) return;
    const bool accumulator = operand.index >= kAccumulator0;
    const unsigned last = operand.index % kAccumulator0 + std::max<unsigned>(operand.dwords, 1) - 1;
    const unsigned count = accumulator ? allocated.accumulators : allocated.vectors;
    if (last < count || !findings.is_new(FindingKind::kUnallocatedRegister, inst.address)) return;
    CheckFinding finding;
    finding.kind = FindingKind::kUnallocatedRegister;
    finding.kernel = kernel_of(wave);
    finding.place = place_of(wave, inst);
    finding.actor = actor_of(wave);
    finding.what = fmt::format("{}{} is used, but the kernel declares {} registers of that kind",
                               accumulator ? 'a' : 'v', last, count);
    findings.add(std::move(finding));
  };
  for (const Operand& operand : inst.dst) check(operand);
  for (const Operand& operand : inst.src) check(operand);
}

}  // namespace hipwright::soft
