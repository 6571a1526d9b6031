// SPDX-License-Identifier: MIT
// GPU memory of processes as NVIDIA's management library (NVML) counts it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "toolchain/dynamic_library.h"

namespace hipwright::perf {

class NvidiaMemory {
 public:
  // Nothing where the driver is not installed or sees no GPU. HIPWRIGHT_NVML names another library.
  static std::optional<NvidiaMemory> open();

  // Bytes that the processes use now, over all GPUs.
  std::uint64_t used_by(std::span<const int> processes) const;

 private:
  using Device = void*;
  // NVML's nvmlProcessInfo_t.
  struct ProcessInfo {
    unsigned process;
    unsigned long long used_bytes;
    unsigned gpu_instance;
    unsigned compute_instance;
  };
  using RunningProcesses = int (*)(Device, unsigned* count, ProcessInfo*);

  explicit NvidiaMemory(toolchain::DynamicLibrary library) : library_(std::move(library)) {}
  bool find_devices();

  toolchain::DynamicLibrary library_;
  RunningProcesses running_processes_ = nullptr;
  std::vector<Device> devices_;
};

}  // namespace hipwright::perf
