// SPDX-License-Identifier: MIT
// Data races. Within a workgroup, waves are ordered by barriers and by atomics on the same address
// (vector clocks). Across workgroups, an access is ordered before another when its workgroup did
// an atomic after it whose wave had flushed its stores (a release), and the other workgroup read an
// atomic later and then dropped its caches (an acquire): what __threadfence and atomics at device
// scope compile to. Where machine code cannot tell an atomic store from a plain one, a load that
// synchronises decides: see spin_loads.h and flushes.h. Code that carries notes of its atomics and
// fences needs none of this: see sync_model.h.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "soft/check/findings.h"
#include "soft/check/flushes.h"
#include "soft/check/race_memory.h"
#include "soft/check/spin_loads.h"
#include "soft/check/stream_races.h"
#include "soft/check/sync_model.h"
#include "soft/exec/access.h"

namespace hipwright::soft {

// One side of a possible race. Kept small, because there are many.
struct RaceAccess {
  std::uint32_t instruction = 0;  // the low half of its address; 0: none yet
  std::uint32_t time = 0;         // of the launch
  std::uint32_t clock = 0;        // of the wave
  std::uint32_t group = 0;
  std::uint8_t wave = 0;
  std::uint8_t lane = 0;
  std::uint8_t bytes = 0;  // bit mask within the cell
  bool atomic : 1 = false;
  bool releases : 1 = false;  // a store, with all earlier ones of its wave done
  StorePath path : 2 = StorePath::kGlobal;
  SyncScope scope : 3 = SyncScope::kSystem;  // of an atomic
};

// Four bytes of memory: the last write, the last read, and a read by another wave or workgroup.
struct RaceCell {
  RaceAccess write;
  std::array<RaceAccess, 2> read;
  // Atomics have used this cell: a plain store to it may be a compiled atomic store.
  bool synchronises = false;
};

// What the workgroups of a launch share.
class LaunchRaces {
 public:
  // What the launch is of its stream.
  struct Operation {
    StreamRaces* streams = nullptr;
    std::uint32_t number = 0;
  };
  LaunchRaces(Findings& findings, Operation operation)
      : findings_(findings), operation_(operation) {}
  // Reports races that seemed harmless, except at instructions with a worse finding.
  ~LaunchRaces();
  LaunchRaces(const LaunchRaces&) = delete;
  LaunchRaces& operator=(const LaunchRaces&) = delete;
  void seems_harmless(CheckFinding finding);

  static constexpr std::uint64_t kPageBytes = 4096;
  struct Page {
    std::mutex mutex;
    std::array<RaceCell, kPageBytes / 4> cells;
  };
  // nullptr: the limit of tracked memory is reached. The first time, `wave` is where.
  Page* page(std::uint64_t number, const Wave& wave);

  std::uint32_t tick() { return time_.fetch_add(1, std::memory_order_relaxed) + 1; }
  void release(std::uint32_t group, std::uint32_t time);
  // Whether `group` released what it did at `time` before `until`.
  bool released(std::uint32_t group, std::uint32_t time, std::uint32_t until);
  SyncLocations& locations() { return locations_; }
  const Operation& operation() const { return operation_; }
  std::uint32_t now() const { return time_.load(std::memory_order_relaxed); }

 private:
  struct Releases {
    std::deque<std::uint32_t> times;
    bool forgot = false;  // older ones were dropped
  };
  Findings& findings_;
  Operation operation_;
  const std::size_t most_pages_ = most_race_pages(kPageBytes, sizeof(Page));
  std::atomic<std::uint32_t> time_{0};
  std::mutex mutex_;
  bool is_full_ = false;
  std::vector<CheckFinding> harmless_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::unordered_map<std::uint32_t, Releases> releases_;
  SyncLocations locations_;
};

// One workgroup.
class RaceCheck {
 public:
  RaceCheck(Findings& findings, std::shared_ptr<LaunchRaces> launch)
      : findings_(findings), launch_(std::move(launch)) {}

  void begin(const Workgroup& group);
  void before(Wave& wave, const Inst& inst);
  void access(Wave& wave, const Inst& inst, const Access& access);
  void after(Wave& wave);
  void barrier(const Workgroup& group);

 private:
  // What the notes of the code say about an instruction.
  struct Noted {
    SyncNotes::Coverage coverage{};
    const SyncNote* access = nullptr;
    const SyncNote* fence = nullptr;
    // In a function of the device libraries: malloc and printf have rules of their own.
    bool is_library = false;
    // Judged by its note, or known to be plain.
    bool known() const { return access || coverage == SyncNotes::Coverage::kAll; }
  };
  const Noted& noted(const Inst& inst);
  bool is_atomic(const Inst& inst, const Access& access, const Noted& noted);
  void release(Wave& wave, const Access& access, const SyncNote& note, std::uint32_t time);
  struct WaveState {
    std::uint32_t sync_read = 0;           // time of the last atomic read
    bool reads = false;                    // the instruction that runs is one
    std::array<const Inst*, 64> recent{};  // the last instructions, by count
    unsigned count = 0;
  };
  // Whether a store's data come from memory as they are, unlike a flag that many set.
  bool stores_loaded_data(const Wave& wave, const Inst& store) const;
  void synchronise(Wave& wave, std::uint64_t location, bool acquires);
  // The wave has seen a store that turns out to be a flag: what came before it is ordered.
  void acquire_from(Wave& wave, const RaceAccess& flag);
  enum class Flag : std::uint8_t { kNo, kReleased, kUnclear };
  // Whether `earlier`, a plain store, may be an atomic one that `now` reads.
  static Flag flag_of(const Wave& wave, const Access& access, const RaceAccess& earlier,
                      const RaceAccess& now);
  bool under_way(const RaceAccess& earlier, const Wave& wave, const Inst& inst, bool lds);
  void report_under_way(Wave& wave, const Inst& inst, const Access& access,
                        const RaceAccess& earlier, RaceAccess now, std::uint64_t address);
  bool ordered(const RaceAccess& earlier, const Wave& wave) const;
  // True: the access synchronises.
  bool visit(Wave& wave, const Inst& inst, const Access& access, RaceCell& cell, RaceAccess now,
             bool writes, std::uint64_t address);
  // A race of the instruction that runs.
  struct Race {
    const Inst* inst = nullptr;
    Access access;
    RaceAccess now, earlier;
    bool earlier_writes = false;
    std::uint64_t address = 0;
    std::uint32_t content = 0;  // of the cell, before a store
  };
  void report(Wave& wave, const Race& race, std::optional<FindingKind> milder);
  void lane_conflicts(Wave& wave, const Inst& inst, const Access& access);
  LaunchRaces::Page* page_of(std::uint64_t number, const Wave& wave);

  Findings& findings_;
  std::shared_ptr<LaunchRaces> launch_;
  std::uint32_t group_ = 0;
  std::uint32_t acquired_ = 0;  // the workgroup has seen all releases up to this time
  std::vector<WaveState> waves_;
  std::vector<WaveClocks> clocks_;  // by wave: how far it knows each wave of the workgroup
  std::vector<RaceCell> lds_;
  struct KnownPage {
    std::uint64_t number = 0;
    LaunchRaces::Page* page = nullptr;
  };
  std::array<KnownPage, 64> pages_{};  // of launch_: they stay as long as it does
  unsigned stores_ = 0;                // that the instruction has made: ds_write2 makes two
  std::vector<Race> unsure_;           // stores that may leave memory unchanged
  SpinLoads spins_;
  Flushes flushes_;
  std::map<std::uint64_t, WaveClocks> locations_;  // released to them; LDS has the top bit set
  const SyncNotes* notes_ = nullptr;               // nullptr: the code has none
  const Image* image_ = nullptr;
  std::unordered_map<const Inst*, Noted> noted_;
  GroupSync sync_;
  std::unique_ptr<SyncLocations> lds_sync_;
  bool orders_stores_ = false;  // hardware keeps a workgroup's global stores in order
  // The atomic accesses of the instruction that runs, which it acquires from afterwards.
  struct Acquire {
    const SyncNote* note = nullptr;
    bool lds = false;
    std::uint32_t since = 0;
    std::vector<std::uint64_t> addresses;
  };
  Acquire acquire_;
};

}  // namespace hipwright::soft
