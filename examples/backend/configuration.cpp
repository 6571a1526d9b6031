// SPDX-License-Identifier: MIT
// Settings: by field, by preset, from a file; what holds and where it came from.
#include <hipwright/backend.h>

#include <cstdio>

using hipwright::AMDArchitecture;
using hipwright::AMDConfig;

static void show(const char* title, const hipwright::EffectiveConfig& config) {
  std::printf("%s\n", title);
  for (const auto& row : config.rows)
    if (row.origin != "default")
      std::printf("  %-24s %-10s %s\n", row.field.c_str(), row.value.c_str(), row.origin.c_str());
}

int main() try {
  show("MI300X, a large pool:",
       AMDConfig{.architecture = AMDArchitecture::CDNA3, .memory_pool_size_gb = 24.0}.effective(
           "gfx942"));
  show("MI210, what its architecture suggests:", AMDConfig{}.effective("gfx90a"));
  show("Inference:", AMDConfig{.preset = hipwright::Preset::kInference}.effective());
  show("From a file:",
       AMDConfig::from_toml("enable_profiling = true\nmax_memory_fraction = 0.8\n", "example.toml")
           .effective());

  // Every mistake is reported, not only the first.
  try {
    AMDConfig{.memory_pool_size_gb = -1.0, .max_memory_fraction = 1.5}.effective();
  } catch (const hipwright::AMDConfigurationError& error) {
    std::printf("%zu problems:\n", error.problems().size());
    for (const auto& problem : error.problems())
      std::printf("  %s = %s; allowed: %s\n", problem.field.c_str(), problem.value.c_str(),
                  problem.allowed.c_str());
    if (error.problems().size() != 2) return 1;
  }

  const hipwright::AMDConfig config = hipwright::AMDConfigBuilder()
                                          .preset(hipwright::Preset::kDevelopment)
                                          .max_memory_fraction(0.5)
                                          .build();
  const hipwright::AMDBackend backend(config);
  std::printf("On %s at most %.0f%% of the memory is used\n", backend.device().id().c_str(),
              100 * backend.config().max_memory_fraction);
  std::puts("PASS");
} catch (const hipwright::AMDBackendError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
