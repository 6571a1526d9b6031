// SPDX-License-Identifier: MIT
// Benchmarks of the operations: times on hardware, counts on the software GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "hipwright/device.h"
#include "kernels/op.h"

namespace hipwright::kernels {

struct Benchmark {
  const Op* op;
  Problem problem;
};

// --- Times: a GPU, the CPU ---

// Several calls are captured in a graph, which is replayed once per round; the rounds of all
// benchmarks and of the copy take turns. Inputs that fit in a cache stay there.
struct Timing {
  Benchmark benchmark;
  unsigned calls = 0;                // in the graph
  std::vector<double> microseconds;  // per call, of each round
  double median() const;
  double spread() const;  // the quartiles' distance, relative to the median
  double gbs() const;     // ideal bytes per time
};
struct TimedRun {
  DeviceInfo device;
  double copy_gbs = 0;  // read and written, of a copy on the device
  std::vector<Timing> timings;
};
Result<TimedRun> time_all(const std::string& device, const std::vector<Benchmark>& benchmarks,
                          unsigned rounds);
std::string text_of(const TimedRun& run, bool colour);
Json json_of(const TimedRun& run);

// --- Counts: a software GPU ---

struct Counts {
  Benchmark benchmark;
  std::string kernel;
  std::uint64_t bytes = 0;  // of global memory
  std::uint64_t accesses = 0, lines = 0;
  unsigned line_bytes = 0;
  std::uint64_t lds_conflicts = 0, lds_passes = 0;
  std::uint64_t instructions = 0, waits = 0;
  std::uint64_t matrix = 0;     // instructions of the matrix unit
  std::uint64_t lds_moved = 0;  // bytes
  unsigned vgprs = 0, spills = 0, lds_bytes = 0;
  double waves_per_simd = 0;  // that fit, of the launch
  unsigned max_waves_per_simd = 0;

  double bytes_over_ideal() const;
  // Lines that are touched over those that the bytes would fill.
  double lines_over_ideal() const;
};
// The command that runs one benchmark and exits: the software GPU writes its report at the end of a
// process.
using OneRun = std::function<std::vector<std::string>(const Benchmark&)>;
Result<Counts> count_one(const std::string& device, const Benchmark& benchmark,
                         const OneRun& command);
Status run_once(const std::string& device, const Benchmark& benchmark);
std::string text_of(const std::vector<Counts>& counts, bool colour);
Json json_of(const std::vector<Counts>& counts);

}  // namespace hipwright::kernels
