// SPDX-License-Identifier: MIT
// Any text is a list of rules or an error that says where.
#include <cstdint>

#include "github/owners/merge_rules.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto rules = github::parse_merge_rules(text, "rules");
  if (!rules) {
    HW_ASSERT(!rules.error().message().empty());
    return 0;
  }
  for (const github::RuleMatch& match :
       github::matching_rules(*rules, {{"torch/rocm.py"}, {"aten/hip/a.hip"}}, {"a"}))
    HW_ASSERT(match.rule != nullptr);
  return 0;
}
