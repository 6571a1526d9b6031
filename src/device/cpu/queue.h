// SPDX-License-Identifier: MIT
// The types behind the handles of the cpu device: operations, in-order queues, events.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "base/thread_pool.h"
#include "device/cpu/registry.h"
#include "device/device.h"

namespace hipwright::device::cpu {

using Clock = std::chrono::steady_clock;

// The threads that kernels run on, started by the first kernel.
class Workers {
 public:
  ThreadPool& pool();

 private:
  std::once_flag once_;
  std::unique_ptr<ThreadPool> pool_;
};

// A position in a stream's order, reached once.
class Point {
 public:
  void reach(Clock::time_point when);
  bool reached() const { return reached_.load(std::memory_order_acquire) != 0; }
  void wait() const { reached_.wait(0, std::memory_order_acquire); }
  Clock::time_point when() const;

 private:
  std::atomic<Clock::rep> when_ = 0;
  std::atomic<int> reached_ = 0;
};

// Copies of a kernel's arguments, each aligned as its type may need.
class ArgumentBytes {
 public:
  explicit ArgumentBytes(std::span<const Argument> arguments);
  const void* const* addresses() const { return addresses_.data(); }

 private:
  struct Release {
    void operator()(std::byte* bytes) const;
  };
  std::unique_ptr<std::byte, Release> bytes_;
  std::vector<const void*> addresses_;
};

struct KernelCall {
  std::shared_ptr<const RegisteredKernel> kernel;
  Launch launch;
  ArgumentBytes arguments;
};
struct CopyCall {
  void* to;
  const void* from;
  std::size_t bytes;
};
struct FillCall {
  void* to;
  unsigned char byte;
  std::size_t bytes;
};
using Operation = std::variant<KernelCall, CopyCall, FillCall>;
std::string describe(const Operation& operation);  // "kernel 'add'", "a copy", "a fill"

// One operation of a graph. Replay runs the nodes in the order of capture, which respects `after`.
struct Node {
  std::shared_ptr<const Operation> operation;
  std::vector<std::size_t> after;
};
using Nodes = std::vector<Node>;

struct Reach {
  std::shared_ptr<Point> point;
};
struct Await {
  std::shared_ptr<const Point> point;
};
struct Replay {
  std::shared_ptr<const Nodes> nodes;
};
using Task = std::variant<Operation, Reach, Await, Replay>;

class Queue;

// Streams that capture work instead of executing it. Guarded by the device's capture mutex.
struct Capture {
  Queue* origin = nullptr;
  std::thread::id thread;       // that began it
  std::vector<Queue*> members;  // the origin, and those that waited for an event of a member
  Nodes nodes;
  std::optional<Failure> broken;  // the cause
  bool ended = false;
};

// A stream: executes work in order, on its own thread, which starts with the first work.
class Queue {
 public:
  explicit Queue(Workers& workers) : workers_(workers) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();  // finishes pending work

  void push(Task task);
  bool idle() const { return pending_.load(std::memory_order_acquire) == 0; }
  void drain();  // waits for the work pushed so far
  // The exception of a kernel since the last call.
  std::optional<Failure> take_failure();

  // Guarded by the device's capture mutex; `capturing` may be read without.
  std::atomic<bool> capturing = false;
  std::shared_ptr<Capture> capture;
  std::vector<std::size_t> tail;  // the nodes that the next one comes after

 private:
  void work();
  std::optional<Failure> run(const Task& task);

  Workers& workers_;
  std::atomic<std::size_t> pending_ = 0;
  std::mutex mutex_;
  std::condition_variable ready_, finished_;
  std::deque<Task> tasks_;
  std::uint64_t pushed_ = 0, done_ = 0;
  std::optional<Failure> failure_;
  bool stopping_ = false;
  std::thread thread_;
};

// An event; each record gives it a new point, so that waits for an old one stay valid.
struct Mark {
  explicit Mark(bool is_timed) : timed(is_timed) {}
  const bool timed;

  std::mutex mutex;
  std::shared_ptr<Point> point;  // none: never recorded
  // When it was recorded in a capture instead: there, after these nodes.
  std::shared_ptr<Capture> capture;
  std::vector<std::size_t> after;
};

struct FunctionRef {
  std::shared_ptr<const RegisteredKernel> kernel;
};
struct LoadedModule {
  std::mutex mutex;
  std::vector<std::unique_ptr<FunctionRef>> functions;
};

struct RecordedGraph {
  std::mutex mutex;
  std::shared_ptr<const Nodes> nodes;  // replaced whole: a replay keeps what it was launched with
};

}  // namespace hipwright::device::cpu
