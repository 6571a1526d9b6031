// SPDX-License-Identifier: MIT
// Reads a trace, whatever profiler wrote it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "trace/trace.h"

namespace hipwright::trace {

// Several files are parts of one trace: the CSV files that rocprofv3 and nsys write side by side.
Result<Trace> read_trace(const std::vector<std::string>& files, const Window& window = {});
// A JSON or CSV trace in memory.
Result<Trace> read_trace_text(std::string_view text, const std::string& origin);

}  // namespace hipwright::trace
