// SPDX-License-Identifier: MIT
// Runs the passes of a level over a graph and reports what each did.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "graph/ir/graph.h"
#include "graph/pass.h"

namespace hipwright::graph {

struct OptimizeOptions {
  Level level = Level::kBalanced;
  std::string architecture;        // "gfx942"; empty: no target, no pass that needs its units
  std::vector<std::string> skips;  // names of passes
};

struct AppliedPass {
  std::string_view pass;
  std::vector<std::string> nodes;
  double tolerance;
};

struct GraphSize {
  std::size_t nodes = 0;
  std::uint64_t constant_bytes = 0;
  std::map<std::string, std::size_t> by_op;
};
GraphSize size_of_graph(const Graph& graph);

// How far the outputs of both graphs are apart for the same random inputs, computed by the
// reference code.
struct Accuracy {
  double relative = 0, absolute = 0;  // the largest
  double allowed = 0;                 // relative: what the passes may make together
  bool passes = false;
};

struct Summary {
  Level level = Level::kBalanced;
  std::string architecture;
  bool matrix_cores_enabled = false;
  std::vector<AppliedPass> optimizations_applied;
  GraphSize before, after;
  std::optional<Accuracy> accuracy;  // empty: not checked
};

// Changes `graph`, which is unusable after an error. The error names the pass and the node.
Result<Summary> optimize(Graph& graph, const OptimizeOptions& options);

// Runs both on `seeds` sets of random inputs.
Result<Accuracy> compare_graphs(const Graph& original, const Graph& optimized,
                                const Summary& summary, unsigned seeds);

// Does the level include the pass on this target? `architecture` may be empty.
Result<bool> has_matrix_cores(std::string_view architecture);
bool is_included(const Pass& pass, Level level, bool matrix_cores);

std::string passes_text(bool colour);  // which level includes which pass
Json passes_json();
std::string summary_text(const Summary& summary, bool colour);
Json summary_json(const Summary& summary);
std::string summary_html(const Summary& summary, const std::string& model);

// Matrix products of a graph with known shapes, as tuners read them (AITER's list of untuned
// GEMMs).
struct Shapes {
  std::string csv;
  std::size_t count = 0;
  std::size_t unknown = 0;  // products without known shapes, or in batches
};
Shapes gemm_shapes(const Graph& graph);

}  // namespace hipwright::graph
