// SPDX-License-Identifier: MIT
// Copies plain host memory to a device through page-locked buffers, which are reused once the
// device has read them.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "device/device.h"

namespace hipwright::runtime {

class Staging {
 public:
  static constexpr std::size_t kChunkBytes = 4 << 20;
  static constexpr std::size_t kBuffers = 4;  // one is filled while the device reads the others

  explicit Staging(std::shared_ptr<device::Device> driver) : driver_(std::move(driver)) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() { clear(); }

  // Has read `from` on return. Waits only if the device has not yet read any of the buffers.
  device::Done copy_to_device(void* to, const void* from, std::size_t bytes, device::Stream stream);
  // Releases the buffers after the device has read them.
  void clear();

 private:
  struct Buffer {
    void* memory = nullptr;
    std::size_t bytes = 0;
    device::Event read = nullptr;  // by the device
  };

  device::Outcome<Buffer> take(std::size_t bytes);
  device::Outcome<Buffer> make(std::size_t bytes);
  static void release(device::Device& driver, const Buffer& buffer);

  const std::shared_ptr<device::Device> driver_;
  std::mutex mutex_;
  std::deque<Buffer> buffers_;  // the least recently used first
  std::size_t taken_ = 0;
};

}  // namespace hipwright::runtime
