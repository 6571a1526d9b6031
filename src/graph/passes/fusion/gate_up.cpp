// SPDX-License-Identifier: MIT
#include "graph/passes/shared_input.h"

namespace hipwright::graph::passes {

namespace {

Result<Applied> apply(Graph& graph, const PassContext&) {
  return join_shared_input(graph, 2);
}

}  // namespace

Pass gate_up() {
  return {"join two products of one input, as of gate and up", Level::kAggressive, 545, 1e-6,
          apply};
}

}  // namespace hipwright::graph::passes
