// SPDX-License-Identifier: MIT
#include "device/cpu/queue.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "device/cpu/device.h"

namespace hipwright::device::cpu {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

constexpr std::align_val_t kArgumentAlignment{64};

void run(const Operation& operation, Workers& workers) {
  std::visit(Overloaded{[&](const KernelCall& call) { run_kernel(call, workers); },
                        [](const CopyCall& call) { std::memmove(call.to, call.from, call.bytes); },
                        [](const FillCall& call) { std::memset(call.to, call.byte, call.bytes); }},
             operation);
}

Failure thrown_by(const Operation& operation, const char* what) {
  return Failure(FailureKind::kDevice, "launch", "cpu",
                 fmt::format("{} threw an exception: {}", describe(operation), what),
                 "Its remaining blocks were skipped; later work in the stream was executed.");
}

std::optional<Failure> try_run(const Operation& operation, Workers& workers) {
  try {
    run(operation, workers);
  } catch (const std::exception& thrown) {
    return thrown_by(operation, thrown.what());
  } catch (...) {
    return thrown_by(operation, "not a std::exception");
  }
  return std::nullopt;
}

}  // namespace

ThreadPool& Workers::pool() {
  std::call_once(once_, [this] { pool_ = std::make_unique<ThreadPool>(); });
  return *pool_;
}

void Point::reach(Clock::time_point when) {
  when_.store(when.time_since_epoch().count(), std::memory_order_relaxed);
  reached_.store(1, std::memory_order_release);
  reached_.notify_all();
}

Clock::time_point Point::when() const {
  return Clock::time_point(Clock::duration(when_.load(std::memory_order_relaxed)));
}

void ArgumentBytes::Release::operator()(std::byte* bytes) const {
  ::operator delete(bytes, kArgumentAlignment);
}

ArgumentBytes::ArgumentBytes(std::span<const Argument> arguments) {
  // A type's size is a multiple of its alignment: the lowest bit of the size is enough for it.
  std::vector<std::size_t> offsets;
  std::size_t end = 0;
  for (const Argument& argument : arguments) {
    const std::size_t alignment = std::clamp<std::size_t>(
        argument.size & (~argument.size + 1), 1, static_cast<std::size_t>(kArgumentAlignment));
    end = (end + alignment - 1) / alignment * alignment;
    offsets.push_back(end);
    end += argument.size;
  }
  bytes_.reset(
      static_cast<std::byte*>(::operator new(std::max<std::size_t>(end, 1), kArgumentAlignment)));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::byte* place = bytes_.get() + offsets[i];
    std::memcpy(place, arguments[i].value, arguments[i].size);
    addresses_.push_back(place);
  }
}

std::string describe(const Operation& operation) {
  return std::visit(
      Overloaded{
          [](const KernelCall& call) { return fmt::format("kernel '{}'", call.kernel->name); },
          [](const CopyCall& call) { return fmt::format("a copy of {} bytes", call.bytes); },
          [](const FillCall& call) { return fmt::format("a fill of {} bytes", call.bytes); }},
      operation);
}

Queue::~Queue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ready_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Queue::push(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    tasks_.push_back(std::move(task));
    ++pushed_;
    pending_.fetch_add(1, std::memory_order_release);
  }
  ready_.notify_one();
}

void Queue::drain() {
  if (idle()) return;
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this, until = pushed_] { return done_ >= until; });
}

std::optional<Failure> Queue::take_failure() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failure_, std::nullopt);
}

void Queue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ready_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    std::optional<Failure> failure;
    {
      const Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      failure = run(task);
    }
    lock.lock();
    if (failure && !failure_) failure_ = std::move(failure);
    ++done_;
    pending_.fetch_sub(1, std::memory_order_release);
    finished_.notify_all();
  }
}

std::optional<Failure> Queue::run(const Task& task) {
  return std::visit(
      Overloaded{[&](const Operation& operation) { return try_run(operation, workers_); },
                 [](const Reach& reach) -> std::optional<Failure> {
                   reach.point->reach(Clock::now());
                   return std::nullopt;
                 },
                 [](const Await& await) -> std::optional<Failure> {
                   await.point->wait();
                   return std::nullopt;
                 },
                 [&](const Replay& replay) {
                   std::optional<Failure> first;
                   for (const Node& node : *replay.nodes) {
                     auto failure = try_run(*node.operation, workers_);
                     if (failure && !first) first = std::move(failure);
                   }
                   return first;
                 }},
      task);
}

}  // namespace hipwright::device::cpu
