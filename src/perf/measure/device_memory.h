// SPDX-License-Identifier: MIT
// Watches the GPU memory of a program and its children, as AMD's kernel driver counts it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <thread>

namespace hipwright::perf {

// Bytes of video memory that the process and its descendants have now; nothing where the driver
// does not say.
std::optional<std::uint64_t> video_memory(const std::filesystem::path& root, int process);

// Polls every 5 ms in a thread of its own, from start() to stop().
class DeviceMemoryWatch {
 public:
  explicit DeviceMemoryWatch(std::filesystem::path root = "/") : root_(std::move(root)) {}
  DeviceMemoryWatch(const DeviceMemoryWatch&) = delete;
  DeviceMemoryWatch& operator=(const DeviceMemoryWatch&) = delete;
  ~DeviceMemoryWatch() { stop(); }

  void start(int process);
  // The highest sum seen; nothing if no GPU memory was.
  std::optional<std::uint64_t> stop();

 private:
  std::filesystem::path root_;
  std::thread thread_;
  std::atomic<bool> is_stopped_{false};
  std::atomic<std::uint64_t> peak_{0};
};

}  // namespace hipwright::perf
