// SPDX-License-Identifier: MIT
// New files that change what unchanged code does: by its name alone a file can be found instead of
// another, or be caught by a pattern of the build.
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

// What NVIDIA's tools come to see by new files. A C++ file that is empty for NVIDIA may be caught
// by patterns: it compiles to nothing.
std::vector<Leak> check_added(const AddedCheck& check);

}  // namespace hipwright::port
