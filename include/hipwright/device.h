// SPDX-License-Identifier: MIT
// Handles of devices, streams, events and kernels: cheap to copy, closed with the last copy. A
// default-constructed handle is empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hipwright/error.h"

namespace hipwright {

namespace device {
class Device;
}
namespace runtime {
struct StreamState;
struct EventState;
struct KernelState;
}  // namespace runtime

// Numbers that the runtime does not report are 0, strings are empty.
struct DeviceInfo {
  std::string type;          // "hip", "cuda", "soft", "cpu"
  int index = 0;             // among those of its type
  std::string id;            // its selector: "hip:0", "soft:gfx942", "cpu"
  std::string name;          // "AMD Instinct MI300X"
  std::string architecture;  // "gfx942:sramecc+:xnack-", "sm_90"
  double total_memory_mb = 0;
  unsigned compute_units = 0;
  unsigned wave_size = 1;
  unsigned max_threads_per_block = 0;
  std::size_t shared_bytes_per_block = 0;
  double clock_mhz = 0;
  double memory_clock_mhz = 0;
  unsigned memory_bus_bits = 0;
  double bandwidth_gbs = 0;
  std::string bandwidth_from;
  std::string pci;
  std::string runtime;
  std::string library;
};

class Device {
 public:
  Device() = default;
  explicit Device(std::shared_ptr<device::Device> driver) : driver_(std::move(driver)) {}
  // "hip:0", "cuda", "soft:gfx942", "cpu", "auto". Throws ROCmNotAvailableError or AMDDeviceError.
  static Device open(std::string_view selector);

  std::string type() const;  // "hip", "cuda", "soft", "cpu"
  int index() const;
  std::string id() const;
  DeviceInfo info() const;
  bool is_cpu() const { return type() == "cpu"; }

  void synchronize() const;
  explicit operator bool() const { return driver_ != nullptr; }
  friend bool operator==(const Device&, const Device&) = default;

  const std::shared_ptr<device::Device>& driver() const { return driver_; }

 private:
  std::shared_ptr<device::Device> driver_;
};

// All devices that match a selector.
std::vector<Device> list_devices(std::string_view selector = "auto");

class Event;

class Stream {
 public:
  // Empty. As an argument, an empty stream means the thread's current one of the device (the
  // innermost StreamScope's, or the default stream); by itself it is the default stream.
  Stream() = default;
  // A stream that another library made on `device` (hipStream_t, cudaStream_t), which must outlive
  // all copies of this handle and is not closed with them. nullptr: the device's default stream.
  static Stream borrow(const Device& device, void* native);

  const std::string& name() const;
  int priority() const;
  void synchronize() const;  // waits for all work in it
  bool idle() const;
  // Later work here waits for `event` of the same device. An empty stream means the thread's
  // current one of that device.
  void wait(const Event& event) const;
  friend bool operator==(const Stream&, const Stream&) = default;

  explicit Stream(std::shared_ptr<runtime::StreamState> state) : state_(std::move(state)) {}
  const std::shared_ptr<runtime::StreamState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::StreamState> state_;
};

class Event {
 public:
  Event() = default;
  void record(const Stream& stream = {}) const;  // one of the same device
  // An event recorded in a capture has no time: GraphCaptureError.
  bool reached() const;
  void synchronize() const;
  double elapsed_ms(const Event& later) const;  // from this one to `later`; both reached

  explicit Event(std::shared_ptr<runtime::EventState> state) : state_(std::move(state)) {}
  const std::shared_ptr<runtime::EventState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::EventState> state_;
};

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

// A kernel on one device, with its module.
class Kernel {
 public:
  Kernel() = default;
  const std::string& name() const;
  // In the code object: "_Z5scalePfi"; on the cpu device, the name.
  const std::string& symbol() const;
  // Of the arguments that a launch passes, in order. Throws ROCmNotAvailableError if the driver
  // does not report them (NVIDIA before CUDA 12.4).
  std::vector<std::size_t> argument_sizes() const;
  explicit Kernel(std::shared_ptr<runtime::KernelState> state) : state_(std::move(state)) {}
  const std::shared_ptr<runtime::KernelState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::KernelState> state_;
};

// A kernel argument as launches take it.
struct KernelArgument {
  const void* value;
  std::size_t size;
};

}  // namespace hipwright
