// SPDX-License-Identifier: MIT
// The phases that a repository needs, with reasons; its inventory; and the estimated manual work.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "port/inventory.h"
#include "port/port.h"

namespace hipwright::port {

struct PlannedPhase {
  int number = 0;  // 0 to 8
  std::string_view name;
  bool applies = false;
  std::string why;
};

// The manual work that remains after a port, for one code.
struct Remaining {
  std::size_t places = 0;
  std::set<std::string> messages;  // the same name at ten places counts once
  std::set<std::string> files;
};
using RemainingByCode = std::map<std::string, Remaining, std::less<>>;
RemainingByCode remaining_in(const Ported& ported);

// Hours of an engineer who knows both platforms, without tool runs and machine time.
struct EffortItem {
  std::string what;
  std::size_t count = 0;
  double hours_each = 0;
  double hours() const { return static_cast<double>(count) * hours_each; }
};

struct Plan {
  ProjectInventory inventory;
  std::vector<PlannedPhase> phases;
  std::vector<std::string> branches;  // the decisions, one sentence each
  std::vector<EffortItem> effort;     // non-zero items only
  std::size_t remaining = 0;          // places that need manual work
  Status complete;                    // an error: what could not be read
  double hours() const;
};

// A pure function of both.
Plan plan_of(ProjectInventory inventory, const RemainingByCode& remaining);

// Reads the tree that `options` names, and ports it in memory to find what remains; changes
// nothing.
Result<Plan> plan(const Options& options);

std::string plan_text(const Plan& plan, bool colour);
std::string plan_json(const Plan& plan);

}  // namespace hipwright::port
