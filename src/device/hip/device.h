// SPDX-License-Identifier: MIT
// One device of a HIP runtime library: AMD's, or the software GPU's.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/arguments.h"
#include "device/hip/api.h"
#include "device/hip/errors.h"
#include "toolchain/code_object/code_object.h"

namespace hipwright::device::hip {

// What a device::Function points at. Graphs keep those that they launch.
struct LoadedFunction {
  hipFunction_t native = nullptr;
  std::string symbol;
  std::string name;                // demangled, for messages
  std::vector<std::size_t> sizes;  // of the arguments that a caller passes
  KernelLimits limits;
  std::optional<std::array<std::uint32_t, 3>> required_block;
};

// What a device::Module points at.
struct LoadedModule {
  explicit LoadedModule(toolchain::CodeObject object) : code(std::move(object)) {}
  toolchain::CodeObject code;
  hipModule_t native = nullptr;
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<LoadedFunction>> functions;  // asked for so far
};

// What a device::Graph points at.
struct CapturedGraph {
  struct Kernel {
    std::size_t node = 0;                            // in `nodes`
    std::shared_ptr<const LoadedFunction> function;  // nullptr: not loaded by hipwright
    hipKernelNodeParams params{};
    // HIP 5 keeps pointers to the arguments of an update, not copies.
    std::vector<std::vector<std::byte>> values;
    std::vector<void*> pointers;
  };
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  std::mutex mutex;  // of what follows
  std::vector<hipGraphNode_t> nodes;
  std::vector<hipGraphNodeType> types;  // of `nodes`
  std::vector<Kernel> kernels;          // in the order of capture
};

class HipDevice : public Device {
 public:
  // `ordinal` is the library's number of the device; the id and the index are the caller's.
  static Outcome<std::shared_ptr<HipDevice>> open(std::shared_ptr<const Api> api, Kind kind,
                                                  int ordinal, int index, std::string id);

  Outcome<void*> allocate(std::size_t bytes) override;
  Done free(void* pointer) override;
  Outcome<void*> allocate_async(std::size_t bytes, Stream stream) override;
  Done free_async(void* pointer, Stream stream) override;
  Outcome<void*> allocate_pinned(std::size_t bytes) override;
  Done free_pinned(void* pointer) override;
  Done register_pinned(void* memory, std::size_t bytes) override;
  Done unregister_pinned(void* memory) override;
  Outcome<MemoryInfo> memory_info() override;
  Done copy(void* to, const void* from, std::size_t bytes, Direction direction) override;
  Done copy_async(void* to, const void* from, std::size_t bytes, Direction direction,
                  Stream stream) override;
  Done copy_peer(void* to, Device& other, const void* from, std::size_t bytes,
                 Stream stream) override;
  Done fill(void* to, unsigned char byte, std::size_t bytes, Stream stream) override;
  Outcome<bool> can_access_peer(Device& other) override;
  Done enable_peer_access(Device& other) override;

  Outcome<Module> load(std::string_view code_object) override;
  Done unload(Module module) override;
  Outcome<Function> find(Module module, const std::string& symbol) override;
  Outcome<std::vector<std::size_t>> argument_sizes(Function function) override;
  Done launch(Function function, const Launch& launch,
              std::span<const Argument> arguments) override;

  PriorityRange priorities() override;
  Outcome<Stream> create_stream(int priority) override;
  Done destroy_stream(Stream stream) override;
  Done synchronize(Stream stream) override;
  Outcome<bool> idle(Stream stream) override;
  Done synchronize() override;

  Outcome<Event> create_event(bool timed) override;
  Done destroy_event(Event event) override;
  Done record(Event event, Stream stream) override;
  Done wait(Stream stream, Event event) override;
  Outcome<bool> reached(Event event) override;
  Done synchronize(Event event) override;
  Outcome<double> elapsed_ms(Event start, Event stop) override;

  Done begin_capture(Stream stream) override;
  Outcome<CaptureState> capture_state(Stream stream) override;
  Outcome<Graph> end_capture(Stream stream) override;
  Done launch(Graph graph, Stream stream) override;
  Done destroy(Graph graph) override;
  Outcome<std::vector<KernelNode>> kernel_nodes(Graph graph) override;
  Done set_arguments(Graph graph, std::size_t kernel_node,
                     std::span<const Argument> arguments) override;
  Done update(Graph graph, Graph newer) override;

 private:
  HipDevice(std::shared_ptr<const Api> api, int ordinal)
      : api_(std::move(api)), ordinal_(ordinal) {}
  Done read_properties(Kind kind, int index, std::string id);

  // Calls a function of the runtime with this device as the thread's current one.
  template <class... Parameters, class... Arguments>
  Done call(const Entry<hipError_t(Parameters...)>& entry, Arguments... arguments) {
    if (!entry) return std::unexpected(missing(entry.name));
    if (const hipError_t error = api_->hipSetDevice.function(ordinal_); error != hipSuccess)
      return std::unexpected(failure(error, api_->hipSetDevice.name));
    if (const hipError_t error = entry.function(arguments...); error != hipSuccess)
      return std::unexpected(failure(error, entry.name));
    return {};
  }
  // The same for queries whose "not yet" is not a failure.
  template <class... Parameters, class... Arguments>
  Outcome<bool> query(const Entry<hipError_t(Parameters...)>& entry, Arguments... arguments) {
    if (!entry) return std::unexpected(missing(entry.name));
    if (const hipError_t error = api_->hipSetDevice.function(ordinal_); error != hipSuccess)
      return std::unexpected(failure(error, api_->hipSetDevice.name));
    const hipError_t answer = entry.function(arguments...);
    if (answer == hipSuccess) return true;
    if (answer != hipErrorNotReady) return std::unexpected(failure(answer, entry.name));
    static_cast<void>(api_->hipGetLastError.function());  // some releases remember it
    return false;
  }
  // Also clears the runtime's sticky error, so that no later call returns it.
  Failure failure(hipError_t error, const char* call) const;
  Failure missing(const char* symbol) const;
  std::unexpected<Failure> refused(FailureKind kind, std::string what, std::string why,
                                   std::string advice = {}) const;
  Outcome<HipDevice*> peer(Device& other, const char* call) const;

  Outcome<CapturedGraph*> describe(std::unique_ptr<CapturedGraph> graph);
  Done check_grid(const LoadedFunction& function, const Launch& launch) const;

  std::shared_ptr<const Api> api_;
  int ordinal_;
  // For graphs, whose nodes name kernels by the native handle.
  std::mutex functions_mutex_;
  std::unordered_map<hipFunction_t, std::shared_ptr<const LoadedFunction>> functions_;
};

// Opened once per library: the devices that were opened on it, by ordinal.
class Runtime {
 public:
  // Thread-safe. The same library has the same runtime, however often it was loaded.
  static Outcome<Runtime*> of(toolchain::DynamicLibrary library);

  const std::shared_ptr<const Api>& api() const { return api_; }
  const toolchain::DynamicLibrary& library() const { return library_; }
  // The device of that ordinal, opened at the first call; `index` and `id` count then.
  Outcome<std::shared_ptr<Device>> device(Kind kind, int ordinal, int index, const std::string& id);

 private:
  Runtime(toolchain::DynamicLibrary library, std::shared_ptr<const Api> api)
      : library_(std::move(library)), api_(std::move(api)) {}

  toolchain::DynamicLibrary library_;
  std::shared_ptr<const Api> api_;
  std::mutex mutex_;
  std::unordered_map<int, std::shared_ptr<Device>> devices_;
};

// Handles of the interface are the native ones, or pointers to the structures above.
inline hipStream_t native(Stream stream) {
  return reinterpret_cast<hipStream_t>(stream);
}
inline hipEvent_t native(Event event) {
  return reinterpret_cast<hipEvent_t>(event);
}

}  // namespace hipwright::device::hip
