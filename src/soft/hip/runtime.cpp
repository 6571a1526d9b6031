// SPDX-License-Identifier: MIT
#include "soft/hip/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

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
  static_cast<void>(finish_work());
  std::fflush(nullptr);
  if (static_cast<Instruments*>(instruments)->finish() && status == 0) {
    std::fflush(nullptr);
    _exit(kFindingsStatus);
  }
}

}  // namespace

Process::Process(Config config)
    : config_(std::move(config)),
      memory_(machine_limit(), config_.checks.bounds ? Bounds::kExact : Bounds::kPages),
      instruments_(config_) {}

Process* Process::get() {
  static Process* const process = []() -> Process* {
    auto config = config_from_environment();
    if (!config) {
      say("error: " + config.error().message());
      return nullptr;
    }
    auto* made = new Process(*std::move(config));
    if (made->instruments_.active()) on_exit(at_exit, &made->instruments_);
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
  engine_.exact_lds = process.config().checks.bounds;
  engine_.interrupt = [this] { hostcall_.serve(); };
}

void say(std::string_view text) {
  // One write: lines of several threads do not mix.
  std::string line = "hipwright: ";
  line += text;
  if (!line.ends_with('\n')) line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

hipError_t refuse(hipError_t code, const Error& error) {
  say("error: " + error.message());
  return code;
}

hipError_t not_implemented(const char* what) noexcept {
  try {
    static std::mutex mutex;
    static auto* const said = new std::set<std::string>;
    const std::lock_guard lock(mutex);
    if (said->insert(what).second)
      say(std::string(what) + " is not implemented by the software GPU");
  } catch (const std::exception&) {
    // Out of memory: the error code must suffice.
  }
  return record(hipErrorNotSupported);
}

}  // namespace hipwright::soft::hip

// For the generated stubs, which know no type of the API.
extern "C" int hipwright_stub(const char* name) noexcept {
  return hipwright::soft::hip::not_implemented(name);
}
