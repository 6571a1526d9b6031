// SPDX-License-Identifier: MIT
// A pass rewrites a graph into one that computes the same. It is one file,
// passes/<group>/<name>.cpp, which defines one function with its own name in
// hipwright::graph::passes; the build generates the list of all. Tests run every pass on random
// graphs and inputs and hold it to its tolerance.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "graph/ir/graph.h"

namespace hipwright::graph {

// Each includes those before it.
enum class Level { kConservative, kBalanced, kAggressive };
std::string_view to_string(Level level);
Result<Level> parse_level(std::string_view word);

struct Applied {
  // What each rewrite was made of, by the name of its last node or value.
  std::vector<std::string> nodes;
  std::size_t count() const { return nodes.size(); }
};

struct PassContext {
  ElementType low_precision = ElementType::kUndefined;  // what mixed precision uses
};

struct Pass {
  std::string_view summary;
  Level level;       // the first that includes it
  unsigned order;    // passes run in ascending order
  double tolerance;  // the largest relative difference it may make, in f32; 0: none
  Result<Applied> (*apply)(Graph& graph, const PassContext& context);
  // Only where the target multiplies matrices of 16-bit floats.
  bool needs_matrix_cores = false;
  std::string_view name = {};   // "rms_norm"; set by all_passes()
  std::string_view group = {};  // "recognition"; set by all_passes()
};

// In the order in which they run.
const std::vector<Pass>& all_passes();
const Pass* find_pass(std::string_view name);

}  // namespace hipwright::graph
