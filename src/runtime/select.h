// SPDX-License-Identifier: MIT
// Which device a backend, a memory manager or the utilities work on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "hipwright/config.h"

namespace hipwright::runtime {

enum class Maker { kAmd, kNvidia };

struct Selection {
  std::vector<std::shared_ptr<device::Device>> devices;  // all that there are to choose from
  std::size_t chosen = 0;
  // Why the CPU stands in for a GPU; empty when it does not, or was asked for by name.
  std::string fallback_reason;
  EffectiveConfig config;
  std::vector<std::string> warnings;  // for the user: about the settings, about the stand-in

  const std::shared_ptr<device::Device>& device() const { return devices[chosen]; }
};

// HIPWRIGHT_DEVICE, where it is set, else a GPU of the maker, else the CPU, which is said once on
// standard error. With enable_strict_validation the CPU never stands in: ROCmNotAvailableError.
// What the user named and is not there is an error in any mode.
// An index that is out of range is one too, whatever stands in.
Selection select_device(Maker maker, const AMDConfig& config);
// The same, without a word to the user.
Selection decide(Maker maker, const AMDConfig& config);

// What a backend uses that was given no settings, and who says so: `hipwright devices` shows it.
struct Choice {
  std::string device;  // "hip:0"; empty: none
  std::string by;      // "HIPWRIGHT_DEVICE is not set"; the reason where there is none
};
Choice default_choice(Maker maker);

// What holds on a device.
EffectiveConfig effective_on(const device::Device& driver, const AMDConfig& config);

// The position of `index` among the devices, or AMDDeviceError.
std::size_t checked_index(const Selection& selection, int index);

// Prints "hipwright: warning: <text>" on standard error, the same text once in a process.
void warn_once(const std::string& text);

}  // namespace hipwright::runtime
