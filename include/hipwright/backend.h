// SPDX-License-Identifier: MIT
// One backend over AMD GPUs, NVIDIA GPUs, the software GPU and the CPU.
//
//   hipwright::AMDBackend backend;
//   auto add = backend.load_kernel(source, "add");
//   auto x = backend.memory().allocate(bytes);
//   backend.launch(add, {blocks}, {256}, x, n);
//   backend.synchronize();
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hipwright/compiler.h"
#include "hipwright/config.h"
#include "hipwright/cpu_kernel.h"
#include "hipwright/device.h"
#include "hipwright/graph.h"
#include "hipwright/kernel_arguments.h"
#include "hipwright/memory.h"
#include "hipwright/utilities.h"

namespace hipwright {

// The devices of one vendor, of which one at a time is used. HIPWRIGHT_DEVICE overrides the choice
// (an NVIDIABackend follows it only to cuda, cpu and auto).
class Backend {
 public:
  Backend(Backend&&) noexcept;
  Backend& operator=(Backend&&) noexcept;
  ~Backend();

  // True on a GPU, including the software GPU; false on the CPU fallback.
  bool is_available() const;
  // Why the CPU is used instead of a GPU; empty if it is not, or was requested.
  const std::string& fallback_reason() const;

  Device device() const;
  DeviceInfo get_device_info() const;
  std::vector<Device> devices() const;  // all candidates
  std::vector<DeviceInfo> get_all_devices() const;
  // Memory, streams, kernels and settings are per device: those of the old one stay valid on it.
  // Throws AMDDeviceError if there is no such device, AMDConfigurationError if the settings are
  // invalid on it.
  void set_device(int index);

  void synchronize() const;
  void empty_cache();
  // Waits for all work and releases everything. The destructor calls it, too. References from
  // memory() and utilities() become invalid: call them again. Buffers, streams, kernels and graphs
  // that the program holds stay valid.
  void cleanup();

  // Of the current device; valid until cleanup().
  AMDMemoryManager& memory();
  HIPUtilities& utilities();
  ROCmCompiler& compiler();
  const EffectiveConfig& config() const;  // valid as long as the backend

  // Compiles `source` for the device (HIPRTC or clang, NVRTC) and loads it. An architecture in
  // `options` must be one whose code the device can run (else HIPCompilationError). On the CPU,
  // finds the kernel registered under `name` (cpu_kernel.h) and ignores `options`.
  Kernel load_kernel(std::string_view source, const std::string& name,
                     const CompileOptions& options = {});
  Kernel load_code_object(std::string_view code_object, const std::string& symbol);

  template <class... Args>
  void launch(const Kernel& kernel, Dim3 grid, Dim3 block, const Args&... arguments) {
    utilities().launch(kernel, grid, block, arguments...);
  }

 protected:
  enum class Vendor { kAmd, kNvidia };
  Backend(Vendor vendor, const AMDConfig& config);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Without an AMD GPU, falls back to the CPU with one warning on standard error; with
// enable_strict_validation the constructor throws ROCmNotAvailableError instead.
class AMDBackend : public Backend {
 public:
  explicit AMDBackend(const AMDConfig& config = {}) : Backend(Vendor::kAmd, config) {}
};

class NVIDIABackend : public Backend {
 public:
  explicit NVIDIABackend(const AMDConfig& config = {}) : Backend(Vendor::kNvidia, config) {}
};

}  // namespace hipwright
