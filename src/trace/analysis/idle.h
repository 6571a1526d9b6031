// SPDX-License-Identifier: MIT
// Why the GPU waited: for a launch that was under way, or for a host that did something else.
#pragma once

#include "trace/analysis/summary.h"

namespace hipwright::trace {

bool is_launch(std::string_view call);
bool is_graph_launch(std::string_view call);
// Calls in which the host waits for the GPU.
bool is_synchronisation(std::string_view call);

void add_idle(const Trace& trace, Summary& summary);

}  // namespace hipwright::trace
