// SPDX-License-Identifier: MIT
#include "soft/check/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "soft/check/accesses.h"
#include "soft/exec/workgroup.h"
#include "soft/launch/launch.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::soft {

void ObjectCheck::begin(const Workgroup& group) {
  notes_ = nullptr;
  if (!group.launch || !group.launch->request || !group.launch->request->kernel) return;
  const LoadedKernel& kernel = *group.launch->request->kernel;
  const ObjectNotes& notes = kernel.image->object_notes(kernel.wave_size);
  if (notes.empty()) return;
  notes_ = &notes;
  gaps_ = &notes.gaps(kernel.entry);
}

void ObjectCheck::access(const Wave& wave, const Inst& inst, const Access& access) const {
  if (!notes_ || access.space == Space::kLds) return;
  const bool is_private = access.space == Space::kScratch;
  const ObjectNotes::Variable* variable = notes_->variable(inst.address);
  if (variable && variable->is_private != is_private) variable = nullptr;
  if (!variable && (!is_private || gaps_->empty())) return;
  for (std::uint64_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t address = access.addresses[lane];
    // Of a variable, compilers load more than they need, but begin within it.
    const bool is_outside = variable
                                ? !variable->range.contains(address)
                                : std::ranges::any_of(*gaps_, [&](const ObjectNotes::Range& gap) {
                                    return address < gap.end && address + access.bytes > gap.begin;
                                  });
    if (is_outside) return report(wave, inst, access, lane, variable);
  }
}

void ObjectCheck::report(const Wave& wave, const Inst& inst, const Access& access, unsigned lane,
                         const ObjectNotes::Variable* variable) const {
  const bool is_private = access.space == Space::kScratch;
  const FindingKind kind = is_private ? FindingKind::kScratchOverrun : FindingKind::kOutOfBounds;
  if (!findings_.is_new(kind, inst.address)) return;
  CheckFinding finding = finding_of(kind, wave, inst, access, lane);
  const std::uint64_t address = access.addresses[lane];
  const std::string at =
      fmt::format("{} at {}{:#x}: ", text_of(access), is_private ? "offset " : "", address);
  if (!variable) {
    finding.what = at + "between the variables of the kernel's frame";
  } else {
    const auto& [begin, end] = variable->range;
    const std::string name =
        variable->name.empty() ? "the variable" : "'" + toolchain::demangle(variable->name) + "'";
    finding.what =
        at +
        (address < begin ? fmt::format("{} bytes before {}", begin - address, name)
                         : fmt::format("{} bytes after the end of {}", address - end, name)) +
        fmt::format(" ({} bytes)", end - begin);
  }
  findings_.add(std::move(finding));
}

}  // namespace hipwright::soft
