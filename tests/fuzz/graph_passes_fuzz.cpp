// SPDX-License-Identifier: MIT
// Random models: optimized at any level, they compute the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../graph/random_graph.h"
#include "graph/optimize/optimize.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 400) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const graph::Graph original = graph::RandomGraph(bytes.substr(1)).make();
  HW_ASSERT(graph::check(original));
  graph::Graph optimized = original;
  const auto level = static_cast<graph::Level>(data[0] % 3);
  const auto summary = graph::optimize(optimized, {level, data[0] < 128 ? "" : "gfx942", {}});
  HW_ASSERT(summary);
  const auto accuracy = graph::compare_graphs(original, optimized, *summary, 1);
  HW_ASSERT(accuracy && accuracy->passes);
  return 0;
}
