// SPDX-License-Identifier: MIT
// Where the host's time goes, for traces without a GPU.
#pragma once

#include "trace/analysis/summary.h"

namespace hipwright::trace {

void add_host_ops(const Trace& trace, Summary& summary);

}  // namespace hipwright::trace
