// SPDX-License-Identifier: MIT
// Streams and timing. The trace opens in ui.perfetto.dev.
#include <cstdio>

#include "kernels.h"

int main(int argc, char** argv) try {
  hipwright::AMDBackend backend(hipwright::AMDConfig{.enable_profiling = true});
  hipwright::HIPUtilities& utils = backend.utilities();
  const hipwright::Kernel saxpy = backend.load_kernel(kKernels, "saxpy");
  constexpr unsigned n = 1 << 16;
  const auto x = to_device(backend, std::vector<float>(n, 1.0F));
  const auto y = to_device(backend, std::vector<float>(n, 0.0F));
  backend.synchronize();

  const hipwright::Stream compute = utils.create_stream("compute", 0);
  {
    const auto scope = utils.stream_context(compute);
    const auto training = utils.profile_region("training");
    for (int step = 0; step < 20; ++step) {
      const auto region = utils.profile_region("forward_pass");
      backend.launch(saxpy, blocks_for(n), {kThreads}, 1.0F, x, y, n);
    }
  }
  compute.synchronize();

  const hipwright::ProfilingSummary summary = utils.get_profiling_summary();
  for (const auto& [name, data] : summary.regions)
    std::printf("%s: %.3fms (min=%.3f, max=%.3f, p99=%.3f), host %.3fms, %llu times\n",
                name.c_str(), data.avg_ms, data.min_ms, data.max_ms, data.p99_ms, data.host_avg_ms,
                static_cast<unsigned long long>(data.count));
  if (argc > 1) utils.export_trace(argv[1]);
  if (summary.regions.at("forward_pass").count != 20 || to_host(backend, y)[n - 1] != 20.0F)
    return 1;
  std::puts("PASS");
} catch (const hipwright::AMDBackendError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
