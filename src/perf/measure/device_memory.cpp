// SPDX-License-Identifier: MIT
#include "perf/measure/device_memory.h"

#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "base/file.h"
#include "perf/measure/nvidia_memory.h"

namespace hipwright::perf {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostProcesses = 4096;

// The children that each thread of the process started.
std::vector<int> children_of(const fs::path& root, int process) {
  std::vector<int> children;
  std::error_code error;
  for (const auto& task :
       fs::directory_iterator(root / fmt::format("proc/{}/task", process), error)) {
    const auto text = read_file(task.path() / "children");
    if (!text) continue;
    const char* at = text->data();
    const char* end = at + text->size();
    while (at < end) {
      int child = 0;
      const auto read = std::from_chars(at, end, child);
      if (read.ec == std::errc()) children.push_back(child);
      at = read.ptr == end ? end : read.ptr + 1;
    }
  }
  return children;
}

std::uint64_t number_in(const fs::path& file) {
  const auto text = read_file(file);
  std::uint64_t number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

// Opened once: NVML takes tens of milliseconds to start.
const std::optional<NvidiaMemory>& nvidia_memory() {
  static const std::optional<NvidiaMemory> memory = NvidiaMemory::open();
  return memory;
}

}  // namespace

std::vector<int> with_descendants(const fs::path& root, int process) {
  std::vector<int> all{process};
  for (std::size_t i = 0; i < all.size() && all.size() < kMostProcesses; ++i)
    for (const int child : children_of(root, all[i])) all.push_back(child);
  return all;
}

std::optional<std::uint64_t> amd_memory(const fs::path& root, std::span<const int> processes) {
  const fs::path driver = root / "sys/class/kfd/kfd/proc";
  std::error_code error;
  if (!fs::is_directory(driver, error)) return std::nullopt;
  std::uint64_t sum = 0;
  for (const int process : processes)
    for (const auto& entry : fs::directory_iterator(driver / std::to_string(process), error))
      if (entry.path().filename().string().starts_with("vram_")) sum += number_in(entry.path());
  return sum;
}

void DeviceMemoryWatch::start(int process) {
  if (!amd_memory(root_, {}) && !nvidia_memory()) return;
  thread_ = std::thread([this, process] {
    while (!is_stopped_) {
      const std::vector<int> processes = with_descendants(root_, process);
      std::uint64_t now = amd_memory(root_, processes).value_or(0);
      if (nvidia_memory()) now += nvidia_memory()->used_by(processes);
      if (now > peak_) peak_ = now;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
}

std::optional<std::uint64_t> DeviceMemoryWatch::stop() {
  is_stopped_ = true;
  if (thread_.joinable()) thread_.join();
  const std::uint64_t peak = peak_;
  return peak == 0 ? std::nullopt : std::optional(peak);
}

}  // namespace hipwright::perf
