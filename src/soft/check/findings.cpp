// SPDX-License-Identifier: MIT
#include "soft/check/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "soft/launch/launch.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::soft {

namespace {

struct KindText {
  FindingKind kind;
  std::string_view name, title;
  Severity severity;
};

constexpr KindText kKinds[] = {
    {FindingKind::kOutOfBounds, "out-of-bounds", "access outside every allocation",
     Severity::kError},
    {FindingKind::kUseAfterFree, "use-after-free", "access to freed memory", Severity::kError},
    {FindingKind::kNullPointer, "null-pointer", "access through a null pointer", Severity::kError},
    {FindingKind::kReadOnly, "read-only", "write to read-only memory", Severity::kError},
    {FindingKind::kKernelArguments, "kernel-arguments", "access past the kernel's arguments",
     Severity::kError},
    {FindingKind::kHeapOverflow, "heap-overflow", "access outside the blocks of the device heap",
     Severity::kError},
    {FindingKind::kDoubleFree, "double-free", "free of device memory that is not allocated",
     Severity::kError},
    {FindingKind::kLdsOverrun, "lds-overrun", "access outside the workgroup's shared memory",
     Severity::kError},
    {FindingKind::kScratchOverrun, "scratch-overrun", "access outside the thread's private memory",
     Severity::kError},
    {FindingKind::kMisaligned, "misaligned", "misaligned access", Severity::kWarning},
    {FindingKind::kMisalignedAtomic, "misaligned-atomic", "misaligned atomic operation",
     Severity::kError},
    {FindingKind::kUninitialisedStore, "uninitialised-store",
     "uninitialised value stored to global memory", Severity::kError},
    {FindingKind::kUninitialisedAddress, "uninitialised-address",
     "uninitialised value used as an address", Severity::kError},
    {FindingKind::kUninitialisedBranch, "uninitialised-branch",
     "uninitialised value decides a branch", Severity::kError},
    {FindingKind::kUnallocatedRegister, "unallocated-register",
     "vector register that the kernel does not declare", Severity::kError},
    {FindingKind::kInactiveLane, "inactive-lane",
     "value that a cross-lane operation takes from an inactive lane", Severity::kWarning},
    {FindingKind::kMissingWait, "missing-wait",
     "register used before the wait for the memory operation that fills it", Severity::kError},
    {FindingKind::kLdsRace, "lds-race", "data race on shared memory within a workgroup",
     Severity::kError},
    {FindingKind::kGlobalRace, "global-race", "data race on global memory within a workgroup",
     Severity::kError},
    {FindingKind::kGridRace, "grid-race", "data race on global memory between workgroups",
     Severity::kError},
    {FindingKind::kStreamRace, "stream-race", "data race between operations of two streams",
     Severity::kError},
    {FindingKind::kSameValueRace, "same-value-race",
     "data race between writes that leave the same value", Severity::kWarning},
    {FindingKind::kUnclearFlag, "unclear-flag",
     "store that a synchronising load reads and that may not be atomic", Severity::kWarning},
    {FindingKind::kUncheckedRaces, "unchecked-races", "global memory not checked for races",
     Severity::kWarning},
    {FindingKind::kLaneConflict, "lane-conflict",
     "lanes of one instruction write different values to one address", Severity::kError},
    {FindingKind::kBarrierDivergence, "barrier-divergence", "barrier that some threads skip",
     Severity::kError},
    {FindingKind::kBarrierMismatch, "barrier-mismatch",
     "waves of a workgroup meet at different barriers", Severity::kWarning},
    {FindingKind::kBarrierMissed, "barrier-missed", "wave that ends before a barrier of the others",
     Severity::kWarning},
    {FindingKind::kBarrierStuck, "barrier-stuck", "barrier that can never complete",
     Severity::kError},
    {FindingKind::kFp8Format, "fp8-format", "8-bit float in the format of another target",
     Severity::kError},
    {FindingKind::kFailedLaunch, "failed-launch", "failed launch that the program did not check",
     Severity::kError},
};

const KindText& text_of_kind(FindingKind kind) {
  return *std::ranges::find(kKinds, kind, &KindText::kind);
}

const LoadedKernel* loaded_kernel(const Wave& wave) {
  if (!wave.group || !wave.group->launch || !wave.group->launch->request) return nullptr;
  return wave.group->launch->request->kernel;
}

std::string text_of(const Actor& actor) {
  std::string text = fmt::format("workgroup ({},{},{}), wave {}", actor.workgroup[0],
                                 actor.workgroup[1], actor.workgroup[2], actor.wave);
  if (actor.lane) text += fmt::format(", lane {}", *actor.lane);
  return text;
}

void append_place(std::string& text, const Place& place) {
  text += fmt::format("    {}\n", place.instruction.empty() ? "?" : place.instruction);
  if (!place.location.empty()) text += fmt::format("    at {}", place.location);
  if (!place.source.empty()) text += fmt::format("  {}", place.source);
  if (!place.location.empty() || !place.source.empty()) text += '\n';
  if (place.frames.size() < 2) return;
  for (std::size_t i = 0; i < place.frames.size(); ++i) {
    const SourceFrame& frame = place.frames[i];
    text += fmt::format("      #{} {} at {}{}\n", i, frame.function.empty() ? "?" : frame.function,
                        frame.place(), i + 1 < place.frames.size() ? ", inlined into" : "");
  }
}

Json json_of(const Place& place) {
  Json frames = Json::array();
  for (const SourceFrame& frame : place.frames)
    frames.push_back({{"function", frame.function}, {"file", frame.file}, {"line", frame.line}});
  return {{"instruction", place.instruction},
          {"location", place.location},
          {"source", place.source},
          {"frames", frames},
          {"address", place.address}};
}

Json json_of(const Actor& actor) {
  Json json = {{"workgroup", actor.workgroup}, {"wave", actor.wave}};
  if (actor.lane) json["lane"] = *actor.lane;
  return json;
}

Json json_of(const CheckFinding& finding) {
  Json json = {{"kind", name_of(finding.kind)},
               {"severity", severity_of(finding.kind) == Severity::kError ? "error" : "warning"},
               {"kernel", finding.kernel},
               {"what", finding.what},
               {"place", json_of(finding.place)},
               {"actor", json_of(finding.actor)}};
  if (finding.memory) json["memory"] = *finding.memory;
  if (finding.other) {
    Json other = {{"role", finding.other_role}, {"place", json_of(*finding.other)}};
    if (finding.other_actor) other["actor"] = json_of(*finding.other_actor);
    json["other"] = std::move(other);
  }
  json["count"] = finding.count;
  return json;
}

}  // namespace

std::string_view name_of(FindingKind kind) {
  return text_of_kind(kind).name;
}
std::string_view title_of(FindingKind kind) {
  return text_of_kind(kind).title;
}
Severity severity_of(FindingKind kind) {
  return text_of_kind(kind).severity;
}

Place place_at(const Wave& wave, std::uint64_t address) {
  Place place;
  place.address = address;
  if (wave.group && wave.group->program) {
    if (const Inst* inst = wave.group->program->at(address))
      place.instruction = wave.group->program->text(*inst);
  }
  if (const LoadedKernel* kernel = loaded_kernel(wave); kernel && kernel->image) {
    place.location = kernel->image->symbolize(address);
    place.frames = source_frames(*kernel->image, address);
    if (const SourceFrame* own = own_frame(place.frames)) place.source = own->place();
  }
  return place;
}

Place place_of(const Wave& wave, const Inst& inst) {
  return place_at(wave, inst.address);
}

std::string kernel_of(const Wave& wave) {
  const LoadedKernel* kernel = loaded_kernel(wave);
  return kernel && kernel->info ? toolchain::demangle(kernel->info->name) : std::string();
}

Actor actor_of(const Wave& wave, std::optional<unsigned> lane) {
  return {.workgroup = wave.group ? wave.group->id : std::array<std::uint32_t, 3>{},
          .wave = wave.id,
          .lane = lane};
}

bool Findings::is_new(FindingKind kind, std::uint64_t address) {
  if ((muted_ >> static_cast<unsigned>(kind)) & 1U) return false;
  const std::lock_guard lock(mutex_);
  return ++counts_[{kind, address}] == 1;
}

bool Findings::has(FindingKind kind, std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  return counts_.contains({kind, address});
}

void Findings::add(CheckFinding finding) {
  const std::lock_guard lock(mutex_);
  findings_.push_back(std::move(finding));
}

std::vector<CheckFinding> Findings::counted() const {
  std::vector<CheckFinding> all = findings_;
  for (CheckFinding& finding : all)
    if (const auto found = counts_.find({finding.kind, finding.place.address});
        found != counts_.end())
      finding.count = found->second;
  return all;
}

std::vector<CheckFinding> Findings::all() const {
  const std::lock_guard lock(mutex_);
  return counted();
}

std::vector<CheckFinding> Findings::take() {
  const std::lock_guard lock(mutex_);
  std::vector<CheckFinding> all = counted();
  findings_.clear();
  counts_.clear();
  return all;
}

bool Findings::empty() const {
  const std::lock_guard lock(mutex_);
  return findings_.empty();
}

std::uint64_t Findings::errors() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint64_t>(std::ranges::count_if(
      findings_,
      [](const CheckFinding& finding) { return severity_of(finding.kind) == Severity::kError; }));
}

std::string text_of(const CheckFinding& finding) {
  std::string text = fmt::format(
      "{}: {}: {}\n", severity_of(finding.kind) == Severity::kError ? "error" : "warning",
      name_of(finding.kind), title_of(finding.kind));
  if (!finding.what.empty()) text += fmt::format("  {}\n", finding.what);
  if (!finding.kernel.empty()) text += fmt::format("  in kernel {}\n", finding.kernel);
  // A launch that failed, a copy or a fill has neither.
  if (finding.place.address != 0) {
    text += fmt::format("  by {}\n", text_of(finding.actor));
    append_place(text, finding.place);
  }
  if (finding.other) {
    text += fmt::format("  {}", finding.other_role);
    if (finding.other_actor) text += fmt::format(" by {}", text_of(*finding.other_actor));
    text += '\n';
    append_place(text, *finding.other);
  }
  if (finding.count > 1)
    text += fmt::format("  {} occurrences at this instruction\n", finding.count);
  return text;
}

std::string Findings::text() const {
  std::string text;
  for (const CheckFinding& finding : all()) text += text_of(finding) + '\n';
  return text;
}

Json json_of(const std::vector<CheckFinding>& findings) {
  Json json = Json::array();
  for (const CheckFinding& finding : findings) json.push_back(json_of(finding));
  return json;
}

Json Findings::json() const {
  return json_of(all());
}

}  // namespace hipwright::soft
