// SPDX-License-Identifier: MIT
// The one software GPU of a process and everything that lives as long as the process: its memory,
// its modules, the error that a failed kernel left behind.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "soft/exec/launch.h"
#include "soft/exec/memory.h"
#include "soft/hip/api.h"
#include "soft/hip/config.h"
#include "soft/hip/hostcall.h"
#include "soft/hip/instruments.h"

namespace hipwright::soft::hip {

class Runtime {
 public:
  // Made at the first call and never destroyed: programs call into the library from their own
  // destructors. nullptr when the environment asks for something that cannot be; the reason has
  // been said then.
  static Runtime* get();

  const Config& config() const { return config_; }
  const arch::ArchInfo& arch() const { return *config_.target.info; }
  Memory& memory() { return memory_; }
  const Engine& engine() const { return engine_; }
  Hostcall& hostcall() { return hostcall_; }
  Instruments& instruments() { return instruments_; }

  // A kernel that faulted leaves the device unusable, as on hardware: every later call that
  // needs it returns the same error, until hipDeviceReset.
  hipError_t sticky_error() const { return sticky_.load(std::memory_order_acquire); }
  void set_sticky_error(hipError_t error) { sticky_.store(error, std::memory_order_release); }

 private:
  explicit Runtime(Config config);
  friend struct RuntimeMaker;

  Config config_;
  Memory memory_;
  Hostcall hostcall_;
  Instruments instruments_;
  Engine engine_;
  std::atomic<hipError_t> sticky_{hipSuccess};
};

// The runtime, or the error that calls return where there is none or its device has failed.
struct Ready {
  Runtime* runtime = nullptr;
  hipError_t error = hipSuccess;
};
Ready ready();           // for work on the device
Runtime* any_runtime();  // for queries: works after a failure too; nullptr: there is no device

#define HIP_RUNTIME(name)                                    \
  const Ready hip_ready = ready();                           \
  if (hip_ready.error != hipSuccess) return hip_ready.error; \
  Runtime& name [[maybe_unused]] = *hip_ready.runtime

// Of the calling thread.
int current_device();
// hipSuccess for a device that exists.
hipError_t check_device(int device);

inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
inline void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

}  // namespace hipwright::soft::hip
