// SPDX-License-Identifier: MIT
// Lines of texts that are not parsed: shell, YAML, requirements, Makefiles.
#pragma once

#include <algorithm>
#include <string_view>

namespace hipwright::syntax {

// Calls visit(line, begin): the line without its end, and where it begins.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(line, begin);
    begin = end + 1;
  }
}

}  // namespace hipwright::syntax
