// SPDX-License-Identifier: MIT
// Aligned columns for terminals.
#pragma once

#include <string>
#include <vector>

namespace hipwright {

class Table {
 public:
  // A heading that starts with '>' is right-aligned (and shown without it).
  explicit Table(std::vector<std::string> headings);

  void add(std::vector<std::string> row);  // missing cells are empty
  // Headings in bold when `colour`; two spaces between columns; no trailing spaces.
  std::string text(bool colour) const;

 private:
  std::vector<std::string> headings_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace hipwright
