// SPDX-License-Identifier: MIT
// Nodes that are one operation of the kernel library.
#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "graph/ir/graph.h"

namespace hipwright::graph {

// Empty: the library lacks the operation, or this form of it.
Result<std::optional<std::vector<Tensor>>> run_in_library(const Node& node,
                                                          const std::vector<const Tensor*>& inputs);

}  // namespace hipwright::graph
