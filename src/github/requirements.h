// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace hipwright::github {

// What a branch demands of pull requests, as far as everybody may see it.
struct Requirements {
  std::vector<std::string> checks;
  unsigned approvals = 0;
  bool needs_code_owner = false, needs_resolved_threads = false;
  bool needs_current_branch = false;
};

}  // namespace hipwright::github
