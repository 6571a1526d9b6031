// SPDX-License-Identifier: MIT
// The compiler by itself: a kernel for the device, compiled once and cached.
#include <cstdio>

#include "kernels.h"

int main() try {
  hipwright::AMDBackend backend;
  if (!backend.is_available()) {
    std::puts("The CPU compiles nothing: its kernels are C++ functions of this program");
    std::puts("PASS");
    return 0;
  }
  hipwright::ROCmCompiler& compiler = backend.compiler();
  const hipwright::CompileOptions options{.architecture = backend.get_device_info().architecture};
  const hipwright::CompiledKernel kernel = compiler.compile_kernel(kKernels, "saxpy", options);
  std::printf("Kernel: %s\nArchitecture: %s\n", kernel.name.c_str(), kernel.architecture.c_str());

  compiler.compile_kernel(kKernels, "saxpy", options);
  const hipwright::CompilationStats stats = compiler.get_compilation_stats();
  std::printf("Cache hit rate: %.0f%%\n", stats.cache_hit_rate_percent());

  // A code object can be loaded by itself, from wherever it came.
  const hipwright::Kernel saxpy = backend.load_code_object(kernel.code_object(), kernel.symbol);
  constexpr unsigned n = 1000;
  const auto x = to_device(backend, std::vector<float>(n, 1.0F));
  const auto y = to_device(backend, std::vector<float>(n, 0.0F));
  backend.launch(saxpy, blocks_for(n), {kThreads}, 0.5F, x, y, n);
  if (stats.hits() == 0 || to_host(backend, y)[n - 1] != 0.5F) return 1;
  std::puts("PASS");
} catch (const hipwright::AMDBackendError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
