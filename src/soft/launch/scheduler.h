// SPDX-License-Identifier: MIT
// Runs all workgroups of a launch. Waves are resumable: a workgroup that takes long or waits is
// suspended for others, so that workgroups that wait for each other make progress.
#pragma once

#include "soft/launch/launch.h"
#include "soft/launch/launch_plan.h"

namespace hipwright::soft {

LaunchOutcome run_groups(const Engine& engine, const LaunchPlan& plan);

}  // namespace hipwright::soft
