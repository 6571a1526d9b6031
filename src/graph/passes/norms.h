// SPDX-License-Identifier: MIT
// Rows that are divided by their spread: what the recognition of norms shares.
#pragma once

#include <optional>

#include "graph/passes/match.h"

namespace hipwright::graph {

// A mean over the last axis that keeps it.
bool is_row_mean(const Graph& graph, const Node& node);

// x / √(mean(x²) + ε): x and ε, where `value` is that.
struct Spread {
  ValueId x;
  double epsilon;
};
std::optional<Spread> normalized_rows(const Graph& graph, const Matcher& matcher, ValueId value);

// A weight or bias: one dimension, as long as the rows of `x`, and of its type.
bool is_row_of(const Graph& graph, ValueId row, ValueId x);

}  // namespace hipwright::graph
