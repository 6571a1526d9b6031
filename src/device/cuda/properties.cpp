// SPDX-License-Identifier: MIT
#include <sstream>

#include <fmt/format.h>

#include "base/file.h"
#include "device/cuda/device.h"

namespace hipwright::device::cuda {

namespace {

// " (580.159.04)": the version of the kernel module, which the API does not report; empty if
// unknown. The line: "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04
// Release…".
std::string module_version() {
  constexpr std::string_view kBefore = "Kernel Module";
  const auto text = read_file("/proc/driver/nvidia/version");
  const std::size_t at = text ? text->find(kBefore) : std::string::npos;
  if (at == std::string::npos) return "";
  std::istringstream words(text->substr(at + kBefore.size()));
  std::string word;
  words >> word;
  if (word == "for") words >> word >> word;
  const bool is_version =
      word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == word.npos;
  return is_version ? fmt::format(" ({})", word) : "";
}

}  // namespace

CudaDevice::CudaDevice(const Api& api, CUdevice ordinal, CUcontext context)
    : api_(api), ordinal_(ordinal), context_(context) {
  properties_.kind = Kind::kCuda;
  properties_.index = ordinal;
  properties_.id = fmt::format("cuda:{}", ordinal);
  read_properties();
}

int CudaDevice::attribute(int which) const {
  int value = 0;
  return api_.cuDeviceGetAttribute(&value, which, ordinal_) == kSuccess ? value : 0;
}

void CudaDevice::read_properties() {
  char text[256] = {};
  if (api_.cuDeviceGetName(text, sizeof text, ordinal_) == kSuccess) properties_.name = text;
  if (api_.cuDeviceGetPCIBusId(text, sizeof text, ordinal_) == kSuccess) properties_.pci = text;
  std::size_t bytes = 0;
  if (api_.cuDeviceTotalMem(&bytes, ordinal_) == kSuccess) properties_.memory_bytes = bytes;
  properties_.architecture =
      fmt::format("sm_{}{}", attribute(kComputeMajor), attribute(kComputeMinor));
  properties_.compute_units = static_cast<unsigned>(attribute(kMultiprocessors));
  properties_.wave_size = static_cast<unsigned>(attribute(kWarpSize));
  properties_.max_threads_per_block = static_cast<unsigned>(attribute(kMaxThreadsPerBlock));
  properties_.shared_bytes_per_block = static_cast<std::size_t>(attribute(kSharedPerBlock));
  properties_.clock_mhz = attribute(kClockKhz) / 1000.0;
  properties_.memory_clock_mhz = attribute(kMemoryClockKhz) / 1000.0;
  properties_.memory_bus_bits = static_cast<unsigned>(attribute(kMemoryBusBits));
  // Two transfers per clock on every memory that these drivers support.
  properties_.bandwidth_gbs =
      2 * properties_.memory_clock_mhz * 1e6 * properties_.memory_bus_bits / 8 / 1e9;
  if (properties_.bandwidth_gbs != 0) properties_.bandwidth_from = "memory clock and bus width";
  int version = 0;
  if (api_.cuDriverGetVersion(&version) == kSuccess)
    properties_.runtime =
        fmt::format("CUDA driver {}.{}{}", version / 1000, version % 1000 / 10, module_version());
  properties_.library = api_.library.path().string();
}

std::unexpected<Failure> CudaDevice::missing(const char* call, const char* since) const {
  return std::unexpected(Failure(FailureKind::kNotAvailable, call, id(),
                                 "not supported by this driver or device",
                                 fmt::format("It requires CUDA {}.", since)));
}

}  // namespace hipwright::device::cuda
