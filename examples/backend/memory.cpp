// SPDX-License-Identifier: MIT
// The memory pool: what is used and for what, what is kept, what was forgotten.
#include <cstdio>
#include <vector>

#include "kernels.h"

static void show(const char* when, const hipwright::MemoryStats& stats) {
  std::printf("%-22s allocated %5.1f MB, reserved %5.1f MB, hit rate %3.0f%%\n", when,
              stats.allocated_mb, stats.reserved_mb, stats.hit_rate_percent);
}

int main() try {
  constexpr std::size_t kMegabyte = 1 << 20;
  hipwright::AMDBackend backend(hipwright::AMDConfig{.memory_pool_size_gb = 1.0});
  hipwright::AMDMemoryManager& manager = backend.memory();

  auto weights = manager.allocate(40 * kMegabyte, {.purpose = "weights"});
  {
    std::vector<hipwright::DeviceBuffer> activations;
    for (int i = 0; i < 4; ++i)
      activations.push_back(manager.allocate(3 * kMegabyte, {.purpose = "activations"}));
    show("with activations:", manager.get_memory_stats());
  }
  show("without:", manager.get_memory_stats());
  for (int i = 0; i < 100; ++i) manager.allocate(3 * kMegabyte, {.purpose = "activations"});
  show("after 100 steps:", manager.get_memory_stats());

  for (const hipwright::AllocationSummary& purpose : manager.get_allocation_summary())
    std::printf("  %-12s %5.1f MB now, %5.1f MB at most, %llu allocations\n",
                purpose.purpose.c_str(), purpose.allocated_mb, purpose.peak_mb,
                static_cast<unsigned long long>(purpose.allocations));

  const hipwright::MemoryStats stats = manager.get_memory_stats();
  std::printf("Memory usage: %.2f%%\n", stats.allocated_mb / stats.total_mb * 100);
  std::printf("%s", manager.get_leak_report().c_str());
  weights.reset();
  backend.synchronize();
  backend.empty_cache();
  show("given back:", manager.get_memory_stats());
  const hipwright::MemoryStats after = manager.get_memory_stats();
  if (stats.hits < 100 || after.reserved_mb != 0 || !manager.get_leak_report().empty()) return 1;
  std::puts("PASS");
} catch (const hipwright::AMDBackendError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
