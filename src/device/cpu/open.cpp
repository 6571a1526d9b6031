// SPDX-License-Identifier: MIT
#include "device/cpu/device.h"

namespace hipwright::device {

Outcome<std::vector<std::shared_ptr<Device>>> open_cpu() {
  // Never destroyed: destructors that run after main may open it.
  static auto* const mutex = new std::mutex;
  static auto* const open = new std::weak_ptr<Device>;
  const std::lock_guard lock(*mutex);
  std::shared_ptr<Device> device = open->lock();
  if (!device) *open = device = std::make_shared<cpu::CpuDevice>();
  return std::vector{std::move(device)};
}

}  // namespace hipwright::device
