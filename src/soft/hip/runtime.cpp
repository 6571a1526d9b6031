// SPDX-License-Identifier: MIT
#include "soft/hip/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

namespace hipwright::soft::hip {

namespace {

// The product's memory, but no more than three quarters of this machine's: programs size their
// buffers by what is free, and those buffers are real.
std::uint64_t memory_limit(const arch::ArchInfo& info) {
  std::uint64_t limit = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 4 * 3;
  for (const arch::Product& product : info.products)
    if (product.memory_gib)
      return std::min(limit, static_cast<std::uint64_t>(product.memory_gib->value * (1ULL << 30)));
  return limit;
}

// Runs after the program's own exit handlers, which were registered later.
void at_exit(int status, void* instruments) {
  std::fflush(nullptr);
  if (static_cast<Instruments*>(instruments)->finish() && status == 0) {
    std::fflush(nullptr);
    _exit(kFindingsStatus);
  }
}

}  // namespace

struct RuntimeMaker {
  static Runtime* make() {
    auto config = config_from_environment();
    if (!config) {
      say("error: " + config.error().message());
      return nullptr;
    }
    auto* runtime = new Runtime(*std::move(config));
    if (runtime->instruments_.active()) on_exit(at_exit, &runtime->instruments_);
    return runtime;
  }
};

Runtime::Runtime(Config config)
    : config_(std::move(config)),
      memory_(memory_limit(*config_.target.info),
              config_.checks.bounds ? Bounds::kExact : Bounds::kPages),
      hostcall_(memory_),
      instruments_(config_) {
  engine_.memory = &memory_;
  engine_.schedule = config_.schedule;
  engine_.limits.steps_per_wave = config_.step_limit;
  engine_.watch = instruments_.watch();
  engine_.exact_lds = config_.checks.bounds;
  engine_.interrupt = [this] { hostcall_.serve(); };
}

Runtime* Runtime::get() {
  static Runtime* const runtime = RuntimeMaker::make();
  return runtime;
}

Ready ready() {
  Runtime* runtime = Runtime::get();
  if (!runtime) return {nullptr, hipErrorNoDevice};
  return {runtime, runtime->sticky_error()};
}

Runtime* any_runtime() {
  return Runtime::get();
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
    // Out of memory: the error code alone must do.
  }
  return record(hipErrorNotSupported);
}

}  // namespace hipwright::soft::hip

extern "C" int hipwright_soft_device(const char* target, int nth) {
  ::setenv("HIPWRIGHT_SOFT_TARGET", target, 0);
  const auto wanted = hipwright::soft::hip::parse_device(target);
  auto* runtime = hipwright::soft::hip::Runtime::get();
  return nth == 0 && wanted && runtime && runtime->config().target == *wanted ? 0 : -1;
}
extern "C" const char* hipwright_soft_error() {
  return "this process has another software GPU already";
}

// For the generated stubs, which know no type of the API.
extern "C" int hipwright_stub(const char* name) noexcept {
  return hipwright::soft::hip::not_implemented(name);
}
