// SPDX-License-Identifier: MIT
// Selects the device of a backend, a memory manager or the utilities.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "hipwright/config.h"

namespace hipwright::runtime {

enum class Vendor { kAmd, kNvidia };

struct Selection {
  std::vector<std::shared_ptr<device::Device>> devices;  // all candidates
  std::size_t chosen = 0;
  // Why the CPU is used instead of a GPU; empty if it is not, or was requested by name.
  std::string fallback_reason;
  EffectiveConfig config;
  std::vector<std::string> warnings;  // for the user: about the settings and the fallback

  const std::shared_ptr<device::Device>& device() const { return devices[chosen]; }
};

// HIPWRIGHT_DEVICE if it is set, otherwise a GPU of the vendor, otherwise the CPU, with one warning
// on standard error. With enable_strict_validation there is no fallback to the CPU, but a
// ROCmNotAvailableError. A missing device that the user named, or an index out of range, is an
// error in any mode.
Selection select_device(Vendor vendor, const AMDConfig& config);
// The same without the warning.
Selection decide(Vendor vendor, const AMDConfig& config);

// The default device of a backend and the reason, as shown by `hipwright devices`.
struct Choice {
  std::string device;  // "hip:0"; empty if there is none
  std::string by;      // "HIPWRIGHT_DEVICE is not set"; the reason if there is none
};
Choice default_choice(Vendor vendor);

// The effective settings on a device.
EffectiveConfig effective_on(const device::Device& driver, const AMDConfig& config);

// The position of `index` among the devices, or AMDDeviceError.
std::size_t checked_index(const Selection& selection, int index);

// Prints "hipwright: warning: <text>" on standard error, the same text once in a process.
void warn_once(const std::string& text);

}  // namespace hipwright::runtime
