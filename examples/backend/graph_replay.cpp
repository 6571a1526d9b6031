// SPDX-License-Identifier: MIT
// Work recorded once and replayed, then with another argument; and what may not be recorded.
#include <cstdio>

#include "kernels.h"

int main() try {
  hipwright::AMDBackend backend;
  hipwright::HIPUtilities& utils = backend.utilities();
  const hipwright::Kernel saxpy = backend.load_kernel(kKernels, "saxpy");
  constexpr unsigned n = 4096;
  const auto x = to_device(backend, std::vector<float>(n, 1.0F));
  const auto y = to_device(backend, std::vector<float>(n, 0.0F));
  backend.synchronize();

  const hipwright::Graph step = utils.capture_graph("step", [&](const hipwright::Stream&) {
    backend.launch(saxpy, blocks_for(n), {kThreads}, 1.0F, x, y, n);
    backend.launch(saxpy, blocks_for(n), {kThreads}, 2.0F, x, y, n);
  });
  for (int i = 0; i < 10; ++i) step.replay();
  backend.synchronize();
  const float after_ten = to_host(backend, y)[0];
  std::printf("%zu kernels, replayed 10 times: %.0f\n", step.kernels().size(),
              static_cast<double>(after_ten));

  step.set_arguments(1, 5.0F, x, y, n);
  step.replay();
  backend.synchronize();
  const float after_change = to_host(backend, y)[0];
  std::printf("once more with another factor: %.0f\n", static_cast<double>(after_change));

  try {
    utils.capture_graph("wrong", [&](const hipwright::Stream&) {
      backend.launch(saxpy, blocks_for(n), {kThreads}, 1.0F, x, y, n);
      backend.synchronize();
    });
    return 1;
  } catch (const hipwright::GraphCaptureError& error) {
    std::printf("%s\n", error.what());
  }
  // Nothing of it was run, and the device works on.
  step.replay();
  backend.synchronize();
  if (after_ten != 30.0F || after_change != 36.0F || to_host(backend, y)[0] != 42.0F) return 1;
  std::puts("PASS");
} catch (const hipwright::AMDBackendError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
