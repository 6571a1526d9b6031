// SPDX-License-Identifier: MIT
// Bytes per second of the readers of CUDA sources, beside a search for one byte and a copy of the
// same text: what a core could do at best. HIPWRIGHT_BENCH_SOURCES: files, separated by blanks;
// without it a generated text is read.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "syntax/cuda/file.h"

namespace {

using namespace hipwright;
using namespace hipwright::syntax;

const Name kBallot("__ballot");
const Name kShuffle("__shfl_xor_sync");

constexpr const char* kKernel = R"(
// Sums the values of a row. One block works on one row at a time.
template <typename scalar_t, int kThreads>
__global__ void __launch_bounds__(kThreads) row_sum(const scalar_t* __restrict__ in, float* out,
                                                    const int columns) {
  __shared__ float partial[kThreads / WARP_SIZE];
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    sum += static_cast<float>(in[blockIdx.x * columns + column]);
  }
#ifdef USE_ROCM
  constexpr unsigned long long kMask = 0xffffffffffffffffULL;
#else
  constexpr unsigned kMask = 0xffffffff;
#endif
  for (int offset = WARP_SIZE / 2; offset > 0; offset >>= 1)
    sum += __shfl_xor_sync(kMask, sum, offset);
  if (threadIdx.x % WARP_SIZE == 0) partial[threadIdx.x / WARP_SIZE] = sum;
  __syncthreads();
  /* The first wave adds what the others left. */
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

void launch(const float* in, float* out, int rows, int columns, cudaStream_t stream) {
  row_sum<float, 256><<<rows, 256, 0, stream>>>(in, out, columns);
  check(cudaGetLastError(), "row_sum");
}
)";

std::vector<std::string> sources() {
  std::vector<std::string> texts;
  if (const char* listed = std::getenv("HIPWRIGHT_BENCH_SOURCES")) {
    std::istringstream paths(listed);
    for (std::string path; paths >> path;) {
      if (auto text = read_file(path)) texts.push_back(*std::move(text));
    }
  }
  if (texts.empty()) {
    for (int file = 0; file < 100; ++file) {
      std::string text;
      for (int copy = 0; copy < 20; ++copy) text += kKernel;
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

template <class Read>
void over_sources(benchmark::State& state, const Read& read) {
  const std::vector<std::string> texts = sources();
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  for (auto _ : state) {
    for (const std::string& text : texts) read(text);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void count_lines(benchmark::State& state) {
  over_sources(state, [](const std::string& text) {
    benchmark::DoNotOptimize(std::count(text.begin(), text.end(), '\n'));
  });
}
BENCHMARK(count_lines)->Unit(benchmark::kMillisecond);

void cuda_lex(benchmark::State& state) {
  over_sources(state, [](const std::string& text) {
    benchmark::DoNotOptimize(cuda::lex(text).list.data());
  });
}
BENCHMARK(cuda_lex)->Unit(benchmark::kMillisecond);

void cuda_file(benchmark::State& state) {
  over_sources(state, [](const std::string& text) {
    const cuda::File file(text);
    benchmark::DoNotOptimize(file.occurrences(kBallot).size() + file.occurrences(kShuffle).size());
  });
}
BENCHMARK(cuda_file)->Unit(benchmark::kMillisecond);

// What the first rule that asks pays for: brackets, functions, conditions.
void cuda_tree(benchmark::State& state) {
  over_sources(state, [](const std::string& text) {
    const cuda::File file(text);
    benchmark::DoNotOptimize(file.functions().size() + file.partner(0));
    benchmark::DoNotOptimize(file.compiled(static_cast<cuda::TokenIndex>(file.tokens().size() / 2),
                                           cuda::Platform::kAmd));
  });
}
BENCHMARK(cuda_tree)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
