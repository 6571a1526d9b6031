// SPDX-License-Identifier: MIT
#include "perf/measure/nvidia_memory.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace hipwright::perf {

namespace {

constexpr int kSuccess = 0;
constexpr unsigned long long kNotAvailable = ~0ULL;
constexpr unsigned kMostProcesses = 1024;

std::string library_name() {
  const char* chosen = std::getenv("HIPWRIGHT_NVML");
  return chosen != nullptr && *chosen != '\0' ? chosen : "libnvidia-ml.so.1";
}

}  // namespace

std::optional<NvidiaMemory> NvidiaMemory::open() {
  auto library = toolchain::DynamicLibrary::open(library_name());
  if (!library) return std::nullopt;
  NvidiaMemory memory(*std::move(library));
  if (!memory.find_devices()) return std::nullopt;
  return memory;
}

bool NvidiaMemory::find_devices() {
  const auto init = library_.function<int (*)()>("nvmlInit_v2");
  const auto count_devices = library_.function<int (*)(unsigned*)>("nvmlDeviceGetCount_v2");
  const auto device_at =
      library_.function<int (*)(unsigned, Device*)>("nvmlDeviceGetHandleByIndex_v2");
  running_processes_ =
      library_.function<RunningProcesses>("nvmlDeviceGetComputeRunningProcesses_v3");
  if (!init || !count_devices || !device_at || !running_processes_ || init() != kSuccess)
    return false;
  unsigned count = 0;
  if (count_devices(&count) != kSuccess) return false;
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    if (device_at(i, &device) == kSuccess) devices_.push_back(device);
  }
  return !devices_.empty();
}

std::uint64_t NvidiaMemory::used_by(std::span<const int> processes) const {
  std::uint64_t sum = 0;
  std::array<ProcessInfo, kMostProcesses> running;
  for (const Device device : devices_) {
    unsigned count = kMostProcesses;
    if (running_processes_(device, &count, running.data()) != kSuccess) continue;
    for (const ProcessInfo& each : std::span(running).first(std::min(count, kMostProcesses)))
      if (each.used_bytes != kNotAvailable &&
          std::find(processes.begin(), processes.end(), static_cast<int>(each.process)) !=
              processes.end())
        sum += each.used_bytes;
  }
  return sum;
}

}  // namespace hipwright::perf
