// SPDX-License-Identifier: MIT
#include "graph/passes/shared_input.h"

namespace hipwright::graph::passes {

namespace {

Result<Applied> apply(Graph& graph, const PassContext&) {
  return join_shared_input(graph, 3);
}

}  // namespace

Pass qkv() {
  return {"join three products of one input, as of queries, keys and values", Level::kAggressive,
          540, 1e-6, apply};
}

}  // namespace hipwright::graph::passes
