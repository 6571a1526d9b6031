// SPDX-License-Identifier: MIT
// The host as a device: kernels are registered C++ functions, memory is the host's, streams are
// threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "device/cpu/queue.h"
#include "device/device.h"

namespace hipwright::device::cpu {

constexpr unsigned kMaxThreadsPerBlock = 1024;
constexpr std::size_t kSharedBytesPerBlock = 64 << 10;
constexpr std::size_t kAlignment = 256;

class CpuDevice final : public Device {
 public:
  CpuDevice();
  CpuDevice(const CpuDevice&) = delete;
  CpuDevice& operator=(const CpuDevice&) = delete;
  ~CpuDevice() override;

  // memory.cpp
  Outcome<void*> allocate(std::size_t bytes) override;
  // Waits for all streams first, so that no kernel can be using the memory.
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

  // module.cpp
  Outcome<Module> load(std::string_view code_object) override;
  Done unload(Module module) override;
  Outcome<Function> find(Module module, const std::string& symbol) override;
  Outcome<std::vector<std::size_t>> argument_sizes(Function function) override;
  Done launch(Function function, const Launch& launch,
              std::span<const Argument> arguments) override;

  // stream.cpp
  PriorityRange priorities() override;
  Outcome<Stream> create_stream(int priority) override;
  Done destroy_stream(Stream stream) override;
  Done synchronize(Stream stream) override;
  Outcome<bool> idle(Stream stream) override;
  Done synchronize() override;
  bool at_rest(Stream stream) noexcept override {
    const Queue& queue = queue_of(stream);
    return queue.idle() && !queue.capturing.load(std::memory_order_acquire);
  }
  Outcome<Event> create_event(bool timed) override;
  Done destroy_event(Event event) override;
  Done record(Event event, Stream stream) override;
  Done wait(Stream stream, Event event) override;
  Outcome<bool> reached(Event event) override;
  Done synchronize(Event event) override;
  Outcome<double> elapsed_ms(Event start, Event stop) override;

  // graph.cpp
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
  enum class Origin { kAllocated, kPinned, kRegistered };
  struct Allocation {
    std::size_t bytes;
    Origin origin;
  };

  std::unexpected<Failure> failure(std::string call, std::string why,
                                   std::string advice = {}) const;
  Queue& queue_of(Stream stream) {
    return stream == nullptr ? default_queue_ : *reinterpret_cast<Queue*>(stream);
  }
  void drain_all();

  // memory.cpp
  Outcome<void*> take(const char* call, std::size_t bytes, Origin origin);
  Done give_back(const char* call, void* pointer, Origin origin);
  // `bytes` from `pointer` must lie in one allocation.
  Done check_range(const char* call, const void* pointer, std::size_t bytes) const;
  Done check_copy(const char* call, const void* to, const void* from, std::size_t bytes,
                  Direction direction) const;

  // Runs `operation` in the stream's order, or captures it.
  Done submit(const char* call, Stream stream, Operation operation);

  // graph.cpp. While `queue` is captured, or this thread captures anything: the call breaks the
  // capture and fails.
  Done refuse_in_capture(const char* call, Queue& queue);
  Done refuse_while_capturing(const char* call);
  Done refuse_while_anybody_captures(const char* call);
  Failure break_capture(Capture& capture, const char* call, std::string why, std::string advice);
  Done append(const char* call, Queue& queue, Operation operation);
  Done record_in_capture(Mark& mark, Queue& queue);
  Done wait_in_capture(Queue& queue, Mark& mark);
  // Of an event that was recorded in a capture.
  Done refuse_captured(const char* call, Mark& mark);
  void end(const std::shared_ptr<Capture>& capture);

  mutable std::shared_mutex memory_mutex_;
  std::map<const std::byte*, Allocation> allocations_;
  std::size_t allocated_ = 0;

  Workers workers_;
  Queue default_queue_;
  std::mutex streams_mutex_;
  std::map<Stream, std::shared_ptr<Queue>> streams_;

  std::mutex capture_mutex_;
  std::vector<std::shared_ptr<Capture>> captures_;
  std::atomic<std::size_t> capture_count_ = 0;
};

inline Stream handle(Queue& queue) {
  return reinterpret_cast<Stream>(&queue);
}
inline Mark& mark_of(Event event) {
  return *reinterpret_cast<Mark*>(event);
}
inline RecordedGraph& graph_of(Graph graph) {
  return *reinterpret_cast<RecordedGraph*>(graph);
}

void run_kernel(const KernelCall& call, Workers& workers);

// properties.cpp. `root` stands for "/": what this process may use of the machine's memory.
MemoryInfo machine_memory(const std::string& root = "");
Properties machine_properties();

}  // namespace hipwright::device::cpu
