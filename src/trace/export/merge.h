// SPDX-License-Identifier: MIT
// Traces of several ranks on one clock, and who kept the others waiting.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "trace/trace.h"

namespace hipwright::trace {

struct RankUse {
  int rank = 0;
  std::string file;
  Nanoseconds offset = 0;  // subtract it from the rank's times
  Nanoseconds in_collectives = 0;
  Nanoseconds waited = 0;   // of that, before the last rank arrived
  Nanoseconds held_up = 0;  // how much later than the second last it arrived, where it was last
  std::size_t last = 0;     // collectives to which it came last
};

struct Merge {
  std::vector<RankUse> ranks;
  std::size_t collectives = 0;  // that all ranks have
  std::vector<std::string> notes;
};

// Clocks are aligned on the ends of collectives, which all ranks see at the same time.
Merge merge_ranks(const std::vector<Trace>& traces);

// All of them in Chrome's format, which Perfetto reads; a process per rank.
std::string perfetto_json(const std::vector<Trace>& traces, const Merge& merge);

std::string merge_text(const Merge& merge, bool colour);

}  // namespace hipwright::trace
