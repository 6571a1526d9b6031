// SPDX-License-Identifier: MIT
// What a kernel finds in memory: its arguments with the hidden ones behind them, the dispatch
// packet, the queue.
#pragma once

#include "base/error.h"
#include "soft/launch/launch_plan.h"

namespace hipwright::soft {

// Fills in the plan's block and the addresses inside it.
Status write_arguments(LaunchPlan& plan, Memory& memory);

}  // namespace hipwright::soft
