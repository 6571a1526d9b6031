// SPDX-License-Identifier: MIT
// What a region costs on the cpu device. Promise: under 100 ns with profiling on. Beside it, in the
// same run, what cannot be avoided: two readings of the clock.
#include <benchmark/benchmark.h>

#include <chrono>

#include "hipwright/utilities.h"
#include "runtime/profiler/host_clock.h"

using namespace hipwright;

namespace {

HIPUtilities& utilities(bool profiling) {
  static HIPUtilities on(Device::open("cpu"), {.enable_profiling = true});
  static HIPUtilities off(Device::open("cpu"), {});
  return profiling ? on : off;
}

void region(benchmark::State& state) {
  HIPUtilities& utils = utilities(true);
  for (auto _ : state) const auto region = utils.profile_region("forward_pass");
}

void region_in_a_named_stream(benchmark::State& state) {
  HIPUtilities& utils = utilities(true);
  static const Stream compute = utils.create_stream("compute");
  const auto scope = utils.stream_context(compute);
  for (auto _ : state) const auto region = utils.profile_region("forward_pass");
}

void nested_regions(benchmark::State& state) {
  HIPUtilities& utils = utilities(true);
  for (auto _ : state) {
    const auto outer = utils.profile_region("outer");
    const auto inner = utils.profile_region("inner");
  }
  state.SetItemsProcessed(2 * state.iterations());
}

void region_with_profiling_off(benchmark::State& state) {
  HIPUtilities& utils = utilities(false);
  for (auto _ : state) const auto region = utils.profile_region("forward_pass");
}

void two_readings_of_the_host_clock(benchmark::State& state) {
  const runtime::HostClock clock;
  for (auto _ : state) {
    benchmark::DoNotOptimize(clock.ticks());
    benchmark::DoNotOptimize(clock.ticks());
  }
}

void two_readings_of_the_steady_clock(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::chrono::steady_clock::now());
    benchmark::DoNotOptimize(std::chrono::steady_clock::now());
  }
}

}  // namespace

BENCHMARK(region)->ThreadRange(1, 2);
BENCHMARK(region_in_a_named_stream);
BENCHMARK(nested_regions);
BENCHMARK(region_with_profiling_off);
BENCHMARK(two_readings_of_the_host_clock);
BENCHMARK(two_readings_of_the_steady_clock);

BENCHMARK_MAIN();
