// SPDX-License-Identifier: MIT
// Activations that fused operators apply at their end.
#pragma once

#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::graph {

// "": none; "relu", "silu", "gelu" (error function), "gelu_tanh", "sigmoid", "tanh".
Status activate(std::string_view name, std::vector<double>& values);

}  // namespace hipwright::graph
