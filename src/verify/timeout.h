// SPDX-License-Identifier: MIT
// What a run proves that was ended because it took too long. A software GPU is slow: that alone is
// nothing. When the same work ended in a small part of that time elsewhere, it is a hang.
#pragma once

#include <optional>
#include <string>

#include "verify/verdict.h"

namespace hipwright::verify {

// How many times as long as another run of the same kind one must take to count as hanging.
constexpr double kHangs = 20;

struct EndedRun {
  std::string where;  // "soft:gfx1100"
  double seconds = 0;
};

// Sets verdict and evidence. `fastest`: of the runs that ended and can be compared.
void judge_timeout(Check& check, double limit, const std::optional<EndedRun>& fastest,
                   const std::string& less_to_do);

}  // namespace hipwright::verify
