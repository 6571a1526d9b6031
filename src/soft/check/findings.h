// SPDX-License-Identifier: MIT
// The findings of all checks: one per kind and instruction. Further occurrences are counted.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/json_fwd.h"
#include "soft/check/source_lines.h"
#include "soft/exec/wave.h"

namespace hipwright::soft {

enum class FindingKind : std::uint8_t {
  kOutOfBounds,
  kUseAfterFree,
  kNullPointer,
  kReadOnly,
  kKernelArguments,
  kHeapOverflow,
  kDoubleFree,
  kLdsOverrun,
  kScratchOverrun,
  kMisaligned,
  kMisalignedAtomic,
  kUninitialisedStore,
  kUninitialisedAddress,
  kUninitialisedBranch,
  kUnallocatedRegister,
  kInactiveLane,
  kMissingWait,
  kLdsRace,
  kGlobalRace,
  kGridRace,
  kStreamRace,
  kSameValueRace,
  kUnclearFlag,
  kUncheckedRaces,
  kLaneConflict,
  kBarrierDivergence,
  kBarrierMismatch,
  kBarrierMissed,
  kBarrierStuck,
  kFp8Format,
  kFailedLaunch,
};

std::string_view name_of(FindingKind kind);   // "out-of-bounds": stable, for programs
std::string_view title_of(FindingKind kind);  // "access outside every allocation"
Severity severity_of(FindingKind kind);

// An instruction, in all the forms that people search for.
struct Place {
  std::uint64_t address = 0;
  std::string instruction;  // "global_store_dword v[0:1], v2, off"
  std::string location;     // "_Z6kernelPf+0x40"
  std::string source;       // "app.hip:12"; empty without debug information
  // With inlined functions: `source` is the first of these outside system headers.
  std::vector<SourceFrame> frames;
};

// The part of the launch that ran it.
struct Actor {
  std::array<std::uint32_t, 3> workgroup{};
  unsigned wave = 0;
  std::optional<unsigned> lane;
};

struct CheckFinding {
  FindingKind kind{};
  std::string kernel;  // demangled
  Place place;
  Actor actor;
  std::string what;                     // one sentence
  std::optional<std::uint64_t> memory;  // address or offset
  // Races: the other side. Uninitialised values and waits: where the value comes from.
  std::string other_role;
  std::optional<Place> other;
  std::optional<Actor> other_actor;
  std::uint64_t count = 1;
};

// The place of an instruction of a wave, and its kernel's name.
Place place_of(const Wave& wave, const Inst& inst);
std::string kernel_of(const Wave& wave);
// An instruction known by its address alone.
Place place_at(const Wave& wave, std::uint64_t address);
Actor actor_of(const Wave& wave, std::optional<unsigned> lane = std::nullopt);

// Safe to use from all threads of a launch.
class Findings {
 public:
  // Drops findings of this kind. Call it before the first launch.
  void mute(FindingKind kind) { muted_ |= 1U << static_cast<unsigned>(kind); }
  // True: the first of its kind at this instruction; describe it and call add(). False: counted or
  // muted.
  bool is_new(FindingKind kind, std::uint64_t address);
  void add(CheckFinding finding);

  bool has(FindingKind kind, std::uint64_t address) const;
  std::vector<CheckFinding> all() const;
  // The same, and forgets them: they are new when they occur again.
  std::vector<CheckFinding> take();
  bool empty() const;
  std::uint64_t errors() const;

  std::string text() const;
  Json json() const;

 private:
  std::vector<CheckFinding> counted() const;  // under the lock

  std::uint32_t muted_ = 0;  // a bit for each kind
  mutable std::mutex mutex_;
  std::vector<CheckFinding> findings_;
  std::map<std::pair<FindingKind, std::uint64_t>, std::uint64_t> counts_;
};

std::string text_of(const CheckFinding& finding);
Json json_of(const std::vector<CheckFinding>& findings);

}  // namespace hipwright::soft
