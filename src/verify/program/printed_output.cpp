// SPDX-License-Identifier: MIT
#include "verify/program/printed_output.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/pattern.h"
#include "base/words.h"

namespace hipwright::verify {

namespace {

constexpr std::string_view kDigits = "0123456789";

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// "took 3 ms": the texts "took" and " ms" around the number "3". Blanks before a number are
// dropped, because padding depends on its width.
struct Parts {
  std::vector<std::string> texts{1};
  std::vector<std::string> numbers;
};

Parts parts_of(std::string_view line) {
  static const Pattern kNumber(R"(^[ \t]*([-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?))");
  Parts out;
  char last = 0;
  while (!line.empty()) {
    const bool may_begin =
        std::isalpha(static_cast<unsigned char>(last)) == 0 || line[0] == ' ' || line[0] == '\t';
    const bool is_digit = line[0] == ' ' || line[0] == '\t' || line[0] == '-' || line[0] == '+' ||
                          line[0] == '.' || kDigits.find(line[0]) != std::string_view::npos;
    const auto number =
        may_begin && is_digit ? kNumber.find(line.substr(0, 400)) : std::vector<std::string>();
    if (number.empty()) {
      last = line[0];
      out.texts.back() += last;
      line.remove_prefix(1);
    } else {
      last = '0';
      out.numbers.push_back(number[1]);
      out.texts.emplace_back();
      line.remove_prefix(number[0].size());
    }
  }
  return out;
}

// "3 ms", "3 (s)"; "time (ms): 3", "GB/s = 3". A unit after the previous number belongs to that
// one.
bool has_unit(const Parts& parts, std::size_t number) {
  static const std::string kUnit =
      "secs?|seconds?|[mun]s|[mun]secs?|(milli|micro|nano)seconds?|[kmgt]i?b/s(ec)?|"
      "[kmgt]?flops?(/s(ec)?)?|fps|[kmg]?hz";
  static const Pattern kBehind((R"(^\s*[(\[]?\s*(s|)" + kUnit + ")($|[^a-z])").c_str());
  static const Pattern kBefore(
      (R"(([(\[]\s*s\s*[)\]]|(^|[^a-z'])()" + kUnit + R"()\s*[)\]]?)\s*[:=]?\s*$)").c_str());
  if (!kBehind.find(lowered(parts.texts[number + 1])).empty()) return true;
  std::string before = lowered(parts.texts[number]);
  if (number != 0)
    if (const auto of_last = kBehind.find(before); !of_last.empty())
      before.erase(0, of_last[0].size());
  return !kBefore.find(before).empty();
}

bool is_measured(std::string_view left, std::string_view right) {
  const Parts a = parts_of(left), b = parts_of(right);
  if (a.texts != b.texts) return false;
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    if (a.numbers[i] != b.numbers[i] && !has_unit(a, i)) return false;
  return a.numbers != b.numbers;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) lines.push_back(next_line(text));
  return lines;
}

// More than rounding, and not a factor of two, which may count waves.
bool is_other_number(const std::string& left, const std::string& right) {
  constexpr double kRounding = 0.01;
  const double a = std::strtod(left.c_str(), nullptr), b = std::strtod(right.c_str(), nullptr);
  return std::abs(a - b) > kRounding * std::max(std::abs(a), std::abs(b)) && a != 2 * b &&
         b != 2 * a;
}

bool has_other_number(std::string_view left, std::string_view right) {
  const Parts a = parts_of(left), b = parts_of(right);
  if (a.texts != b.texts) return false;
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    if (!has_unit(a, i) && is_other_number(a.numbers[i], b.numbers[i])) return true;
  return false;
}

// Computed by the kernels, and reproducible.
bool is_result(const std::vector<std::string_view>& usual,
               const std::vector<std::string_view>& again,
               const std::vector<std::string_view>& idle, std::size_t line) {
  return line < again.size() && again[line] == usual[line] &&
         (line >= idle.size() || idle[line] != usual[line]);
}

}  // namespace

std::pair<std::string, std::string> different_results(const PrintedOutputs& left,
                                                      const PrintedOutputs& right) {
  const auto a = lines_of(left.usual), b = lines_of(right.usual);
  if (a.size() != b.size()) return {};
  const auto a_again = lines_of(left.again), b_again = lines_of(right.again);
  const auto a_idle = lines_of(left.idle), b_idle = lines_of(right.idle);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (has_other_number(a[i], b[i]) && is_result(a, a_again, a_idle, i) &&
        is_result(b, b_again, b_idle, i))
      return {std::string(a[i].substr(0, 200)), std::string(b[i].substr(0, 200))};
  return {};
}

OutputComparison compare_printed(std::string_view left, std::string_view right) {
  OutputComparison result;
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
