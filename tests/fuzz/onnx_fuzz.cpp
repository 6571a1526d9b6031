// SPDX-License-Identifier: MIT
// ONNX models: what is accepted holds check(), and is the same graph when it is written and read
// again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "graph/onnx/onnx.h"

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
  return 0;
}
