// SPDX-License-Identifier: MIT
#include "soft/launch/launch.h"

#include <fmt/format.h>

#include "soft/exec/global_sync.h"
#include "soft/launch/launch_plan.h"
#include "soft/launch/scheduler.h"

namespace hipwright::soft {

namespace {

std::string_view headline(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::kBadAddress:
      return "invalid memory access";
    case Fault::Kind::kUnsupported:
      return "unsupported instruction";
    case Fault::Kind::kBadJump:
      return "invalid jump";
    case Fault::Kind::kTrap:
      return "trap";
    case Fault::Kind::kStepLimit:
      return "step limit reached";
    case Fault::Kind::kLimit:
      return "out of resources";
    case Fault::Kind::kDeadlock:
      return "deadlock";
    case Fault::Kind::kNone:
      break;
  }
  return "failure";
}

}  // namespace

std::string LaunchFailure::message() const {
  std::string text =
      fmt::format("{} in kernel {}\n  {}\n", headline(fault.kind), kernel, fault.what);
  if (!instruction.empty()) text += fmt::format("  instruction: {}\n", instruction);
  if (!location.empty()) text += fmt::format("  at: {}\n", location);
  text += fmt::format("  workgroup ({}, {}, {}), wave {}", workgroup[0], workgroup[1], workgroup[2],
                      wave);
  if (fault.kind == Fault::Kind::kBadAddress) text += fmt::format(", lane {}", fault.lane);
  return text + "\n";
}

LaunchState state_of(const Engine& engine, const LaunchRequest& request) {
  const std::uint64_t groups = std::uint64_t{request.grid[0]} * request.grid[1] * request.grid[2];
  return {.steps_per_wave = engine.limits.steps_per_wave,
          .real_time = engine.schedule.kind == Schedule::Kind::kParallel,
          .descriptor = request.kernel ? &request.kernel->info->descriptor : nullptr,
          .interrupt = &engine.interrupt,
          .global_sync = std::make_shared<GlobalSync>(request.cooperative ? groups : 0),
          .request = &request};
}

Result<LaunchOutcome> launch(const Engine& engine, const LaunchRequest& request) {
  HW_TRY(const LaunchPlan plan, plan_launch(engine, request));
  LaunchOutcome outcome = run_groups(engine, plan);
  finish(plan, *engine.memory);
  return outcome;
}

}  // namespace hipwright::soft
