// SPDX-License-Identifier: MIT
// Which devices there are, and why there are not more: what `hipwright devices` shows.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "device/device.h"

namespace hipwright::device {

struct Inventory {
  struct Absent {
    Kind kind;
    Failure why;
  };
  std::vector<Properties> devices;
  std::vector<Absent> absent;
  // Not devices of this machine, so never chosen by themselves: what the software GPU could be.
  std::vector<std::string> soft_targets;
  std::string soft_missing;  // why it cannot be used; empty: it can
  // What programs use that are not told otherwise; runtime/ decides that, the caller fills it in.
  std::string chosen;         // an AMDBackend: "cpu"
  std::string chosen_by;      // "HIPWRIGHT_DEVICE is not set"; a reason where `chosen` is empty
  std::string chosen_nvidia;  // an NVIDIABackend
};

// All real devices of this machine; opens them.
Inventory take_inventory(std::vector<std::string> soft_targets);
// Those that a selector admits.
Outcome<Inventory> take_inventory(const Selector& selector);

std::string inventory_text(const Inventory& inventory, bool colour);
Json inventory_json(const Inventory& inventory);

}  // namespace hipwright::device
