// SPDX-License-Identifier: MIT
#include "runtime/pinned.h"

#include <algorithm>

#include "hipwright/memory.h"
#include "runtime/capture.h"

namespace hipwright {

namespace runtime {

PinnedState::~PinnedState() {
  // Waiting for a captured stream is not possible.
  if (owner == Owner::kProgram) {
    when_nobody_captures(*driver, [driver = driver, memory = memory] {
      static_cast<void>(driver->synchronize());
      static_cast<void>(driver->unregister_pinned(memory));
    });
    return;
  }
  when_nobody_captures(*driver, [driver = driver, memory = memory, streams = std::move(used_by)] {
    for (const Stream& stream : streams) static_cast<void>(driver->synchronize(native(stream)));
    static_cast<void>(driver->free_pinned(memory));
  });
}

void PinnedState::note_use(const Stream& stream) {
  const std::lock_guard lock(mutex);
  if (std::ranges::find(used_by, stream) == used_by.end()) used_by.push_back(stream);
}

}  // namespace runtime

PinnedBuffer::PinnedBuffer() = default;

PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : state_(std::move(other.state_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  PinnedBuffer taken(std::move(other));
  state_.swap(taken.state_);
  std::swap(data_, taken.data_);
  std::swap(size_, taken.size_);
  return *this;
}

PinnedBuffer::~PinnedBuffer() = default;

}  // namespace hipwright
