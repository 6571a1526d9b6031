// SPDX-License-Identifier: MIT
// Products of one input with several constant matrices: one product with the matrices side by
// side, and a split of its columns.
#pragma once

#include "graph/passes/match.h"

namespace hipwright::graph {

// Joins groups with `count` products.
Result<Applied> join_shared_input(Graph& graph, std::size_t count);

}  // namespace hipwright::graph
