// SPDX-License-Identifier: MIT
// Which phases a repository needs, and why; what is in it; how much work is left to people.
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

// What a port of it leaves to people, of one code.
struct Left {
  std::size_t places = 0;
  std::set<std::string> messages;  // the same name at ten places is one question
  std::set<std::string> files;
};
using LeftByCode = std::map<std::string, Left, std::less<>>;
LeftByCode left_of(const Ported& ported);

// Hours of a person who knows both platforms, tool runs and machine time left aside.
struct EffortItem {
  std::string what;
  std::size_t count = 0;
  double hours_each = 0;
  double hours() const { return static_cast<double>(count) * hours_each; }
};

struct Plan {
  Inventory inventory;
  std::vector<PlannedPhase> phases;
  std::vector<std::string> branches;  // which way the decisions went, one sentence each
  std::vector<EffortItem> effort;     // only what there is some of
  std::size_t left = 0;               // places that the port leaves to people
  double hours() const;
};

// A pure function of both.
Plan plan_of(Inventory inventory, const LeftByCode& left);

// Reads the tree that `options` names, and ports it in memory to see what is left; changes nothing.
Result<Plan> plan(const Options& options);

std::string plan_text(const Plan& plan, bool colour);
std::string plan_json(const Plan& plan);

}  // namespace hipwright::port
