// SPDX-License-Identifier: MIT
// Compiles a kernel for the targets named on the command line, twice, and shows where the second
// one came from.
#include <hipwright/compiler.h>

#include <cstdio>

int main(int argc, char** argv) {
  constexpr const char* kSource = R"(
__global__ void scale(float* values, float factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
})";
  try {
    hipwright::ROCmCompiler compiler;
    for (int i = 1; i < argc; ++i) {
      for (int round = 0; round < 2; ++round) {
        const auto kernel = compiler.compile_kernel(kSource, "scale", {.architecture = argv[i]});
        std::printf("%s: %s, %zu bytes, symbol %s%s\n", kernel.architecture.c_str(),
                    kernel.name.c_str(), kernel.code_object().size(), kernel.symbol.c_str(),
                    kernel.from_cache ? ", from the cache" : "");
      }
    }
    const auto stats = compiler.get_compilation_stats();
    std::printf("%llu hits, %llu misses, hit rate %.0f%%\n",
                static_cast<unsigned long long>(stats.hits()),
                static_cast<unsigned long long>(stats.misses), stats.cache_hit_rate_percent());
  } catch (const hipwright::HIPCompilationError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
