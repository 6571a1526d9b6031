// SPDX-License-Identifier: MIT
// A compiler's messages about a source, up to the line "----", and that source: repairs lie inside
// of the text, and are proposed once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "port/compile/repair.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hipwright;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find("\n----\n");
  if (end == std::string_view::npos) return 0;
  const std::string text(input.substr(end + 6));
  const auto messages = toolchain::parse_compiler_log(input.substr(0, end + 1));
  const auto repairs = port::repairs_for(
      messages, [&](const std::string& path) { return path == "a.cu" ? &text : nullptr; });
  for (std::size_t i = 0; i < repairs.size(); ++i) {
    const port::Repair& each = repairs[i];
    HW_ASSERT(each.path == "a.cu" && each.code.text().starts_with("HP80"));
    HW_ASSERT(each.span.begin <= each.span.end && each.span.end <= text.size());
    for (std::size_t other = 0; other < i; ++other)
      HW_ASSERT(
          !(repairs[other].span == each.span && repairs[other].replacement == each.replacement));
  }
  return 0;
}
