// SPDX-License-Identifier: MIT
// The software GPUs of a process and everything that lives as long as the process. They share one
// address space, the settings and the checks; target, limits, streams, modules and the error that
// a failed kernel left behind are each device's own.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "soft/decode/targets.h"
#include "soft/exec/memory.h"
#include "soft/hip/api.h"
#include "soft/hip/config.h"
#include "soft/hip/hostcall.h"
#include "soft/hip/instruments.h"
#include "soft/launch/launch.h"

namespace hipwright::soft::hip {

struct Stream;

// What the devices share.
class Process {
 public:
  // Made at the first call and never destroyed: programs call into the library from their own
  // destructors. nullptr when the environment holds an invalid setting; it has been reported then.
  static Process* get();

  const Config& config() const { return config_; }
  Memory& memory() { return memory_; }
  Instruments& instruments() { return instruments_; }

 private:
  explicit Process(Config config);

  Config config_;
  Memory memory_;
  Instruments instruments_;
};

// One device.
class Runtime {
 public:
  Runtime(Process& process, arch::Target target, int ordinal);
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  int ordinal() const { return ordinal_; }
  const arch::Target& target() const { return target_; }
  const arch::ArchInfo& arch() const { return *target_.info; }
  Isa isa() const { return isa_of(target_.info->family).value(); }  // of a supported target
  // Of all devices; `memory_bytes` and `free_bytes` are this one's share.
  Memory& memory() { return process_.memory(); }
  std::uint64_t memory_bytes() const { return process_.memory().limit(owner()); }
  std::uint64_t free_bytes() const { return process_.memory().free(owner()); }
  unsigned owner() const { return static_cast<unsigned>(ordinal_); }
  const Engine& engine() const { return engine_; }
  Hostcall& hostcall() { return hostcall_; }
  Instruments& instruments() { return process_.instruments(); }
  const Config& config() const { return process_.config(); }
  const std::shared_ptr<Stream>& null_stream() const { return null_stream_; }

  // A kernel that faulted leaves the device unusable, as on hardware: every later call that
  // needs it returns the same error, until hipDeviceReset.
  hipError_t sticky_error() const { return sticky_.load(std::memory_order_acquire); }
  void set_sticky_error(hipError_t error) { sticky_.store(error, std::memory_order_release); }

  // hipLimitStackSize, once it was set.
  std::optional<std::uint32_t> stack_limit() const {
    const std::uint32_t limit = stack_limit_;
    return limit == kNoLimit ? std::nullopt : std::optional(limit);
  }
  void set_stack_limit(std::optional<std::uint32_t> bytes) {
    stack_limit_ = bytes.value_or(kNoLimit);
  }

  // One bit per device that this one's kernels may access; its own is always set.
  std::atomic<std::uint64_t>& reachable() { return reachable_; }

 private:
  Process& process_;
  arch::Target target_;
  int ordinal_;
  Hostcall hostcall_;
  std::atomic<std::uint64_t> reachable_;
  Engine engine_;
  std::shared_ptr<Stream> null_stream_;
  std::atomic<hipError_t> sticky_{hipSuccess};
  static constexpr std::uint32_t kNoLimit = ~0U;
  std::atomic<std::uint32_t> stack_limit_{kNoLimit};
};

constexpr int kMostDevices = static_cast<int>(Memory::kMostOwners);

// The devices, by ordinal (devices.cpp). The first call creates those that the environment names,
// or one with the default target.
int device_count();                // 0: creation failed and has been reported
Runtime* runtime_of(int ordinal);  // nullptr: no such device
// The ordinal of the nth device with that target; devices are added until there is one.
Result<int> find_device(const std::string& target, int nth);

// Of the calling thread.
int current_device();
void set_current_device(int ordinal);
// hipSuccess for a device that exists.
hipError_t check_device(int device);

// The current device, or the error that calls return without one or after it failed.
struct Ready {
  Runtime* runtime = nullptr;
  hipError_t error = hipSuccess;
};
Ready ready();           // for work on the device
Runtime* any_runtime();  // for queries: works after a failure too; nullptr: no device

#define HIP_RUNTIME(name)                                    \
  const Ready hip_ready = ready();                           \
  if (hip_ready.error != hipSuccess) return hip_ready.error; \
  Runtime& name [[maybe_unused]] = *hip_ready.runtime

inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
inline void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

}  // namespace hipwright::soft::hip
