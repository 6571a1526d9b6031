// SPDX-License-Identifier: MIT
// The devices of this machine, and why others are missing: the data of `hipwright devices`.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "device/device.h"

namespace hipwright::device {

struct DeviceInventory {
  struct Absent {
    Kind kind;
    Failure why;
  };
  std::vector<Properties> devices;
  std::vector<Absent> absent;
  // Targets of the software GPU. It is not a device of this machine and is used only on request.
  std::vector<std::string> soft_targets;
  std::string soft_missing;  // why it cannot be used; empty if it can
  // What programs use by default; runtime/ decides that, the caller fills it in.
  std::string chosen;         // an AMDBackend: "cpu"
  std::string chosen_by;      // "HIPWRIGHT_DEVICE is not set"; a reason where `chosen` is empty
  std::string chosen_nvidia;  // an NVIDIABackend
};

// All real devices of this machine; opens them.
DeviceInventory take_inventory(std::vector<std::string> soft_targets);
// The devices that match a selector.
Outcome<DeviceInventory> take_inventory(const Selector& selector);

std::string inventory_text(const DeviceInventory& inventory, bool colour);
Json inventory_json(const DeviceInventory& inventory);

}  // namespace hipwright::device
