// SPDX-License-Identifier: MIT
// Where the windows of convolutions and pooling are.
#pragma once

#include "graph/ops/shapes.h"

namespace hipwright::graph {

struct Window {
  Dims kernel, strides, dilations, begin, end;  // of each spatial dimension; pads
  Dims out;
  bool rounds_up = false;
};

Dims spatial_of(const Dims& dims);  // without batch and channels

// `x` and `w`: the shapes of image and weights.
Result<Window> conv_window(const Node& node, const Dims& x, const Dims& w);
Result<Window> pool_window(const Node& node, const Dims& spatial);

}  // namespace hipwright::graph
