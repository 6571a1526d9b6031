// SPDX-License-Identifier: MIT
// Many machines' facts, perhaps of several times: the state of each now, and what changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ci/doctor/doctor.h"

namespace hipwright::ci {

struct FleetHost {
  std::string host;
  HostFacts facts;          // the latest
  const Profile* profile;   // that it was checked with
  Examination examination;  // of the latest facts
  std::size_t snapshots = 1;
  std::vector<std::string> changes;  // oldest first: "2026-01-02T…: rocm 6.4.1 -> 7.0.2"
};

// `profile` null: runners by whether one is installed there, others as developers' machines.
Result<std::vector<FleetHost>> examine_fleet(std::vector<HostFacts> facts, const Profile* profile);

std::string fleet_text(const std::vector<FleetHost>& fleet, bool colour);
Json fleet_json(const std::vector<FleetHost>& fleet);

}  // namespace hipwright::ci
