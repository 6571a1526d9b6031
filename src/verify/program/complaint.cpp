// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cctype>

#include "base/pattern.h"
#include "verify/program/run.h"

namespace hipwright::verify {

namespace {

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// TEST_FAILED says it, test_failure_modes does not.
bool is_shouted(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

// "0 mismatches", "; 0 other results are wrong", "failed: 0", "FAILED tests: 0": a count of none,
// before the word or behind it. "test 0 failed", "index 0 is wrong" and "mismatch index: 0" count
// nothing.
bool counts_none(std::string_view line, std::size_t word, std::size_t after) {
  static const Pattern kBefore(
      R"((^|[,;:=(\[{]|\b(with|found|and|are|were|got|has|have|had|total|is))\s*\b0+\s+((?!is\b)[a-z]+\s+){0,4}$)");
  static const Pattern kAfter(R"(^(\s+[a-z]+s)?\s*[:=]\s*0+($|[^0-9.]|\.($|[^0-9])))");
  return !kBefore.find(line.substr(0, word)).empty() || !kAfter.find(line.substr(after)).empty();
}

// "ERROR: 12 elements differ", "Errors: 12", "12 errors"; not "error: 1e-7" nor "errors: 0".
bool tells_error(const std::string& line) {
  static const Pattern kBegins(R"(^[\s*\[#>-]*error\]?\s*[:!]\s*(.*)$)");
  static const Pattern kNumber(R"([-+0-9.,e%\s]*)");
  static const Pattern kCount(R"((^|[^0-9.])0*[1-9][0-9]*\s+errors?($|[^a-z0-9_]))");
  static const Pattern kCounted(R"((^|[^a-z0-9_])errors\s*[:=]\s*0*[1-9][0-9]*($|[^0-9.e]))");
  if (const auto begins = kBegins.match(line); begins.size() > 1)
    if (kNumber.match(begins[1]).empty() && !begins[1].starts_with("no")) return true;
  return !kCount.find(line).empty() || !kCounted.find(line).empty();
}

}  // namespace

std::string complaint_in(std::string_view output) {
  static constexpr std::array<std::string_view, 9> kWords = {
      "fail",       "failed",     "failure",   "failures", "mismatch",
      "mismatches", "mismatched", "incorrect", "wrong"};
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view shown = output.substr(at, end - at);
    at = end + 1;
    std::string line(shown.substr(0, 2000));
    std::ranges::transform(line, line.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (line.find("error") != std::string::npos && tells_error(line)) return std::string(shown);
    for (const std::string_view word : kWords)
      for (std::size_t found = line.find(word); found != std::string_view::npos;
           found = line.find(word, found + 1)) {
        const std::size_t after = found + word.size();
        const bool is_part = is_shouted(shown.substr(found, word.size()));
        const auto parts = [&](char c) { return !is_letter(c) || (c == '_' && is_part); };
        const bool begins = found == 0 || parts(line[found - 1]);
        const bool ends = after == line.size() || parts(line[after]);
        const bool is_denied = std::string_view(line).substr(0, found).ends_with("no ") ||
                               std::string_view(line).substr(0, found).ends_with("not ");
        if (begins && ends && !is_denied && !counts_none(line, found, after))
          return std::string(shown);
      }
  }
  return {};
}

}  // namespace hipwright::verify
