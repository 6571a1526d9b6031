// SPDX-License-Identifier: MIT
// Runs a graph on a device: the kernel library where it has the operation, else the operators'
// plain reference code on the host.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "graph/ir/graph.h"

namespace hipwright::graph {

enum class RunBy { kLibrary, kShape, kReference };  // kShape: nothing is computed or moved
std::string_view to_string(RunBy by);               // "kernel library", "shape", "reference"

struct NodeRun {
  std::string node;  // node_text()
  std::string op;
  double begin = 0, seconds = 0;  // since the run began; of a GPU, the time of the host
  RunBy by = RunBy::kReference;
};

struct RunOptions {
  std::string device = "cpu";    // "hip:0", "cuda", "soft:gfx942"
  bool uses_library = true;      // false: reference code only, the oracle
  bool waits_for_nodes = false;  // each node's time is then its own on every device
};

struct RunResult {
  std::vector<Tensor> outputs;  // as the graph lists them
  std::vector<NodeRun> nodes;
  std::uint64_t peak_bytes = 0;    // of values that live at the same time, without constants
  std::uint64_t copied_bytes = 0;  // between host and device, constants and outputs included
  double seconds = 0;

  std::size_t count(RunBy by) const;
};

// A graph and its constants on a device. The graph must outlive it.
class Executor {
 public:
  // The error names the device that cannot be opened.
  static Result<Executor> create(const Graph& graph, const RunOptions& options = {});
  Executor(Executor&&) noexcept;
  ~Executor();

  // `inputs` as the graph lists them. Errors name the input that does not fit the declared type, or
  // the node that failed. A symbol has one size in all inputs.
  Result<RunResult> run(const std::vector<Tensor>& inputs);

  std::string device() const;  // "soft:gfx942"

 private:
  struct State;
  explicit Executor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Once.
Result<RunResult> run(const Graph& graph, const std::vector<Tensor>& inputs,
                      const RunOptions& options = {});

// The run as a trace in Chrome's format, which `hipwright trace` and Perfetto read.
std::string trace_text(const RunResult& result, std::string_view device);

// Inputs for a run without any: normal(0, 1) for floats; integers are small and not negative, so
// that they index whatever they are for. Symbols and unknown dimensions become `symbol_size`.
Result<std::vector<Tensor>> random_inputs(const Graph& graph, std::uint64_t seed,
                                          std::int64_t symbol_size = 2);

// How far two results are apart.
struct Difference {
  bool is_same_type = true;         // element type and shape
  double absolute = 0;              // the largest
  double relative = 0;              // the largest, divided by the largest |expected|
  bool has_other_specials = false;  // NaN or infinity in one only
};
Difference difference(const Tensor& expected, const Tensor& actual);

}  // namespace hipwright::graph
