// SPDX-License-Identifier: MIT
// What a hit costs. Promises: from disk under 2 ms, from memory under 10 µs. Beside each, in the
// same run, what cannot be avoided: a plain read of the same file, a lookup in a hash table.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "toolchain/cache/kernel_cache.h"

namespace fs = std::filesystem;
using namespace hipwright;
using namespace hipwright::toolchain;

namespace {

constexpr std::size_t kSourceBytes = 16 << 10;  // a long kernel

CacheRequest request() {
  return {.source = std::string(kSourceBytes, 's'),
          .source_name = "bench.hip",
          .compiler = "hiprtc 6.4",
          .target = "gfx90a:sramecc+:xnack-",
          .options = {"-O3", "-std=c++17", "-I/opt/rocm/include"}};
}

// Real headers, old enough that their stamps are trusted.
std::vector<fs::path> headers(std::size_t count) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it("/usr/include", error), end;
       !error && it != end && found.size() < count; it.increment(error))
    if (it->is_regular_file(error)) found.push_back(it->path());
  return found;
}

// A cache that already has the kernel.
struct Warm {
  Warm(std::size_t payload_bytes, std::size_t include_count, std::size_t memory_entries)
      : folder(*TemporaryDirectory::create()),
        cache({.directory = folder.path() / "cache", .memory_entries = memory_entries}) {
    const auto kernel = cache.get_or_compile(request(), [&]() -> Result<Compiled> {
      return Compiled{.payload = std::string(payload_bytes, 'p'),
                      .includes = headers(include_count)};
    });
    HW_ASSERT(kernel && cache.statistics().stored == 1);
  }
  fs::path entry() const {
    for (const auto& file : fs::recursive_directory_iterator(folder.path() / "cache" / "entries"))
      if (file.is_regular_file()) return file.path();
    return {};
  }

  TemporaryDirectory folder;
  KernelCache cache;
};

void ask(benchmark::State& state, Warm& warm) {
  const CacheRequest wanted = request();
  for (auto _ : state) {
    const auto kernel = warm.cache.get_or_compile(
        wanted, []() -> Result<Compiled> { return fail("cannot happen", "", "it is a hit"); });
    benchmark::DoNotOptimize(kernel);
  }
  HW_ASSERT(warm.cache.statistics().misses == 1);
}

void disk_hit(benchmark::State& state) {
  Warm warm(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)), 0);
  ask(state, warm);
}

void plain_read_of_the_same_file(benchmark::State& state) {
  const Warm warm(static_cast<std::size_t>(state.range(0)), 0, 0);
  const fs::path entry = warm.entry();
  for (auto _ : state) benchmark::DoNotOptimize(read_file(entry));
}

void memory_hit(benchmark::State& state) {
  Warm warm(64 << 10, static_cast<std::size_t>(state.range(0)), 100);
  ask(state, warm);
}

void unordered_map_find(benchmark::State& state) {
  std::unordered_map<std::string, int> map;
  for (int i = 0; i < 100; ++i) map.emplace(std::to_string(i) + request().source, i);
  const std::string wanted = "50" + request().source;
  for (auto _ : state) benchmark::DoNotOptimize(map.find(wanted));
}

}  // namespace

BENCHMARK(memory_hit)->ArgName("includes")->Arg(0)->Arg(8)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK(unordered_map_find)->Unit(benchmark::kMicrosecond);
BENCHMARK(disk_hit)
    ->ArgNames({"payload", "includes"})
    ->Args({64 << 10, 0})
    ->Args({64 << 10, 64})
    ->Args({64 << 10, 300})
    ->Args({1 << 20, 0})
    ->Args({8 << 20, 0})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(plain_read_of_the_same_file)
    ->ArgName("payload")
    ->Arg(64 << 10)
    ->Arg(1 << 20)
    ->Arg(8 << 20)
    ->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
