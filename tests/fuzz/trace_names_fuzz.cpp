// SPDX-License-Identifier: MIT
// What a trace says of a kernel and of an operation: names, shapes and scalars as any text.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "trace/analysis/flops.h"
#include "trace/categories.h"

using namespace hipwright;
using namespace hipwright::trace;

namespace {

// Each has an operation whose work is computed in another way.
constexpr std::string_view kOperations[] = {"aten::mm",
                                            "aten::linear",
                                            "aten::bmm",
                                            "aten::addmm",
                                            "aten::convolution",
                                            "aten::cudnn_convolution",
                                            "aten::miopen_convolution",
                                            "aten::_scaled_dot_product_flash_attention",
                                            "aten::add",
                                            "aten::copy_",
                                            "aten::sum"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  HW_ASSERT(!title_of(category_of(text)).empty());
  parse_tensile(text);
  // Shapes, types and scalars, as three lines.
  const std::vector<std::string> lines = split_text(text, '\n');
  const auto line = [&](std::size_t i) { return i < lines.size() ? lines[i] : std::string(); };
  OpCall call{.name = {},
              .shapes = parse_shapes(line(0)),
              .types = split_text(line(1), ';'),
              .arguments = split_text(line(2), ';')};
  for (const std::string_view name : kOperations) {
    call.name = name;
    if (const auto work = work_of(call)) HW_ASSERT(!(work->flops < 0) && !(work->bytes < 0));
    gemm_of(call);
  }
  return 0;
}
