// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/json.h"
#include "base/table.h"
#include "kernels/bench/bench.h"
#include "kernels/trial.h"
#include "perf/statistics/samples.h"

namespace hipwright::kernels {

namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 30;
constexpr std::size_t kCopyBytesOnCpu = std::size_t{1} << 28;
constexpr unsigned kWarmUp = 2;

// Long enough that the launch of a graph does not count.
unsigned calls_of(const Benchmark& benchmark) {
  const std::uint64_t bytes = ideal_bytes(*benchmark.op, benchmark.problem);
  return bytes < (1U << 22) ? 50 : bytes < (1U << 27) ? 20 : 5;
}

class Timer {
 public:
  explicit Timer(HIPUtilities& utilities)
      : stream_(utilities.create_stream("bench")),
        begin_(utilities.create_event()),
        end_(utilities.create_event()) {}
  template <class Work>
  double microseconds(Work work) {
    begin_.record(stream_);
    work(stream_);
    end_.record(stream_);
    end_.synchronize();
    return begin_.elapsed_ms(end_) * 1000;
  }

 private:
  Stream stream_;
  Event begin_, end_;
};

// One benchmark's memory and graph.
struct Prepared {
  Prepared(const Benchmark& benchmark, Kernels& kernels, AMDMemoryManager& memory,
           HIPUtilities& utilities, unsigned calls)
      : trial(*benchmark.op, benchmark.problem, kernels, memory,
              initial_storage(*benchmark.op, benchmark.problem, 1)) {
    trial.submit();  // loads the code, which a capture cannot
    utilities.synchronize();
    graph = utilities.capture_graph("bench", [&](const Stream& stream) {
      for (unsigned i = 0; i < calls; ++i) trial.submit(stream);
    });
  }
  Trial trial;
  Graph graph;
};

double replay(Timer& timer, const Graph& graph) {
  return timer.microseconds([&](const Stream& stream) { graph.replay(stream); });
}

// Not in a graph, where drivers may use a slower engine.
double copy_rate(const Device& device, AMDMemoryManager& memory, HIPUtilities& utilities,
                 Timer& timer, unsigned rounds) {
  const std::size_t bytes = device.is_cpu() ? kCopyBytesOnCpu : kCopyBytes;
  const DeviceBuffer from = memory.allocate(bytes), to = memory.allocate(bytes);
  utilities.fill(from.data(), 1, bytes);
  std::vector<double> times;
  for (unsigned i = 0; i < rounds + kWarmUp; ++i) {
    const double time = timer.microseconds([&](const Stream& stream) {
      utilities.copy_on_device(to.data(), from.data(), bytes, stream);
    });
    if (i >= kWarmUp) times.push_back(time);
  }
  return 2 * static_cast<double>(bytes) / perf::median(times) / 1e3;
}

}  // namespace

double Timing::median() const {
  return perf::median(microseconds);
}

double Timing::spread() const {
  std::vector<double> sorted = microseconds;
  std::ranges::sort(sorted);
  const auto at = [&](double part) {
    return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
  };
  return (at(0.75) - at(0.25)) / median();
}

double Timing::gbs() const {
  return static_cast<double>(ideal_bytes(*benchmark.op, benchmark.problem)) / median() / 1e3;
}

Result<TimedRun> time_all(const std::string& selector, const std::vector<Benchmark>& benchmarks,
                          unsigned rounds) try {
  const Device device = Device::open(selector);
  AMDMemoryManager memory(device, AMDConfig{});
  HIPUtilities utilities(device, AMDConfig{}, &memory);
  Kernels kernels(device);
  Timer timer(utilities);
  TimedRun run{.device = device.info()};
  run.copy_gbs = copy_rate(device, memory, utilities, timer, rounds);
  for (const Benchmark& benchmark : benchmarks) {
    Timing timing{.benchmark = benchmark, .calls = calls_of(benchmark)};
    Prepared prepared(benchmark, kernels, memory, utilities, timing.calls);
    for (unsigned i = 0; i < rounds + kWarmUp; ++i)
      if (const double time = replay(timer, prepared.graph); i >= kWarmUp)
        timing.microseconds.push_back(time / timing.calls);
    run.timings.push_back(std::move(timing));
  }
  return run;
} catch (const AMDBackendError& error) {
  return fail("cannot measure on", selector, error.what(), error.details().advice);
}

std::string text_of(const TimedRun& run, bool colour) {
  Table table({"operation", ">us", ">spread", ">GB/s", ">of copy"});
  for (const Timing& each : run.timings)
    table.add({to_string(*each.benchmark.op, each.benchmark.problem),
               fmt::format("{:.2f}", each.median()), fmt::format("{:.1f}%", 100 * each.spread()),
               fmt::format("{:.0f}", each.gbs()),
               fmt::format("{:.2f}", each.gbs() / run.copy_gbs)});
  return fmt::format("{} ({}); a copy on the device moves {:.0f} GB/s\n\n{}", run.device.name,
                     run.device.id, run.copy_gbs, table.text(colour));
}

Json json_of(const TimedRun& run) {
  Json results = Json::array();
  for (const Timing& each : run.timings)
    results.push_back({{"operation", each.benchmark.op->name},
                       {"variant", each.benchmark.op->variants[each.benchmark.problem.variant]},
                       {"problem", to_string(*each.benchmark.op, each.benchmark.problem)},
                       {"calls_per_graph", each.calls},
                       {"microseconds", each.microseconds},
                       {"median_microseconds", each.median()},
                       {"spread", each.spread()},
                       {"ideal_bytes", ideal_bytes(*each.benchmark.op, each.benchmark.problem)},
                       {"gbs", each.gbs()},
                       {"share_of_copy", each.gbs() / run.copy_gbs}});
  return {{"device",
           {{"id", run.device.id},
            {"name", run.device.name},
            {"architecture", run.device.architecture},
            {"runtime", run.device.runtime}}},
          {"copy_gbs", run.copy_gbs},
          {"results", std::move(results)}};
}

}  // namespace hipwright::kernels
