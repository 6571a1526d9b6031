// SPDX-License-Identifier: MIT
// What a timeout proves. A software GPU is slow, so a timeout alone proves nothing; if the same
// work finished elsewhere in a fraction of the time, it is a hang.
#pragma once

#include <optional>
#include <string>

#include "verify/verdict.h"

namespace hipwright::verify {

// A run hangs if it takes this many times as long as another run of the same kind.
constexpr double kHangs = 20;

struct FinishedRun {
  std::string where;  // "soft:gfx1100"
  double seconds = 0;
};

// Sets verdict and evidence. `fastest`: of the comparable runs that finished.
void judge_timeout(Check& check, double limit, const std::optional<FinishedRun>& fastest,
                   const std::string& less_to_do);

}  // namespace hipwright::verify
