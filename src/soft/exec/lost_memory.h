// SPDX-License-Identifier: MIT
// Memory that the program has registered can vanish while the device works: unmapped, cut off
// with its file, or protected. The program does not die of it: the access goes to fresh memory in
// its place, and is reported.
#pragma once

#include <cstdint>
#include <optional>

namespace hipwright::soft {

// While it lives, this thread does the device's work.
class DeviceWork {
 public:
  DeviceWork();
  ~DeviceWork();
  DeviceWork(const DeviceWork&) = delete;
  DeviceWork& operator=(const DeviceWork&) = delete;
};

// The program has registered this memory: from now on accesses of device work to it are watched.
void watch_registered(std::uint64_t begin, std::uint64_t end);

// The first address that was lost since the last call.
std::optional<std::uint64_t> take_lost();

}  // namespace hipwright::soft
