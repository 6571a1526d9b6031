// SPDX-License-Identifier: MIT
// Reports of the software GPU and metrics of programs.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "perf/measure/kernel_counts.h"
#include "perf/measure/program_metrics.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto counts = perf::parse_run_report(text, "report.json")) {
    perf::mark_unstable(*counts, *counts);
    for (const perf::KernelCounts& each : *counts) HW_ASSERT(each.counts.size() == 12);
    perf::number_namesakes(*counts);
  }
  if (const auto metrics = perf::parse_metrics(text, 1, "metrics"))
    for (const perf::Measurement& each : *metrics)
      for (const perf::Sample& sample : each.samples) HW_ASSERT(sample.value > 0);
  return 0;
}
