// SPDX-License-Identifier: MIT
// New files that change the behaviour of unchanged code: by its name alone, a file can be found
// instead of another, or match a pattern of the build.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "port/isolation/isolation.h"
#include "port/isolation/lookups.h"

namespace hipwright::port {

struct AddedCheck {
  const std::set<std::string>& before;              // all paths
  const std::vector<Lookup>& lookups;               // of them
  const std::map<std::string, std::string>& added;  // path to content
};

// The effects of new files on NVIDIA's tools. A C++ file that is empty for NVIDIA may match
// patterns: it compiles to nothing.
std::vector<IsolationLeak> check_added(const AddedCheck& check);

}  // namespace hipwright::port
