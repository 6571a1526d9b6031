// SPDX-License-Identifier: MIT
// Bytes per second of the reader of Python sources, beside CPython's own parser (ast.parse of the
// same texts) and a count of line breaks. HIPWRIGHT_BENCH_TREE: a folder whose *.py files are read;
// without it a generated text is.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/process.h"
#include "syntax/python/file.h"

namespace {

using namespace hipwright;
using namespace hipwright::syntax;

constexpr const char* kModule = R"(
import torch
from utils import is_hip, is_cuda

_is_hip = is_hip()


class Linear(torch.nn.Module):
    """A layer whose weights are rows of blocks."""

    def __init__(self, rows: int, columns: int, *, dtype=torch.float16) -> None:
        super().__init__()
        self.weight = torch.empty((rows, columns), dtype=dtype, device="cuda")
        self.names = {f"row_{i}": i for i in range(rows)}  # by name

    @torch.no_grad()
    def forward(self, x: torch.Tensor, bias=None) -> torch.Tensor:
        if _is_hip and x.shape[-1] % 256 == 0:
            return self._forward_hip(x, bias)
        elif is_cuda():
            raise NotImplementedError("this layer has no CUDA kernel yet")
        # The general way.
        y = x @ self.weight.t()
        return y if bias is None else y + bias
)";

const std::vector<std::string>& sources() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> made;
    if (const char* tree = std::getenv("HIPWRIGHT_BENCH_TREE")) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(tree))
        if (entry.is_regular_file() && entry.path().extension() == ".py")
          if (auto text = read_file(entry.path())) made.push_back(*std::move(text));
    }
    if (made.empty()) {
      std::string text;
      for (int copy = 0; copy < 20; ++copy) text += kModule;
      made.assign(100, text);
    }
    return made;
  }();
  return texts;
}

std::int64_t bytes_of_sources() {
  std::size_t bytes = 0;
  for (const std::string& text : sources()) bytes += text.size();
  return static_cast<std::int64_t>(bytes);
}

template <class Read>
void over_sources(benchmark::State& state, const Read& read) {
  for (auto _ : state)
    for (const std::string& text : sources()) read(text);
  state.SetBytesProcessed(state.iterations() * bytes_of_sources());
}

void count_lines(benchmark::State& state) {
  over_sources(state, [](const std::string& text) {
    benchmark::DoNotOptimize(std::count(text.begin(), text.end(), '\n'));
  });
}
BENCHMARK(count_lines)->Unit(benchmark::kMillisecond);

void python_lex(benchmark::State& state) {
  over_sources(state, [](const std::string& text) {
    benchmark::DoNotOptimize(python::lex(text).list.data());
  });
}
BENCHMARK(python_lex)->Unit(benchmark::kMillisecond);

void python_statements(benchmark::State& state) {
  over_sources(state, [](const std::string& text) {
    benchmark::DoNotOptimize(python::File(text).statements().data());
  });
}
BENCHMARK(python_statements)->Unit(benchmark::kMillisecond);

void python_reach(benchmark::State& state) {
  over_sources(state, [](const std::string& text) {
    const python::File file(text);
    if (!file.statements().empty()) benchmark::DoNotOptimize(file.runs_on_rocm(0));
  });
}
BENCHMARK(python_reach)->Unit(benchmark::kMillisecond);

// The texts go through a pipe, one after the other, each behind its length.
constexpr const char* kParse = R"(
import ast, sys, time, warnings
warnings.simplefilter("ignore")
sys.setrecursionlimit(10000)
texts, data = [], sys.stdin.buffer
while size := data.readline():
    texts.append(data.read(int(size)))
started = time.process_time()
for text in texts:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        pass
print(time.process_time() - started)
)";

void cpython_ast(benchmark::State& state) {
  ProcessCommand command;
  command.argv = {"python3", "-c", kParse};
  for (const std::string& text : sources()) {
    command.input += std::to_string(text.size()) + "\n";
    command.input += text;
  }
  for (auto _ : state) {
    const auto finished = run(command);
    if (!finished || !finished->ok()) {
      state.SkipWithError("python3 is not here, or failed");
      return;
    }
    state.SetIterationTime(std::strtod(finished->out.c_str(), nullptr));
  }
  state.SetBytesProcessed(state.iterations() * bytes_of_sources());
}
BENCHMARK(cpython_ast)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
