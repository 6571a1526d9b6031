// SPDX-License-Identifier: MIT
// Runs the checks over a machine's facts, and over those of many machines at several times.
#pragma once

#include <string>
#include <vector>

#include "ci/check.h"

namespace hipwright::ci {

struct Examination {
  std::vector<CheckResult> results;  // as all_checks() orders them
  std::size_t count(CheckStatus status) const;
  CheckStatus worst() const;  // kFail, then kUnknown, kWarn, kPass
};

// An error: the profile is for another system.
Result<Examination> examine(const HostFacts& facts, const Profile& profile);

std::string examination_text(const Examination& examination, const HostFacts& facts,
                             const Profile& profile, bool colour);
Json examination_json(const Examination& examination, const HostFacts& facts,
                      const Profile& profile);

std::string checks_text(bool colour);

// The probe for Windows: a PowerShell script that prints facts.
std::string_view windows_probe_script();

struct Hook {
  std::string name;  // "job-started.sh"
  std::string content;
};
// Scripts for the runner's ACTIONS_RUNNER_HOOK_JOB_STARTED and _COMPLETED.
std::vector<Hook> job_hooks();

}  // namespace hipwright::ci
