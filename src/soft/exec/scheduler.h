// SPDX-License-Identifier: MIT
// Runs all workgroups of a launch. Waves are resumable: a workgroup that takes long or waits is
// put aside for others, so that workgroups which wait for each other make progress.
#pragma once

#include "soft/exec/launch.h"
#include "soft/exec/launch_plan.h"

namespace hipwright::soft {

LaunchOutcome run_groups(const Engine& engine, const LaunchPlan& plan);

}  // namespace hipwright::soft
