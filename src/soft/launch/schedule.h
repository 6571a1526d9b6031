// SPDX-License-Identifier: MIT
// In which order a launch runs its waves; in a header of its own, so that the tool can parse it
// without linking the software GPU.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

#include "base/error.h"

namespace hipwright::soft {

struct Schedule {
  enum class Kind : std::uint8_t {
    kParallel,       // workgroups over host threads: fast; atomics may meet in any order
    kDeterministic,  // one after the other: the same bits every run
    kRandom,         // one thread, waves and workgroups interleaved as `seed` says
  };
  Kind kind = Kind::kParallel;
  std::uint64_t seed = 0;
  unsigned threads = 0;  // 0: one per core
};

// "parallel", "deterministic" or "random:SEED".
inline Result<Schedule> parse_schedule(const std::string& text) {
  if (text == "parallel") return Schedule{.kind = Schedule::Kind::kParallel};
  if (text == "deterministic") return Schedule{.kind = Schedule::Kind::kDeterministic};
  if (text.starts_with("random:")) {
    Schedule schedule{.kind = Schedule::Kind::kRandom};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + 7, last, schedule.seed);
    if (error == std::errc{} && end == last) return schedule;
  }
  return fail("unknown schedule", text, "",
              "Choose parallel, deterministic or random:SEED, where SEED is a number.");
}

}  // namespace hipwright::soft
