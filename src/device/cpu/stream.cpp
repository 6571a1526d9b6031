// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "device/cpu/device.h"

namespace hipwright::device::cpu {

CpuDevice::CpuDevice() : default_queue_(workers_) {
  properties_ = machine_properties();
}

CpuDevice::~CpuDevice() {
  drain_all();
  for (const auto& [memory, allocation] : allocations_) std::free(const_cast<std::byte*>(memory));
}

std::unexpected<Failure> CpuDevice::failure(std::string call, std::string why,
                                            std::string advice) const {
  return std::unexpected(
      Failure(FailureKind::kDevice, std::move(call), id(), std::move(why), std::move(advice)));
}

void CpuDevice::drain_all() {
  std::vector<std::shared_ptr<Queue>> queues;
  {
    const std::lock_guard lock(streams_mutex_);
    for (const auto& [stream, queue] : streams_)
      if (!queue->idle()) queues.push_back(queue);
  }
  default_queue_.drain();
  for (const auto& queue : queues) queue->drain();
}

Done CpuDevice::submit(const char* call, Stream stream, Operation operation) {
  Queue& queue = queue_of(stream);
  if (queue.capturing.load(std::memory_order_acquire))
    return append(call, queue, std::move(operation));
  queue.push(std::move(operation));
  return {};
}

PriorityRange CpuDevice::priorities() {
  return {0, 0};
}

Outcome<Stream> CpuDevice::create_stream(int) {
  auto queue = std::make_shared<Queue>(workers_);
  const Stream stream = handle(*queue);
  const std::lock_guard lock(streams_mutex_);
  streams_.emplace(stream, std::move(queue));
  return stream;
}

Done CpuDevice::destroy_stream(Stream stream) {
  if (stream == nullptr)
    return failure("destroy_stream", "the default stream lives as long as its device");
  std::shared_ptr<Queue> queue;
  {
    const std::lock_guard lock(streams_mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end())
      return failure("destroy_stream", "no such stream", "Destroy it once.");
    queue = found->second;
  }
  HW_CHECK(refuse_in_capture("destroy_stream", *queue));
  const std::lock_guard lock(streams_mutex_);
  streams_.erase(stream);
  return {};
}

Done CpuDevice::synchronize(Stream stream) {
  Queue& queue = queue_of(stream);
  HW_CHECK(refuse_in_capture("synchronize", queue));
  queue.drain();
  if (auto failed = queue.take_failure()) return std::unexpected(std::move(*failed));
  return {};
}

Outcome<bool> CpuDevice::idle(Stream stream) {
  Queue& queue = queue_of(stream);
  if (queue.capturing.load(std::memory_order_acquire)) HW_CHECK(refuse_in_capture("idle", queue));
  return queue.idle();
}

Done CpuDevice::synchronize() {
  HW_CHECK(refuse_while_anybody_captures("synchronize"));
  drain_all();
  std::vector<std::shared_ptr<Queue>> queues;
  {
    const std::lock_guard lock(streams_mutex_);
    for (const auto& [stream, queue] : streams_) queues.push_back(queue);
  }
  if (auto failed = default_queue_.take_failure()) return std::unexpected(std::move(*failed));
  for (const auto& queue : queues)
    if (auto failed = queue->take_failure()) return std::unexpected(std::move(*failed));
  return {};
}

Outcome<Event> CpuDevice::create_event(bool timed) {
  return reinterpret_cast<Event>(new Mark(timed));
}

Done CpuDevice::destroy_event(Event event) {
  delete &mark_of(event);
  return {};
}

Done CpuDevice::record(Event event, Stream stream) {
  Mark& mark = mark_of(event);
  Queue& queue = queue_of(stream);
  if (queue.capturing.load(std::memory_order_acquire)) return record_in_capture(mark, queue);
  const bool idle = queue.idle();
  std::shared_ptr<Point> point;
  {
    const std::lock_guard lock(mark.mutex);
    if (mark.capture) {
      mark.capture.reset();
      mark.after.clear();
    }
    if (idle) {
      // Nothing else refers to the old point, so it can be reused.
      if (mark.point.use_count() != 1) mark.point = std::make_shared<Point>();
      mark.point->reach(Clock::now());
      return {};
    }
    mark.point = point = std::make_shared<Point>();
  }
  queue.push(Reach{std::move(point)});
  return {};
}

Done CpuDevice::wait(Stream stream, Event event) {
  Mark& mark = mark_of(event);
  Queue& queue = queue_of(stream);
  std::shared_ptr<Point> point;
  {
    std::unique_lock lock(mark.mutex);
    if (mark.capture || queue.capturing.load(std::memory_order_acquire)) {
      lock.unlock();
      return wait_in_capture(queue, mark);
    }
    point = mark.point;
  }
  if (point && !point->reached()) queue.push(Await{std::move(point)});
  return {};
}

Outcome<bool> CpuDevice::reached(Event event) {
  Mark& mark = mark_of(event);
  HW_CHECK(refuse_captured("reached", mark));
  const std::lock_guard lock(mark.mutex);
  return !mark.point || mark.point->reached();
}

Done CpuDevice::synchronize(Event event) {
  Mark& mark = mark_of(event);
  HW_CHECK(refuse_captured("synchronize", mark));
  std::shared_ptr<Point> point;
  {
    const std::lock_guard lock(mark.mutex);
    point = mark.point;
  }
  if (point) point->wait();
  return {};
}

Outcome<double> CpuDevice::elapsed_ms(Event start, Event stop) {
  Clock::time_point when[2];
  for (const auto& [i, event] : {std::pair(0, start), std::pair(1, stop)}) {
    Mark& mark = mark_of(event);
    HW_CHECK(refuse_captured("elapsed_ms", mark));
    const char* const which = i == 0 ? "start" : "stop";
    if (!mark.timed)
      return failure("elapsed_ms", fmt::format("the {} event is not timed", which),
                     "Create it as a timed event.");
    const std::lock_guard lock(mark.mutex);
    if (!mark.point)
      return failure("elapsed_ms", fmt::format("the {} event was never recorded", which));
    if (!mark.point->reached())
      return failure("elapsed_ms", fmt::format("the {} event has not been reached", which),
                     "Synchronize it first.");
    when[i] = mark.point->when();
  }
  return std::chrono::duration<double, std::milli>(when[1] - when[0]).count();
}

}  // namespace hipwright::device::cpu
