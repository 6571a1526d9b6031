// SPDX-License-Identifier: MIT
#include "device/cpu/device.h"

namespace hipwright::device {

Outcome<std::vector<std::shared_ptr<Device>>> open_cpu() {
  static std::mutex mutex;
  static std::weak_ptr<Device> open;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Device> device = open.lock();
  if (!device) open = device = std::make_shared<cpu::CpuDevice>();
  return std::vector{std::move(device)};
}

}  // namespace hipwright::device
