// SPDX-License-Identifier: MIT
// Runs a graph on the CPU: the kernel library where it has the operation, else the operators' plain
// reference code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "graph/ir/graph.h"

namespace hipwright::graph {

struct NodeRun {
  std::string node;  // node_text()
  std::string op;
  double seconds = 0;
  bool by_library = false;
};

struct RunOptions {
  bool uses_library = true;  // false: reference code only, the oracle
};

struct RunResult {
  std::vector<Tensor> outputs;  // as the graph lists them
  std::vector<NodeRun> nodes;
  std::uint64_t peak_bytes = 0;  // of values that live at the same time, without constants
};

// `inputs` as the graph lists them. Errors name the input that does not fit the declared type, or
// the node that failed. A symbol has one size in all inputs.
Result<RunResult> run(const Graph& graph, const std::vector<Tensor>& inputs,
                      const RunOptions& options = {});

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
