// SPDX-License-Identifier: MIT
// What ROCmCompiler::compile_kernel costs when it does not compile, beside what it saves.
#include <benchmark/benchmark.h>

#include "base/file.h"
#include "hipwright/compiler.h"

namespace {

using namespace hipwright;

constexpr const char* kSource = R"(
__global__ void scale(float* values, float factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
})";

struct Setup {
  TemporaryDirectory folder = TemporaryDirectory::create().value();
  CompilerConfig config(std::size_t memory_entries) const {
    CompilerConfig made;
    made.backend = CompilerBackend::kClang;
    made.architecture = "gfx942";
    made.hip_compiler_cache_dir = folder.path() / "cache";
    made.hip_compiler_cache_size = memory_entries;
    return made;
  }
};

void compile_with_clang(benchmark::State& state) {
  const Setup setup;
  CompilerConfig uncached = setup.config(0);
  uncached.hip_kernel_cache_enabled = false;
  ROCmCompiler compiler(uncached);
  for (auto _ : state)
    benchmark::DoNotOptimize(compiler.compile_kernel(kSource, "scale").code_object().data());
}
BENCHMARK(compile_with_clang)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);

void hit_from(benchmark::State& state, std::size_t memory_entries) {
  const Setup setup;
  ROCmCompiler compiler(setup.config(memory_entries));
  compiler.compile_kernel(kSource, "scale");
  for (auto _ : state)
    benchmark::DoNotOptimize(compiler.compile_kernel(kSource, "scale").code_object().data());
}
BENCHMARK_CAPTURE(hit_from, memory, 100)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(hit_from, disk, 0)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
