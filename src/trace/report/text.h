// SPDX-License-Identifier: MIT
// A summary for terminals, scripts and spreadsheets.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "trace/advice/advice.h"
#include "trace/analysis/summary.h"

namespace hipwright::trace {

struct TextOptions {
  bool colour = false;
  std::size_t rows = 15;  // of each table
  bool whole_names = false;
};

std::string summary_text(const Trace& trace, const Summary& summary,
                         const std::vector<Advice>& advice, const TextOptions& options);
Json summary_json(const Trace& trace, const Summary& summary, const std::vector<Advice>& advice);
// One row per kernel name.
std::string kernels_csv(const Trace& trace, const Summary& summary);

// "12.3 ms", with a unit that leaves few digits.
std::string time_text(Nanoseconds time);
// "12.3%"
std::string percent(double part, double whole);
// A bar of `width` cells at most.
std::string bar_text(double share, std::size_t width);
// "[4,512]x[512,1024] bf16"
std::string shapes_text(const Trace& trace, const OpUse& op);

}  // namespace hipwright::trace
