// SPDX-License-Identifier: MIT
// The state behind the public PinnedBuffer.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "device/device.h"
#include "runtime/stream.h"

namespace hipwright::runtime {

struct PinnedState {
  enum class Owner { kDevice, kProgram };
  PinnedState(std::shared_ptr<device::Device> on, void* bytes, Owner of)
      : driver(std::move(on)), memory(bytes), owner(of) {}
  PinnedState(const PinnedState&) = delete;
  PinnedState& operator=(const PinnedState&) = delete;
  ~PinnedState();

  // Records a copy into it on `stream`.
  void note_use(const Stream& stream);

  const std::shared_ptr<device::Device> driver;
  void* const memory;
  const Owner owner;
  std::mutex mutex;  // of what follows
  std::vector<Stream> used_by;
};

}  // namespace hipwright::runtime
