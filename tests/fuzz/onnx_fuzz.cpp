// SPDX-License-Identifier: MIT
// ONNX models: what is accepted holds check(), and is the same graph when it is written and read
// again. What can be optimized holds check(), too.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "graph/onnx/onnx.h"
#include "graph/optimize/optimize.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto graph = graph::onnx::parse_model(bytes, "m.onnx");
  if (!graph) {
    HW_ASSERT(!graph.error().message().empty());
    return 0;
  }
  HW_ASSERT(graph::check(*graph));
  HW_ASSERT(!graph::graph_dot(*graph).empty());
  const auto again = graph::onnx::parse_model(graph::onnx::model_bytes(*graph), "again.onnx");
  HW_ASSERT(again);
  HW_ASSERT(graph::graph_text(*again) == graph::graph_text(*graph));
  for (const char* architecture : {"", "gfx942"}) {
    graph::Graph optimized = *graph;
    if (graph::optimize(optimized, {graph::Level::kAggressive, architecture, {}}))
      HW_ASSERT(graph::check(optimized));
  }
  return 0;
}
