// SPDX-License-Identifier: MIT
#include "runtime/staging.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/capture.h"

namespace hipwright::runtime {

namespace {

constexpr std::size_t kSmallestBuffer = 64 << 10;

}  // namespace

device::Done Staging::copy_to_device(void* to, const void* from, std::size_t bytes,
                                     device::Stream stream) {
  for (std::size_t offset = 0; offset < bytes; offset += kChunkBytes) {
    const std::size_t chunk = std::min(kChunkBytes, bytes - offset);
    HW_TRY(const Buffer buffer, take(chunk));
    std::memcpy(buffer.memory, static_cast<const std::byte*>(from) + offset, chunk);
    const auto copied = driver_->copy_async(static_cast<std::byte*>(to) + offset, buffer.memory,
                                            chunk, device::Direction::kToDevice, stream);
    const auto recorded = copied ? driver_->record(buffer.read, stream) : device::Done();
    const std::lock_guard lock(mutex_);
    --taken_;
    // Without the record the end of the copy is unknown, so the buffer is neither reused nor freed.
    HW_CHECK(recorded);
    buffers_.push_back(buffer);
    HW_CHECK(copied);
  }
  return {};
}

device::Outcome<Staging::Buffer> Staging::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  for (auto buffer = buffers_.begin(); buffer != buffers_.end(); ++buffer) {
    if (buffer->bytes < bytes) continue;
    // A buffer of unknown state is not reused; if the device has failed, the copy reports it.
    const auto reached = driver_->reached(buffer->read);
    if (!reached || !*reached) continue;
    const Buffer found = *buffer;
    buffers_.erase(buffer);
    ++taken_;
    return found;
  }
  if (buffers_.size() + taken_ >= kBuffers && !buffers_.empty()) {
    const Buffer oldest = buffers_.front();
    const auto read = driver_->synchronize(oldest.read);
    buffers_.pop_front();
    HW_CHECK(read);
    if (oldest.bytes >= bytes) {
      ++taken_;
      return oldest;
    }
    release(*driver_, oldest);
  }
  HW_TRY(const Buffer fresh, make(bytes));
  ++taken_;
  return fresh;
}

device::Outcome<Staging::Buffer> Staging::make(std::size_t bytes) {
  Buffer buffer{.bytes = std::bit_ceil(std::max(bytes, kSmallestBuffer))};
  HW_TRY(buffer.memory, driver_->allocate_pinned(buffer.bytes));
  auto event = driver_->create_event(false);
  if (!event) {
    static_cast<void>(driver_->free_pinned(buffer.memory));
    return std::unexpected(std::move(event).error());
  }
  buffer.read = *event;
  return buffer;
}

void Staging::release(device::Device& driver, const Buffer& buffer) {
  static_cast<void>(driver.destroy_event(buffer.read));
  static_cast<void>(driver.free_pinned(buffer.memory));
}

void Staging::clear() {
  std::deque<Buffer> unused;
  {
    const std::lock_guard lock(mutex_);
    unused.swap(buffers_);
  }
  if (unused.empty()) return;
  // Releasing memory may break a capture.
  when_nobody_captures(*driver_, [driver = driver_, unused = std::move(unused)] {
    for (const Buffer& buffer : unused) {
      static_cast<void>(driver->synchronize(buffer.read));
      release(*driver, buffer);
    }
  });
}

}  // namespace hipwright::runtime
