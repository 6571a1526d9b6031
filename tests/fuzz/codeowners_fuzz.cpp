// SPDX-License-Identifier: MIT
// Any text is a list of owners, and every path has an answer in bounded time.
#include <cstdint>

#include "github/owners/codeowners.h"
#include "github/owners/line_authors.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto owners = github::CodeOwners::parse(text);
  for (const char* path :
       {"a", "csrc/rocm/attention.cu", "docs/a b.md", "x/y/z/aaaaaaaaaaaaaaaaaaa"})
    for (const std::string& owner : owners.of(path)) HW_ASSERT(!owner.empty());
  for (const auto& [path, spans] : github::replaced_lines(text))
    for (const github::LineSpan& span : spans) HW_ASSERT(span.first <= span.last);
  return 0;
}
