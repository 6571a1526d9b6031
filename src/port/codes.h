// SPDX-License-Identifier: MIT
// The codes of what the porter changed or could not change. Each has a page, HPnnn-name.md, next to
// the pass that emits it; the first digit is the phase.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hipwright::port {

struct Code {
  std::string_view code;   // "HP202"
  std::string_view name;   // "no-counterpart"
  std::string_view title;  // "No HIP counterpart"
  std::string_view page;   // Markdown
};

const std::vector<Code>& all_codes();  // by code
const Code* find_code(std::string_view code_or_name);

}  // namespace hipwright::port
