// SPDX-License-Identifier: MIT
// Regions as a file in Chrome's trace format, which Perfetto reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hipwright::runtime {

struct TraceRegion {
  std::uint32_t name = 0;    // index of Trace::names
  std::uint32_t thread = 0;  // index of Trace::threads
  std::uint32_t stream = 0;  // index of Trace::names
  bool host_only = false;
  // Nanoseconds on one scale.
  std::int64_t host_begin = 0, host_end = 0;
  std::int64_t device_begin = 0, device_end = 0;
};

struct Trace {
  std::string device;  // "hip:0 AMD Instinct MI300X"
  std::vector<std::string> names;
  std::vector<std::string> threads;
  std::vector<TraceRegion> regions;
  std::uint64_t left_out = 0;  // older regions that were not kept
};

// Viewers nest the regions of a track by their times and are confused by those that overlap; such
// regions (a stream that two threads use) are put on a second track.
std::string trace_json(const Trace& trace);

}  // namespace hipwright::runtime
