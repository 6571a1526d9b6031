// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cctype>

#include "base/pattern.h"
#include "verify/program/run.h"

namespace hipwright::verify {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9');
}

// "0 mismatches", "failed: 0", "FAILED tests: 0": a count of none, before the word or behind it.
bool counts_none(std::string_view line, std::size_t word, std::size_t after) {
  static const Pattern kBefore(R"((^|[^0-9.])0+\s+([a-z]+\s+)?$)");
  static const Pattern kAfter(R"(^(\s+[a-z]+)?\s*[:=]\s*0+($|[^0-9.]|\.($|[^0-9])))");
  return !kBefore.find(line.substr(0, word)).empty() || !kAfter.find(line.substr(after)).empty();
}

}  // namespace

std::string complaint_in(std::string_view output) {
  static constexpr std::array<std::string_view, 8> kWords = {
      "fail", "failed", "failure", "failures", "mismatch", "mismatches", "mismatched", "incorrect"};
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view shown = output.substr(at, end - at);
    at = end + 1;
    std::string line(shown.substr(0, 2000));
    std::ranges::transform(line, line.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const std::string_view word : kWords)
      for (std::size_t found = line.find(word); found != std::string_view::npos;
           found = line.find(word, found + 1)) {
        const bool begins = found == 0 || !is_letter(line[found - 1]);
        const std::size_t after = found + word.size();
        const bool ends = after == line.size() || !is_letter(line[after]);
        const bool is_denied = std::string_view(line).substr(0, found).ends_with("no ") ||
                               std::string_view(line).substr(0, found).ends_with("not ");
        if (begins && ends && !is_denied && !counts_none(line, found, after))
          return std::string(shown);
      }
  }
  return {};
}

}  // namespace hipwright::verify
