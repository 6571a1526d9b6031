// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "device/arguments.h"
#include "device/cuda/api.h"
#include "device/device.h"

namespace hipwright::device::cuda {

// The driver's error as a Failure, from the table in errors.cpp.
Failure failure_of(const Api& api, CUresult result, std::string call, const std::string& device);
std::span<const NativeError> native_errors();

// Graphs keep those that they launch.
struct LoadedFunction : std::enable_shared_from_this<LoadedFunction> {
  CUfunction native = nullptr;
  std::string name;
  std::vector<std::size_t> parameter_sizes;
  bool sizes_known = false;  // the driver reports them since CUDA 12.4
  KernelLimits limits;
  std::size_t static_shared = 0;
  std::mutex mutex;  // of what follows
  bool all_shared_allowed = false;
};

struct LoadedModule {
  CUmodule native = nullptr;
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<LoadedFunction>, std::less<>> functions;
};

struct CapturedKernel {
  CUgraphNode node = nullptr;
  std::shared_ptr<LoadedFunction> function;
  Launch launch;
};

struct CapturedGraph {
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  std::vector<CapturedKernel> kernels;
};

class CudaDevice final : public Device {
 public:
  CudaDevice(const Api& api, CUdevice ordinal, CUcontext context);

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

  CUcontext context() const { return context_; }

 private:
  void read_properties();
  int attribute(int which) const;
  Done check(CUresult result, const char* call) const;
  std::unexpected<Failure> missing(const char* call, const char* since) const;
  // Makes the device's context the calling thread's, then calls `function`, a member of Api.
  template <class Member, class... Args>
  Done call(const char* name, Member function, Args... arguments) const;
  template <class Member, class Handle>
  Outcome<bool> query(const char* name, Member function, Handle handle) const;
  Outcome<CudaDevice*> peer(Device& other, const char* call) const;
  Outcome<std::shared_ptr<LoadedFunction>> look_up(CUmodule module,
                                                   const std::string& symbol) const;
  Done allow_all_shared(LoadedFunction& function) const;
  Done remember_captured(LoadedFunction& function, const Launch& launch);

  const Api& api_;
  const CUdevice ordinal_;
  const CUcontext context_;
  // Launches into a capture, by the driver's capture id.
  std::atomic<unsigned> captures_{0};
  std::mutex captures_mutex_;
  std::map<unsigned long long, std::vector<CapturedKernel>> captured_;
};

inline CUstream native(Stream stream) {
  return reinterpret_cast<CUstream>(stream);
}
inline CUevent native(Event event) {
  return reinterpret_cast<CUevent>(event);
}
inline CUdeviceptr address(const void* pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

inline Done CudaDevice::check(CUresult result, const char* call) const {
  if (result == kSuccess) return {};
  return std::unexpected(failure_of(api_, result, call, id()));
}

template <class Member, class... Args>
Done CudaDevice::call(const char* name, Member function, Args... arguments) const {
  CUresult result = api_.cuCtxSetCurrent(context_);
  if (result == kSuccess) result = (api_.*function)(arguments...);
  return check(result, name);
}

// True when the work behind `handle` is done.
template <class Member, class Handle>
Outcome<bool> CudaDevice::query(const char* name, Member function, Handle handle) const {
  CUresult result = api_.cuCtxSetCurrent(context_);
  if (result == kSuccess) result = (api_.*function)(handle);
  if (result == kNotReady) return false;
  HW_CHECK(check(result, name));
  return true;
}

}  // namespace hipwright::device::cuda
