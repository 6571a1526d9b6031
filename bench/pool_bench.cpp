// SPDX-License-Identifier: MIT
// What an allocation costs. Promise: allocate and free of cached memory under 200 ns. Beside it, in
// the same run: malloc, the device's own allocation (hipMalloc, cuMemAlloc) and its stream-ordered
// one (hipMallocAsync, cuMemAllocAsync), on the device that HIPWRIGHT_DEVICE names (default: cpu).
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "device/device.h"
#include "hipwright/memory.h"

using namespace hipwright;

namespace {

Device& the_device() {
  static Device device = [] {
    const char* named = std::getenv("HIPWRIGHT_DEVICE");
    return Device::open(named == nullptr ? "cpu" : named);
  }();
  return device;
}

AMDMemoryManager& the_manager() {
  static AMDMemoryManager manager(the_device(), {});
  return manager;
}

std::size_t bytes_of(const benchmark::State& state) {
  return static_cast<std::size_t>(state.range(0));
}

void pool_hit(benchmark::State& state) {
  AMDMemoryManager& manager = the_manager();
  const std::size_t bytes = bytes_of(state);
  manager.allocate(bytes);
  for (auto _ : state) {
    const DeviceBuffer buffer = manager.allocate(bytes);
    benchmark::DoNotOptimize(buffer.data());
  }
}

void malloc_free(benchmark::State& state) {
  const std::size_t bytes = bytes_of(state);
  for (auto _ : state) {
    void* memory = std::malloc(bytes);
    benchmark::DoNotOptimize(memory);
    std::free(memory);
  }
}

void device_allocate_free(benchmark::State& state) {
  device::Device& driver = *the_device().driver();
  const std::size_t bytes = bytes_of(state);
  for (auto _ : state) {
    const auto memory = driver.allocate(bytes);
    if (!memory || !driver.free(*memory)) return state.SkipWithError("the device refused");
  }
}

void device_allocate_free_async(benchmark::State& state) {
  device::Device& driver = *the_device().driver();
  const auto stream = driver.create_stream(0);
  const std::size_t bytes = bytes_of(state);
  for (auto _ : state) {
    const auto memory = stream ? driver.allocate_async(bytes, *stream)
                               : device::Outcome<void*>(std::unexpected(stream.error()));
    if (!memory || !driver.free_async(*memory, *stream)) {
      state.SkipWithError("the device has no stream-ordered allocator");
      break;
    }
  }
  if (!stream) return;
  static_cast<void>(driver.synchronize(*stream));
  static_cast<void>(driver.destroy_stream(*stream));
}

// 256 buffers alive, of 512 bytes to 1 MiB; each step replaces one.
std::vector<std::size_t> mixed_sizes() {
  std::mt19937 random(1);
  std::vector<std::size_t> sizes(4096);
  for (std::size_t& size : sizes) size = (std::size_t{512} << (random() % 11)) + random() % 512;
  return sizes;
}

void pool_mixed(benchmark::State& state) {
  AMDMemoryManager manager(the_device(), {});
  const auto sizes = mixed_sizes();
  std::vector<DeviceBuffer> live(256);
  std::size_t i = 0;
  for (auto _ : state) {
    live[i * 7 % live.size()] = manager.allocate(sizes[i % sizes.size()]);
    ++i;
  }
}

void malloc_mixed(benchmark::State& state) {
  const auto sizes = mixed_sizes();
  std::vector<void*> live(256);
  std::size_t i = 0;
  for (auto _ : state) {
    void*& slot = live[i * 7 % live.size()];
    std::free(slot);
    slot = std::malloc(sizes[i % sizes.size()]);
    benchmark::DoNotOptimize(slot);
    ++i;
  }
  for (void* memory : live) std::free(memory);
}

constexpr std::array<std::int64_t, 4> kSizes = {512, 64 << 10, 4 << 20, 256 << 20};

// Prints the usual table, then how many pool hits each peer costs.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs)
      if (!run.error_occurred && run.run_type == Run::RT_Iteration)
        times_[run.benchmark_name()] = run.GetAdjustedRealTime();
  }
  void print_ratios() const {
    fmt::print("\n{:>10} {:>12} {:>14} {:>22} {:>22}\n", "bytes", "pool hit", "malloc/free",
               "device allocate/free", "stream-ordered");
    for (const std::int64_t size : kSizes) {
      const auto pool = times_.find(fmt::format("pool_hit/{}", size));
      if (pool == times_.end()) continue;
      fmt::print("{:>10} {:>9.0f} ns {:>14} {:>22} {:>22}\n", size, pool->second,
                 ratio("malloc_free", size, pool->second),
                 ratio("device_allocate_free", size, pool->second),
                 ratio("device_allocate_free_async", size, pool->second));
    }
  }

 private:
  std::string ratio(const char* name, std::int64_t size, double pool) const {
    const auto found = times_.find(fmt::format("{}/{}", name, size));
    return found == times_.end() ? "-" : fmt::format("x {:.2f}", found->second / pool);
  }
  std::map<std::string, double> times_;
};

void for_all_sizes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t size : kSizes) bench->Arg(size);
}

}  // namespace

BENCHMARK(pool_hit)->Apply(for_all_sizes);
BENCHMARK(malloc_free)->Apply(for_all_sizes);
BENCHMARK(device_allocate_free)->Apply(for_all_sizes);
BENCHMARK(device_allocate_free_async)->Apply(for_all_sizes);
BENCHMARK(pool_hit)->Name("pool_hit_contended")->Arg(4096)->Threads(2)->UseRealTime();
BENCHMARK(malloc_free)->Name("malloc_free_contended")->Arg(4096)->Threads(2)->UseRealTime();
BENCHMARK(pool_mixed);
BENCHMARK(malloc_mixed);

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  const DeviceInfo info = the_device().info();
  fmt::print("device {}: {}, {}\n", info.id, info.name, info.runtime);
  std::fflush(stdout);
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
}
