// SPDX-License-Identifier: MIT
// What kernels did: instructions by class, bytes and how they coalesce, bank conflicts of shared
// memory, active lanes, and how closely results match the hardware's. It claims no times and no
// cycles.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json_fwd.h"
#include "soft/check/findings.h"
#include "soft/exec/access.h"
#include "soft/launch/launch.h"
#include "soft/load/residency.h"

namespace hipwright::soft {

std::string_view name_of(OpClass kind);
std::string text_of(const Residency& occupancy);

struct OpCount {
  std::uint64_t count = 0;
  Fidelity fidelity = Fidelity::kExact;
  std::string bound;
};

// An approximate value that decided something.
struct ApproximateUse {
  Place place;
  bool branch = false;  // else: an address
  std::uint64_t count = 0;
};

struct KernelCounts {
  std::string name, target, producer;
  unsigned wave_size = 0, vgprs = 0, sgprs = 0;
  std::uint64_t lds_bytes = 0, scratch_bytes = 0;  // per workgroup, per lane
  Residency occupancy;                             // of the launch that fills the hardware least
  std::uint64_t launches = 0, workgroups = 0, waves = 0;
  std::array<std::uint64_t, kOpClasses> instructions{};
  std::uint64_t vector_lanes = 0;       // lanes that were on, over all vector instructions
  std::uint64_t vector_lane_slots = 0;  // lanes that could have been
  // Global memory by wave accesses. A line is what the first-level cache moves.
  unsigned line_bytes = 128;
  struct Traffic {
    std::uint64_t accesses = 0, bytes = 0, lines = 0;
  };
  std::array<Traffic, 3> global{};  // by AccessKind
  std::uint64_t scalar_bytes = 0, scratch_accesses = 0;
  std::uint64_t lds_accesses = 0, lds_bytes_moved = 0;
  std::uint64_t lds_passes = 0, lds_conflicts = 0;  // conflicts: passes beyond those needed
  std::map<std::string, OpCount, std::less<>> operations;
  std::map<std::pair<std::uint64_t, bool>, ApproximateUse> approximate_uses;

  void add(const KernelCounts& other);
};

// All kernels of a run. Safe to use from several threads.
class Report {
 public:
  void add(const KernelCounts& counts);
  std::vector<KernelCounts> kernels() const;
  std::string text() const;
  Json json() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, KernelCounts, std::less<>> kernels_;  // by target and name
};

// Counts for one thread of a launch.
class Tally {
 public:
  void begin(const Workgroup& group);
  void before(const Wave& wave, const Inst& inst);
  void access(const Wave& wave, const Access& access);
  void approximate_use(const Wave& wave, const Inst& inst, bool branch);
  // Everything counted so far, with operations by name.
  KernelCounts take(const LaunchRequest* request, bool first_of_launch);

 private:
  KernelCounts counts_;
  std::unordered_map<const Op*, std::uint64_t> operations_;
  Isa isa_ = Isa::kGfx942;
};

}  // namespace hipwright::soft
