// SPDX-License-Identifier: MIT
// Runs a kernel over a grid.
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
#include "soft/exec/watch.h"
#include "soft/exec/workgroup.h"
#include "soft/launch/schedule.h"
#include "soft/load/image.h"

namespace hipwright::soft {

struct Limits {
  std::uint64_t steps_per_wave = 0;                      // instructions; 0: no limit
  std::uint64_t scratch_bytes = std::uint64_t{4} << 30;  // per thread
};

// What the runtime provides besides the arguments. Zero: not available; a kernel that needs it
// faults on the null pointer.
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
  bool cooperative = false;     // all workgroups run at the same time and may wait for each other
  std::uint32_t operation = 0;  // of a stream: the number that checks know it by; 0: none
};

struct LaunchFailure {
  Fault fault;
  std::string kernel;  // demangled
  std::string instruction;
  std::string location;  // "_Z1kPf+0x40"
  std::array<std::uint32_t, 3> workgroup{};
  unsigned wave = 0;
  // All of it as text, several lines.
  std::string message() const;
};

struct LaunchOutcome {
  std::optional<LaunchFailure> failure;
  std::uint64_t wave_instructions = 0;
  std::uint64_t waves = 0;
};

// Makes a Watch for each host thread of a launch, or returns nullptr.
using WatchFactory = std::function<std::unique_ptr<Watch>(const LaunchRequest&)>;

struct Engine {
  Memory* memory = nullptr;
  // One bit per device that kernels may access; nullptr: all.
  const std::atomic<std::uint64_t>* reachable = nullptr;
  Schedule schedule;
  Limits limits;
  WatchFactory watch;  // may be empty
  // Hardware allocates LDS and scratch in granules and does not notice an overrun within the last
  // one. Neither does this machine, unless the bounds are exact.
  bool exact_bounds = false;
  // s_sendmsg MSG_INTERRUPT: the kernel has put a request into a buffer of the runtime (printf,
  // malloc) and will wait for the answer. Called on the wave's thread, from several threads at a
  // time; empty: the message is ignored.
  std::function<void()> interrupt;
};

// Errors are wrong requests (too many threads, too much LDS, arguments too short); a kernel that
// fails is an outcome.
Result<LaunchOutcome> launch(const Engine& engine, const LaunchRequest& request);

// What instructions see of the launch. It refers to both arguments.
LaunchState state_of(const Engine& engine, const LaunchRequest& request);

}  // namespace hipwright::soft
