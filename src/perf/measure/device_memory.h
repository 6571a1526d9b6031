// SPDX-License-Identifier: MIT
// Watches the GPU memory of a program and its children, as the GPU's driver counts it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace hipwright::perf {

// The process, its children, theirs, and so on.
std::vector<int> with_descendants(const std::filesystem::path& root, int process);

// Bytes that the processes have now on AMD GPUs; nothing without AMD's kernel driver.
std::optional<std::uint64_t> amd_memory(const std::filesystem::path& root,
                                        std::span<const int> processes);

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
