// SPDX-License-Identifier: MIT
// A device whose streams stand still until a test lets them go on, and which notices misuse: memory
// touched by two streams that nothing orders, memory freed while it is in use, event calls on a
// stream that is being captured.
//
// Order is kept with vector clocks: work of a stream comes after what the stream did before, after
// the events it waits for, and after everything that the host had seen finished when the work was
// given. It does not matter how far the streams have come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"

namespace hipwright::device {

class FakeDevice : public Device {
 public:
  struct Calls {
    int allocate = 0, free = 0, allocate_async = 0, free_async = 0, memory_info = 0;
    int record = 0, wait = 0, reached = 0, synchronize = 0;
  };

  explicit FakeDevice(std::uint64_t total_bytes, bool manual = true);
  ~FakeDevice() override;

  // --- What a test says ---
  // Work on `stream` that reads or writes these bytes.
  void touch(const void* address, std::size_t bytes, Stream stream = nullptr);
  // The stream does all it was given, and what that waits for.
  void complete(Stream stream = nullptr);
  // Other processes hold this much of the device's memory.
  void set_used_by_others(std::uint64_t bytes);
  // Asked with (bytes) before each allocation; a failure is its answer.
  std::function<Done(std::size_t)> before_allocate;
  std::function<Done()> before_synchronize;
  std::function<Done()> before_record;
  bool has_stream_ordered_allocator = false;
  bool stream_ordered_allocator_is_broken = false;  // gives memory out twice

  // --- What a test asks ---
  // What went wrong; empty is good.
  std::vector<std::string> violations() const;
  Calls calls() const;
  std::size_t live_allocations() const;
  std::uint64_t live_bytes() const;
  std::size_t live_events() const;
  std::size_t live_streams() const;

  // --- Device ---
  Outcome<void*> allocate(std::size_t bytes) override;
  Done free(void* pointer) override;
  Outcome<void*> allocate_async(std::size_t bytes, Stream stream) override;
  Done free_async(void* pointer, Stream stream) override;
  Outcome<void*> allocate_pinned(std::size_t) override { return unused(); }
  Done free_pinned(void*) override { return unused(); }
  Done register_pinned(void*, std::size_t) override { return unused(); }
  Done unregister_pinned(void*) override { return unused(); }
  Outcome<MemoryInfo> memory_info() override;
  Done copy(void* to, const void* from, std::size_t bytes, Direction) override;
  Done copy_async(void*, const void*, std::size_t, Direction, Stream) override { return unused(); }
  Done copy_peer(void*, Device&, const void*, std::size_t, Stream) override { return unused(); }
  Done fill(void* to, unsigned char byte, std::size_t bytes, Stream stream) override;
  Outcome<bool> can_access_peer(Device&) override { return false; }
  Done enable_peer_access(Device&) override { return unused(); }
  Outcome<Module> load(std::string_view) override { return unused(); }
  Done unload(Module) override { return unused(); }
  Outcome<Function> find(Module, const std::string&) override { return unused(); }
  Outcome<std::vector<std::size_t>> argument_sizes(Function) override { return unused(); }
  Done launch(Function, const Launch&, std::span<const Argument>) override { return unused(); }
  PriorityRange priorities() override { return {}; }
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
  Done synchronize(Event) override { return unused(); }
  Outcome<double> elapsed_ms(Event, Event) override { return unused(); }
  Done begin_capture(Stream stream) override;
  Outcome<CaptureState> capture_state(Stream stream) override;
  Outcome<Graph> end_capture(Stream stream) override;
  Done launch(Graph, Stream) override { return unused(); }
  Done destroy(Graph) override { return {}; }
  Outcome<std::vector<KernelNode>> kernel_nodes(Graph) override { return unused(); }
  Done set_arguments(Graph, std::size_t, std::span<const Argument>) override { return unused(); }
  Done update(Graph, Graph) override { return unused(); }

 private:
  // How far each stream had come.
  class Clock {
   public:
    std::uint64_t of(int stream) const;
    void advance(int stream) { ++times_[stream]; }
    void join(const Clock& other);
    const std::map<int, std::uint64_t>& times() const { return times_; }

   private:
    std::map<int, std::uint64_t> times_;
  };
  struct StreamRecord {
    int number = 0;
    Clock clock;
    bool capturing = false;
  };
  struct EventRecord {
    Clock clock;
    int stream = 0;
    bool recorded = false;
  };
  struct Access {
    std::size_t offset, bytes;
    int stream;
    std::uint64_t time;
  };
  struct Allocation {
    std::size_t bytes = 0;
    std::vector<Access> accesses;
    bool async = false;
  };

  static std::unexpected<Failure> unused() {
    return std::unexpected(
        Failure(FailureKind::kDevice, "call", "fake", "not made by these tests"));
  }
  StreamRecord& record_of(Stream stream);
  EventRecord& record_of(Event event);
  void violation(std::string text) { violations_.push_back(std::move(text)); }
  void submit(StreamRecord& stream);
  void use(const void* address, std::size_t bytes, StreamRecord& stream);
  void complete_clock(const Clock& clock);
  bool is_complete(const Clock& clock) const;
  bool any_capture() const;
  Outcome<void*> map_memory(std::size_t bytes);
  void check_unused(const Allocation& allocation, const Clock& by, const char* what);

  const std::uint64_t total_;
  const bool manual_;
  mutable std::mutex mutex_;
  std::uint64_t used_by_others_ = 0;
  std::uint64_t live_bytes_ = 0;
  Calls calls_;
  std::vector<std::string> violations_;
  std::map<const std::byte*, Allocation> allocations_;
  StreamRecord default_stream_;
  std::set<StreamRecord*> streams_;
  std::set<EventRecord*> events_;
  int next_stream_ = 1;
  Clock host_;  // what the host has seen finished
  Clock done_;  // what is finished
};

}  // namespace hipwright::device
