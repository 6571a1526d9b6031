// SPDX-License-Identifier: MIT
#include "runtime/fake_device.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace hipwright::device {

std::uint64_t FakeDevice::Clock::of(int stream) const {
  const auto found = times_.find(stream);
  return found == times_.end() ? 0 : found->second;
}

void FakeDevice::Clock::join(const Clock& other) {
  for (const auto& [stream, time] : other.times_) times_[stream] = std::max(times_[stream], time);
}

FakeDevice::FakeDevice(std::uint64_t total_bytes, bool manual)
    : total_(total_bytes), manual_(manual) {
  properties_.id = "fake";
  properties_.name = "a device for tests";
  properties_.memory_bytes = total_bytes;
}

FakeDevice::~FakeDevice() {
  for (const auto& [address, allocation] : allocations_)
    munmap(const_cast<std::byte*>(address), allocation.bytes);
  for (StreamRecord* stream : streams_) delete stream;
  for (EventRecord* event : events_) delete event;
}

FakeDevice::StreamRecord& FakeDevice::record_of(Stream stream) {
  if (stream == nullptr) return default_stream_;
  auto* record = reinterpret_cast<StreamRecord*>(stream);
  if (!streams_.contains(record)) bug("a stream that was destroyed", __FILE__, __LINE__);
  return *record;
}

FakeDevice::EventRecord& FakeDevice::record_of(Event event) {
  auto* record = reinterpret_cast<EventRecord*>(event);
  if (!events_.contains(record)) bug("an event that was destroyed", __FILE__, __LINE__);
  return *record;
}

void FakeDevice::submit(StreamRecord& stream) {
  stream.clock.join(host_);
  stream.clock.advance(stream.number);
  if (!manual_) complete_clock(stream.clock);
}

void FakeDevice::complete_clock(const Clock& clock) {
  done_.join(clock);
}

bool FakeDevice::is_complete(const Clock& clock) const {
  return std::ranges::all_of(clock.times(),
                             [&](const auto& item) { return done_.of(item.first) >= item.second; });
}

bool FakeDevice::any_capture() const {
  return std::ranges::any_of(streams_,
                             [](const StreamRecord* stream) { return stream->capturing; });
}

void FakeDevice::use(const void* address, std::size_t bytes, StreamRecord& stream) {
  const auto* begin = static_cast<const std::byte*>(address);
  auto found = allocations_.upper_bound(begin);
  if (found == allocations_.begin()) return violation("memory that was never allocated is used");
  --found;
  auto& [base, allocation] = *found;
  const auto offset = static_cast<std::size_t>(begin - base);
  if (offset + bytes > allocation.bytes) return violation("memory outside an allocation is used");
  submit(stream);
  std::erase_if(allocation.accesses,
                [&](const Access& access) { return access.time <= host_.of(access.stream); });
  for (const Access& access : allocation.accesses)
    if (access.stream != stream.number && access.offset < offset + bytes &&
        offset < access.offset + access.bytes && stream.clock.of(access.stream) < access.time)
      violation(fmt::format("streams {} and {} use the same memory in no order", access.stream,
                            stream.number));
  allocation.accesses.push_back({offset, bytes, stream.number, stream.clock.of(stream.number)});
}

void FakeDevice::touch(const void* address, std::size_t bytes, Stream stream) {
  const std::lock_guard lock(mutex_);
  use(address, bytes, record_of(stream));
}

void FakeDevice::complete(Stream stream) {
  const std::lock_guard lock(mutex_);
  complete_clock(record_of(stream).clock);
}

void FakeDevice::set_used_by_others(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  used_by_others_ = bytes;
}

std::vector<std::string> FakeDevice::violations() const {
  const std::lock_guard lock(mutex_);
  return violations_;
}
FakeDevice::Calls FakeDevice::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}
std::size_t FakeDevice::live_allocations() const {
  const std::lock_guard lock(mutex_);
  return allocations_.size();
}
std::uint64_t FakeDevice::live_bytes() const {
  const std::lock_guard lock(mutex_);
  return live_bytes_;
}
std::size_t FakeDevice::live_events() const {
  const std::lock_guard lock(mutex_);
  return events_.size();
}
std::size_t FakeDevice::live_streams() const {
  const std::lock_guard lock(mutex_);
  return streams_.size();
}

Outcome<void*> FakeDevice::map_memory(std::size_t bytes) {
  if (before_allocate) HW_CHECK(before_allocate(bytes));
  Failure full(FailureKind::kMemory, "fakeMalloc", id(), "out of memory");
  full.code = 2;
  full.code_name = "fakeErrorOutOfMemory";
  if (bytes > total_ - std::min(total_, used_by_others_ + live_bytes_))
    return std::unexpected(std::move(full));
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return std::unexpected(std::move(full));
  live_bytes_ += bytes;
  allocations_[static_cast<const std::byte*>(address)] = {.bytes = bytes};
  return address;
}

Outcome<void*> FakeDevice::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  ++calls_.allocate;
  return map_memory(bytes);
}

void FakeDevice::check_unused(const Allocation& allocation, const Clock& by, const char* what) {
  for (const Access& access : allocation.accesses)
    if (by.of(access.stream) < access.time)
      violation(fmt::format("{} while stream {} may use it", what, access.stream));
}

Done FakeDevice::free(void* pointer) {
  const std::lock_guard lock(mutex_);
  ++calls_.free;
  const auto found = allocations_.find(static_cast<const std::byte*>(pointer));
  if (found == allocations_.end()) {
    violation("freed memory that is not allocated");
    return std::unexpected(Failure(FailureKind::kDevice, "fakeFree", id(), "no such memory"));
  }
  check_unused(found->second, host_, "memory was freed");
  if (any_capture()) violation("memory was freed during a capture");
  live_bytes_ -= found->second.bytes;
  munmap(pointer, found->second.bytes);
  allocations_.erase(found);
  return {};
}

Outcome<void*> FakeDevice::allocate_async(std::size_t bytes, Stream stream) {
  const std::lock_guard lock(mutex_);
  ++calls_.allocate_async;
  if (!has_stream_ordered_allocator)
    return std::unexpected(
        Failure(FailureKind::kNotAvailable, "fakeMallocAsync", id(), "this device has none"));
  if (stream_ordered_allocator_is_broken)
    for (const auto& [address, allocation] : allocations_)
      if (allocation.async && allocation.bytes == bytes) return const_cast<std::byte*>(address);
  submit(record_of(stream));
  HW_TRY(void* address, map_memory(bytes));
  allocations_.at(static_cast<const std::byte*>(address)).async = true;
  return address;
}

Done FakeDevice::free_async(void* pointer, Stream stream) {
  const std::lock_guard lock(mutex_);
  ++calls_.free_async;
  StreamRecord& by = record_of(stream);
  submit(by);
  const auto found = allocations_.find(static_cast<const std::byte*>(pointer));
  if (found == allocations_.end()) {
    if (!stream_ordered_allocator_is_broken) violation("freed memory that is not allocated");
    return {};
  }
  check_unused(found->second, by.clock, "memory was freed in stream order");
  live_bytes_ -= found->second.bytes;
  munmap(pointer, found->second.bytes);
  allocations_.erase(found);
  return {};
}

Outcome<MemoryInfo> FakeDevice::memory_info() {
  const std::lock_guard lock(mutex_);
  ++calls_.memory_info;
  return MemoryInfo{.free_bytes = total_ - std::min(total_, used_by_others_ + live_bytes_),
                    .total_bytes = total_};
}

Done FakeDevice::copy(void* to, const void* from, std::size_t bytes, Direction) {
  std::memcpy(to, from, bytes);
  return {};
}

Done FakeDevice::fill(void* to, unsigned char byte, std::size_t bytes, Stream stream) {
  const std::lock_guard lock(mutex_);
  use(to, bytes, record_of(stream));
  std::memset(to, byte, bytes);
  return {};
}

Outcome<Stream> FakeDevice::create_stream(int) {
  const std::lock_guard lock(mutex_);
  auto* stream = new StreamRecord;
  stream->number = next_stream_++;
  streams_.insert(stream);
  return reinterpret_cast<Stream>(stream);
}

Done FakeDevice::destroy_stream(Stream stream) {
  const std::lock_guard lock(mutex_);
  StreamRecord& record = record_of(stream);
  if (!is_complete(record.clock)) violation("a stream was destroyed before its work was done");
  streams_.erase(&record);
  delete &record;
  return {};
}

Done FakeDevice::synchronize(Stream stream) {
  const std::lock_guard lock(mutex_);
  ++calls_.synchronize;
  if (before_synchronize) HW_CHECK(before_synchronize());
  StreamRecord& record = record_of(stream);
  if (record.capturing) violation("a stream was waited for during its capture");
  complete_clock(record.clock);
  host_.join(record.clock);
  return {};
}

Done FakeDevice::synchronize() {
  const std::lock_guard lock(mutex_);
  ++calls_.synchronize;
  if (before_synchronize) HW_CHECK(before_synchronize());
  if (any_capture()) violation("the device was waited for during a capture");
  const auto finish = [&](StreamRecord& stream) {
    complete_clock(stream.clock);
    host_.join(stream.clock);
  };
  finish(default_stream_);
  for (StreamRecord* stream : streams_) finish(*stream);
  return {};
}

Outcome<bool> FakeDevice::idle(Stream stream) {
  const std::lock_guard lock(mutex_);
  StreamRecord& record = record_of(stream);
  if (record.capturing) violation("a stream was asked during its capture whether it is idle");
  if (!is_complete(record.clock)) return false;
  host_.join(record.clock);
  return true;
}

Outcome<Event> FakeDevice::create_event(bool) {
  const std::lock_guard lock(mutex_);
  auto* event = new EventRecord;
  events_.insert(event);
  return reinterpret_cast<Event>(event);
}

Done FakeDevice::destroy_event(Event event) {
  const std::lock_guard lock(mutex_);
  EventRecord& record = record_of(event);
  events_.erase(&record);
  delete &record;
  return {};
}

Done FakeDevice::record(Event event, Stream stream) {
  const std::lock_guard lock(mutex_);
  ++calls_.record;
  if (before_record) HW_CHECK(before_record());
  StreamRecord& on = record_of(stream);
  if (on.capturing) violation("an event was recorded on a stream during its capture");
  EventRecord& record = record_of(event);
  if (record.recorded && !is_complete(record.clock))
    violation("an event was recorded again before it was reached");
  submit(on);
  record.recorded = true;
  record.stream = on.number;
  record.clock = on.clock;
  return {};
}

Done FakeDevice::wait(Stream stream, Event event) {
  const std::lock_guard lock(mutex_);
  ++calls_.wait;
  StreamRecord& waiting = record_of(stream);
  if (waiting.capturing) violation("a stream was made to wait during its capture");
  waiting.clock.join(record_of(event).clock);
  submit(waiting);
  return {};
}

Outcome<bool> FakeDevice::reached(Event event) {
  const std::lock_guard lock(mutex_);
  ++calls_.reached;
  if (any_capture()) violation("an event was asked for during a capture");
  EventRecord& record = record_of(event);
  if (!is_complete(record.clock)) return false;
  host_.join(record.clock);
  return true;
}

Done FakeDevice::begin_capture(Stream stream) {
  const std::lock_guard lock(mutex_);
  record_of(stream).capturing = true;
  return {};
}

Outcome<CaptureState> FakeDevice::capture_state(Stream stream) {
  const std::lock_guard lock(mutex_);
  return record_of(stream).capturing ? CaptureState::kActive : CaptureState::kNone;
}

Outcome<Graph> FakeDevice::end_capture(Stream stream) {
  const std::lock_guard lock(mutex_);
  record_of(stream).capturing = false;
  return nullptr;
}

}  // namespace hipwright::device
