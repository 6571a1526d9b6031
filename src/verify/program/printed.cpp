// SPDX-License-Identifier: MIT
#include "verify/program/printed.h"

#include <algorithm>
#include <cctype>

#include "base/pattern.h"

namespace hipwright::verify {

namespace {

constexpr std::string_view kDigits = "0123456789";

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Every number, with the blanks before it, is one sign: their widths differ as well.
std::string without_numbers(std::string_view line) {
  static const Pattern kNumber(R"(^[ \t]*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?)");
  std::string out;
  while (!line.empty()) {
    const bool may_begin = out.empty() || std::isalpha(static_cast<unsigned char>(out.back())) == 0;
    const bool is_digit = line[0] == ' ' || line[0] == '\t' || line[0] == '-' || line[0] == '+' ||
                          line[0] == '.' || kDigits.find(line[0]) != std::string_view::npos;
    if (const auto number = may_begin && is_digit ? kNumber.find(line) : std::vector<std::string>();
        !number.empty()) {
      out += '#';
      line.remove_prefix(number[0].size());
    } else {
      out += line[0];
      line.remove_prefix(1);
    }
  }
  return out;
}

bool is_measured(std::string_view left, std::string_view right) {
  static const Pattern kUnit(
      R"((^|[^a-z])(s|secs?|seconds?|[mun]s|[mun]secs?|(milli|micro|nano)seconds?|[kmgt]i?b/s(ec)?|[kmgt]flops?(/s(ec)?)?|fps|[kmg]hz)($|[^a-z]))");
  std::string lower = without_numbers(left);
  if (lower != without_numbers(right)) return false;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return !kUnit.find(lower).empty();
}

}  // namespace

Printed compare_printed(std::string_view left, std::string_view right) {
  Printed result;
  while (!left.empty() || !right.empty()) {
    const std::string_view a = next_line(left), b = next_line(right);
    if (a == b) {
      result.has_number |= a.find_first_of(kDigits) != std::string_view::npos;
    } else if (is_measured(a, b)) {
      if (result.time_of_left.empty()) result.time_of_left = a;
    } else {
      result.is_same = false;
      result.left = a.substr(0, 200);
      result.right = b.substr(0, 200);
      return result;
    }
  }
  return result;
}

}  // namespace hipwright::verify
