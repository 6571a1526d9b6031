// SPDX-License-Identifier: MIT
// Running one kernel over a grid.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "soft/exec/schedule.h"
#include "soft/exec/watch.h"
#include "soft/exec/workgroup.h"
#include "soft/load/image.h"

namespace hipwright::soft {

// In which order workgroups and waves advance.
struct Limits {
  std::uint64_t steps_per_wave = 0;                      // instructions; 0: none
  std::uint64_t scratch_bytes = std::uint64_t{4} << 30;  // per thread
};

// What the kernel finds besides its arguments: services of the runtime. Zero: not available, and
// a kernel that needs it faults when it uses the null pointer.
struct HiddenArguments {
  std::uint64_t hostcall_buffer = 0;
  std::uint64_t printf_buffer = 0;
  std::uint64_t heap = 0;            // hidden_heap_v1
  std::uint64_t multigrid_sync = 0;  // cooperative launches
  std::uint64_t default_queue = 0, completion_action = 0;
};

struct LaunchRequest {
  const LoadedKernel* kernel = nullptr;
  std::array<std::uint32_t, 3> grid{1, 1, 1};   // workgroups
  std::array<std::uint32_t, 3> block{1, 1, 1};  // threads per workgroup
  // Threads in the whole grid when it is not a multiple of the block (hipExtModuleLaunchKernel,
  // HSA); zeros: grid × block.
  std::array<std::uint32_t, 3> threads{0, 0, 0};
  std::uint32_t dynamic_lds = 0;
  // Scratch of a lane beyond what the compiler knows, for kernels that recurse or call through
  // pointers (KernelMetadata::uses_dynamic_stack).
  std::uint32_t stack_bytes = 16384;
  // The explicit arguments as the kernel's metadata lays them out.
  std::span<const std::byte> arguments;
  HiddenArguments hidden;
  bool cooperative = false;  // all workgroups run at the same time and may wait for each other
};

struct LaunchFailure {
  Fault fault;
  std::string kernel;  // demangled
  std::string instruction;
  std::string location;  // "_Z1kPf+0x40"
  std::array<std::uint32_t, 3> workgroup{};
  unsigned wave = 0;
  // All of it as text for people, several lines.
  std::string message() const;
};

struct LaunchOutcome {
  std::optional<LaunchFailure> failure;
  std::uint64_t wave_instructions = 0;
  std::uint64_t waves = 0;
};

// Makes a Watch for each host thread of a launch, or returns nullptr for none.
using WatchFactory = std::function<std::unique_ptr<Watch>(const LaunchRequest&)>;

struct Engine {
  Memory* memory = nullptr;
  // A bit per device whose memory kernels may touch; nullptr: all.
  const std::atomic<std::uint64_t>* reachable = nullptr;
  Schedule schedule;
  Limits limits;
  WatchFactory watch;  // may be empty
  // Hardware hands out LDS in granules, and a kernel that overruns what it asked for within the
  // last one goes unpunished: so it does here, unless it is to be found out.
  bool exact_lds = false;
  // s_sendmsg MSG_INTERRUPT: the kernel has put a request into a buffer of the runtime (printf,
  // malloc) and will wait for the answer. Called on the wave's thread, several at a time; empty:
  // the message is ignored, as where nobody listens.
  std::function<void()> interrupt;
};

// Errors are wrong requests (too many threads, too much LDS, arguments too short); a kernel that
// fails is an outcome.
Result<LaunchOutcome> launch(const Engine& engine, const LaunchRequest& request);

// What all workgroups of a running launch share; for handlers.
struct LaunchState {
  const LaunchRequest* request = nullptr;
  const Engine* engine = nullptr;
  Memory* memory = nullptr;
};

// Nanoseconds, for clocks that kernels read. Where the schedule is reproducible it counts
// instructions instead of time.
std::uint64_t clock_ns(const Wave& wave);

// Runs `wave` until it ends, waits, faults or has run `quantum` instructions.
void run_wave(Wave& wave, std::uint64_t quantum);

}  // namespace hipwright::soft
