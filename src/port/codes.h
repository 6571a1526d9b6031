// SPDX-License-Identifier: MIT
// The numbers under which the porter says what it changed or could not change. Each has a page,
// codes/HPnnn-name.md; the first digit is the phase.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hipwright::port {

struct Code {
  std::string_view code;   // "HP202"
  std::string_view name;   // "no-counterpart"
  std::string_view title;  // "HIP has nothing for this name"
  std::string_view page;   // Markdown
};

const std::vector<Code>& all_codes();  // by code
const Code* find_code(std::string_view code_or_name);

}  // namespace hipwright::port
