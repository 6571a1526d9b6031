// SPDX-License-Identifier: MIT
// Any bytes are a tree whose spans lie in the text, and a workflow whose expressions do.
#include <cstdint>

#include "base/error.h"
#include "syntax/workflow/workflow.h"

using namespace hipwright;
using namespace hipwright::syntax;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const workflow::File file(text);
  for (const yaml::Node& node : file.yaml().nodes()) {
    HW_ASSERT(node.span.begin <= node.span.end && node.span.end <= size);
    for (std::size_t i = 0; i < node.value.size(); i += 1 + node.value.size() / 16)
      HW_ASSERT(yaml::source_of(node, i) <= size);
  }
  for (const Problem& problem : file.yaml().problems())
    HW_ASSERT(problem.span.begin <= problem.span.end && problem.span.end <= size);
  for (const workflow::Placed& placed : file.expressions()) {
    const Span span = workflow::source_span(*placed.node, placed.span);
    HW_ASSERT(span.begin <= span.end && span.end <= size);
  }
  (void)workflow::parse_expression(text);
  return 0;
}
