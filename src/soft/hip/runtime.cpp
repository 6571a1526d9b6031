// SPDX-License-Identifier: MIT
#include "soft/hip/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "soft/hip/interrupt.h"
#include "soft/hip/pending_work.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

// Three quarters of this machine's: programs size their buffers by what is free, and those buffers
// are real.
std::uint64_t machine_limit() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 4 * 3;
}

// The product's memory, as far as the machine has it.
std::uint64_t memory_limit(const arch::ArchInfo& info) {
  for (const arch::Product& product : info.products)
    if (product.memory_gib)
      return std::min(machine_limit(),
                      static_cast<std::uint64_t>(product.memory_gib->value * (1ULL << 30)));
  return machine_limit();
}

// Runs after the program's own exit handlers, which were registered later.
void at_exit(int status, void* instruments) {
  auto& tools = *static_cast<Instruments*>(instruments);
  finish_at_exit();
  // What nobody waited for is run only if checks look at it.
  if (tools.active()) static_cast<void>(finish_work());
  std::fflush(nullptr);
  const int deserved = tools.finish();
  if (deserved != 0 && status == 0) {
    std::fflush(nullptr);
    _exit(deserved);
  }
}

}  // namespace

Process::Process(Config config)
    : config_(std::move(config)),
      memory_(machine_limit(), config_.checks.bounds ? Bounds::kExact : Bounds::kPages),
      instruments_(config_) {}

Process* Process::get() {
  static Process* const process = []() -> Process* {
    notify({.kind = EventKind::kStart});
    auto config = config_from_environment();
    if (!config) {
      notify({.kind = EventKind::kLimit, .text = config.error().message()});
      return nullptr;
    }
    auto* made = new Process(*std::move(config));
    on_exit(at_exit, &made->instruments_);
    if (made->instruments_.active() || made->config_.fails_exit) {
      on_interrupt([made] { made->instruments_.finish_early(); });
    }
    return made;
  }();
  return process;
}

Runtime::Runtime(Process& process, arch::Target target, int ordinal)
    : process_(process),
      target_(std::move(target)),
      ordinal_(ordinal),
      hostcall_(process.memory()),
      reachable_(std::uint64_t{1} << ordinal),
      null_stream_(make_null_stream(*this)) {
  process.memory().set_limit(owner(), memory_limit(*target_.info));
  process.instruments().add_device(target_.id());
  engine_.memory = &process.memory();
  engine_.reachable = &reachable_;
  engine_.schedule = process.config().schedule;
  engine_.limits.steps_per_wave = process.config().step_limit;
  engine_.watch = process.instruments().watch();
  engine_.exact_bounds = process.config().checks.bounds;
  engine_.interrupt = [this] { hostcall_.serve(); };
}

}  // namespace hipwright::soft::hip
