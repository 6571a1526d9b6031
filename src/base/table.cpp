// SPDX-License-Identifier: MIT
#include "base/table.h"

#include <algorithm>

#include "base/error.h"
#include "base/terminal.h"

namespace hipwright {

namespace {

// Columns a UTF-8 text takes, for the characters we print (one column each).
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

Table::Table(std::vector<std::string> headings) : headings_(std::move(headings)) {
  for (std::string& heading : headings_) {
    right_.push_back(heading.starts_with('>'));
    if (right_.back()) heading.erase(0, 1);
  }
}

void Table::add(std::vector<std::string> row) {
  HW_ASSERT(row.size() <= headings_.size());
  row.resize(headings_.size());
  rows_.push_back(std::move(row));
}

std::string Table::text(bool colour) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < headings_.size(); ++c) {
    widths.push_back(columns(headings_[c]));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], columns(row[c]));
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string padding(widths[c] - columns(cells[c]), ' ');
      if (c > 0) out += "  ";
      out += right_[c] ? padding + cells[c] : cells[c] + padding;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  };
  std::string out = paint(line(headings_), Colour::kBold, colour) + "\n";
  for (const auto& row : rows_) out += line(row) + "\n";
  return out;
}

}  // namespace hipwright
