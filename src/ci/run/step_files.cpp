// SPDX-License-Identifier: MIT
#include "ci/run/step_files.h"

#include <algorithm>

namespace hipwright::ci {

std::vector<std::string> read_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Result<std::vector<std::pair<std::string, std::string>>> read_assignments(std::string_view text,
                                                                          const std::string& file) {
  std::vector<std::pair<std::string, std::string>> all;
  const std::vector<std::string> lines = read_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.empty()) continue;
    const std::size_t equals = line.find('='), heredoc = line.find("<<");
    if (heredoc != line.npos && (equals == line.npos || heredoc < equals)) {
      const std::string word = line.substr(heredoc + 2);
      std::string value;
      std::size_t end = i + 1;
      for (; end < lines.size() && lines[end] != word; ++end)
        value += (end == i + 1 ? "" : "\n") + lines[end];
      if (end == lines.size())
        return fail("invalid line in", file, "'" + line + "' has no closing '" + word + "'", "");
      all.emplace_back(line.substr(0, heredoc), std::move(value));
      i = end;
    } else if (equals != line.npos && equals > 0) {
      all.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    } else {
      return fail("invalid line in", file, "'" + line + "' is not NAME=value", "");
    }
  }
  return all;
}

}  // namespace hipwright::ci
