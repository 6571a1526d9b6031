// SPDX-License-Identifier: MIT
// One device of any vendor. hip/, cuda/, soft/ and cpu/ implement it; runtime/ builds on it.
//
// Handles are the native ones, owned by their creator; runtime/ wraps those that users see.
// All functions may be called from any thread. A null Stream is the device's default stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/failure.h"

namespace hipwright::device {

enum class Kind { kHip, kCuda, kSoft, kCpu };
std::string_view to_string(Kind kind);  // as in selectors: "hip", "cuda", "soft", "cpu"

using Stream = struct StreamHandle*;
using Event = struct EventHandle*;
using Module = struct ModuleHandle*;
using Function = struct FunctionHandle*;
using Graph = struct GraphHandle*;  // instantiated: can be launched

// The properties of a device. Numbers that the runtime does not report are 0.
struct Properties {
  Kind kind = Kind::kCpu;
  int index = 0;     // among the devices of its kind
  std::string id;    // its selector: "hip:0", "cuda:1", "soft:gfx942", "soft:gfx942#1", "cpu"
  std::string name;  // "AMD Instinct MI300X"
  std::string architecture;  // what to compile for: "gfx942:sramecc+:xnack-", "sm_90"; cpu: ""
  std::uint64_t memory_bytes = 0;
  unsigned compute_units = 0;  // CUs, SMs, host threads
  unsigned wave_size = 1;
  unsigned max_threads_per_block = 0;
  std::size_t shared_bytes_per_block = 0;
  double clock_mhz = 0;
  double memory_clock_mhz = 0;
  unsigned memory_bus_bits = 0;
  double bandwidth_gbs = 0;    // peak, 10^9 bytes/s; from clock and bus, or from the arch table
  std::string bandwidth_from;  // "memory clock and bus width", "MI300X data sheet"; empty with 0
  std::string pci;             // "0000:c1:00.0"
  std::string runtime;         // "HIP 6.4.2", "CUDA driver 13.0"
  std::string library;         // the file that the runtime was loaded from
};

struct MemoryInfo {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

enum class Direction { kToDevice, kToHost, kOnDevice };

struct Extent {
  unsigned x = 1, y = 1, z = 1;
};
struct Launch {
  Extent grid, block;
  unsigned shared_bytes = 0;  // dynamic
  Stream stream = nullptr;
};
// A kernel argument by value; its size is checked against the kernel's parameter.
struct Argument {
  const void* value;
  std::size_t size;
};

struct PriorityRange {
  int lowest = 0, highest = 0;  // as the native API counts: smaller is more urgent
};

// A kernel launch in a captured graph.
struct KernelNode {
  std::string kernel;  // its symbol; empty if the runtime does not report it
  Launch launch;
};

enum class CaptureState { kNone, kActive, kInvalidated };

class Device {
 public:
  virtual ~Device() = default;
  const Properties& properties() const { return properties_; }
  const std::string& id() const { return properties_.id; }

  // Memory.
  virtual Outcome<void*> allocate(std::size_t bytes) = 0;
  virtual Done free(void* pointer) = 0;
  // The device's own stream-ordered allocator (hipMallocAsync); kNotAvailable if it has none.
  virtual Outcome<void*> allocate_async(std::size_t bytes, Stream stream) = 0;
  virtual Done free_async(void* pointer, Stream stream) = 0;
  // Page-locked host memory, which asynchronous copies need.
  virtual Outcome<void*> allocate_pinned(std::size_t bytes) = 0;
  virtual Done free_pinned(void* pointer) = 0;
  // Makes memory of the program page-locked memory of the device, under the same address.
  virtual Done register_pinned(void* memory, std::size_t bytes) = 0;
  virtual Done unregister_pinned(void* memory) = 0;
  virtual Outcome<MemoryInfo> memory_info() = 0;

  // Copies. The first one waits; the second one needs pinned host memory to be asynchronous.
  virtual Done copy(void* to, const void* from, std::size_t bytes, Direction direction) = 0;
  virtual Done copy_async(void* to, const void* from, std::size_t bytes, Direction direction,
                          Stream stream) = 0;
  // From this device's memory to `other`'s, a device of the same kind; `stream` is this device's.
  virtual Done copy_peer(void* to, Device& other, const void* from, std::size_t bytes,
                         Stream stream) = 0;
  virtual Done fill(void* to, unsigned char byte, std::size_t bytes, Stream stream) = 0;
  virtual Outcome<bool> can_access_peer(Device& other) = 0;
  virtual Done enable_peer_access(Device& other) = 0;  // no error if already enabled

  // Code. `code_object` is what the toolchain compiled for properties().architecture; the cpu
  // device takes an empty one and finds the kernels that were registered.
  virtual Outcome<Module> load(std::string_view code_object) = 0;
  virtual Done unload(Module module) = 0;
  virtual Outcome<Function> find(Module module, const std::string& symbol) = 0;
  // Sizes of the arguments that a launch passes; kNotAvailable if the runtime does not report them.
  virtual Outcome<std::vector<std::size_t>> argument_sizes(Function function) = 0;
  virtual Done launch(Function function, const Launch& launch,
                      std::span<const Argument> arguments) = 0;

  // Streams. Their work is in order; different streams are not ordered by each other, nor by the
  // default stream.
  virtual PriorityRange priorities() = 0;
  virtual Outcome<Stream> create_stream(int priority) = 0;
  virtual Done destroy_stream(Stream stream) = 0;  // after its work is done
  virtual Done synchronize(Stream stream) = 0;
  virtual Outcome<bool> idle(Stream stream) = 0;
  virtual Done synchronize() = 0;  // all streams
  // True only if an event recorded in `stream` now would be reached at once, at host time: the
  // stream has no work, is not captured, and the host is the device.
  virtual bool at_rest(Stream) noexcept { return false; }

  // Events.
  virtual Outcome<Event> create_event(bool timed) = 0;
  virtual Done destroy_event(Event event) = 0;
  virtual Done record(Event event, Stream stream) = 0;
  virtual Done wait(Stream stream, Event event) = 0;  // the stream waits, not the caller
  virtual Outcome<bool> reached(Event event) = 0;
  virtual Done synchronize(Event event) = 0;
  virtual Outcome<double> elapsed_ms(Event start, Event stop) = 0;  // both reached and timed

  // Graphs. Between begin and end, work submitted to `stream` is captured instead of executed.
  virtual Done begin_capture(Stream stream) = 0;  // not of the default stream
  virtual Outcome<CaptureState> capture_state(Stream stream) = 0;
  virtual Outcome<Graph> end_capture(Stream stream) = 0;
  virtual Done launch(Graph graph, Stream stream) = 0;
  virtual Done destroy(Graph graph) = 0;
  // Its kernel launches in the order of capture.
  virtual Outcome<std::vector<KernelNode>> kernel_nodes(Graph graph) = 0;
  virtual Done set_arguments(Graph graph, std::size_t kernel_node,
                             std::span<const Argument> arguments) = 0;
  // Updates `graph` with the parameters of `newer`, which must have the same shape; the error names
  // the difference. The caller keeps `newer`.
  virtual Done update(Graph graph, Graph newer) = 0;

 protected:
  Properties properties_;
};

// --- Finding devices (select.cpp) ---

// A parsed selector: "auto", "hip", "hip:1", "cuda:0", "soft:gfx942", "soft:gfx942,gfx1100", "cpu".
// Devices of a kind are counted from 0; -1 if no index was given.
struct Selector {
  std::optional<Kind> kind;  // empty: auto
  int index = -1;
  std::vector<std::string> targets;  // of soft, one per device: "gfx942", "gfx942#1" (the second)
  std::string text;                  // as written
};
Outcome<Selector> parse_selector(std::string_view text);
// $HIPWRIGHT_DEVICE, or "auto" when it is not set.
Outcome<Selector> selector_from_environment();

// Opens all devices that match a selector; "auto" is AMD's, else NVIDIA's, else the CPU. Never
// empty. A device that is open in this process is returned again, not opened twice.
Outcome<std::vector<std::shared_ptr<Device>>> open_all(const Selector& selector);

// Per kind, in <kind>/open.cpp. The error gives the reason: no library, no driver, no device.
Outcome<std::vector<std::shared_ptr<Device>>> open_hip();
Outcome<std::vector<std::shared_ptr<Device>>> open_cuda();
Outcome<std::vector<std::shared_ptr<Device>>> open_soft(const std::vector<std::string>& targets);
Outcome<std::vector<std::shared_ptr<Device>>> open_cpu();

}  // namespace hipwright::device
