// SPDX-License-Identifier: MIT
// The project excludes the Python versions of ROCm images.
//
// ## What it finds
//
// `requires-python` in pyproject.toml and `python_requires` in setup.py and setup.cfg that pin one
// version (`==3.10.*`, `~=3.10.0`) or exclude 3.12 (`<3.12`, `<=3.11`).
//
// ## Why it matters
//
// The Python version of a ROCm machine is given by its image and by PyTorch's ROCm wheels: 3.10 on
// Ubuntu 22.04, 3.12 on 24.04. A project that requires another version cannot be installed next to
// them, and pip silently looks for an older release of the project.
//
// ## Example
//
// ```toml
// requires-python = ">=3.9,<3.12"
// ```
//
// ## Use instead
//
// ```toml
// requires-python = ">=3.9"
// ```
//
// ## When it is not a bug
//
// - Newer versions were tried and do not work: state why in a comment and suppress the finding.
// - The upper bound is above what images have (`<3.14`, `<4`).
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lint/rule.h"
#include "syntax/text_lines.h"

namespace hipwright::lint::rules {

namespace {

constexpr int kNewestOfImages = 12;  // Python 3.12: Ubuntu 24.04

// One part of ">=3.9,<3.12", with its place in the line.
struct Bound {
  std::string_view op;
  int minor = -1;         // the x of 3.x; -1 if absent
  bool is_patch = false;  // 3.10.4, 3.10.*
  Span span;
};

std::optional<Bound> bound_of(std::string_view text, std::size_t begin) {
  const std::size_t digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  Bound bound{.span = {begin, begin + text.size()}};
  std::string_view op = text.substr(0, digit);
  while (op.ends_with(' ')) op.remove_suffix(1);
  bound.op = op;
  const std::string_view version = text.substr(digit);
  if (!version.starts_with("3.")) return bound;
  const auto [end, error] =
      std::from_chars(version.data() + 2, version.data() + version.size(), bound.minor);
  if (error != std::errc()) return std::nullopt;
  bound.is_patch = end != version.data() + version.size() && *end == '.';
  return bound;
}

std::vector<Bound> bounds_of(std::string_view value, std::size_t begin) {
  std::vector<Bound> found;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t comma = std::min(value.find(',', at), value.size());
    std::size_t from = at;
    while (from < comma && value[from] == ' ') ++from;
    if (const auto bound = bound_of(value.substr(from, comma - from), begin + from))
      found.push_back(*bound);
    at = comma + 1;
  }
  return found;
}

// Why an image's Python cannot install this; empty if it can.
std::string problem_of(const Bound& bound, bool is_poetry) {
  if (bound.minor < 0) return {};
  const bool is_one = bound.op == "==" || (bound.op == "~=" && bound.is_patch) ||
                      bound.op == "===" || (is_poetry && (bound.op == "~" || bound.op.empty()));
  if (is_one)
    return fmt::format("only Python 3.{} can install this, but ROCm images have 3.10 or 3.12",
                       bound.minor);
  const int newest = bound.op == "<" ? bound.minor - (bound.is_patch ? 0 : 1) : bound.minor;
  if ((bound.op == "<" || bound.op == "<=") && newest < kNewestOfImages)
    return fmt::format("excludes Python 3.12 of ROCm images; the newest allowed is 3.{}", newest);
  return {};
}

// Removes the bound and one of the commas around it.
Fix without(const Bound& bound, std::string_view text) {
  Span gone = bound.span;
  while (gone.begin > 0 && (text[gone.begin - 1] == ' ' || text[gone.begin - 1] == ','))
    --gone.begin;
  return {.description = "allow newer versions", .safe = false, .edits = {{gone, ""}}};
}

void look_at(TextCheck& check, std::string_view value, std::size_t begin, bool is_poetry) {
  const std::vector<Bound> bounds = bounds_of(value, begin);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const Confidence sure = check.facts.is_test ? Confidence::kLow : Confidence::kMedium;
    if (const std::string problem = problem_of(bounds[i], is_poetry); !problem.empty()) {
      std::vector<Fix> fixes;
      if (i > 0) fixes.push_back(without(bounds[i], check.text));
      check.report(bounds[i].span, sure, problem, std::move(fixes));
    }
  }
}

bool is_key(std::string_view line, std::string_view key) {
  return line.starts_with(key) &&
         line.find_first_not_of(" \t", key.size()) != std::string_view::npos &&
         line[line.find_first_not_of(" \t", key.size())] == '=';
}

void find(TextCheck& check) {
  if (check.text.find("python") == std::string_view::npos) return;
  bool in_poetry = false;
  syntax::for_each_line(check.text, [&](std::string_view line, std::size_t begin) {
    if (line.starts_with("[")) in_poetry = line.find("poetry.dependencies") != line.npos;
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view rest = line.substr(indent);
    const bool is_poetry = in_poetry && is_key(rest, "python");
    if (!is_poetry && !is_key(rest, "requires-python") && !is_key(rest, "python_requires")) return;
    std::size_t from = indent + rest.find('=') + 1;
    std::size_t end = line.size();
    if (const std::size_t quote = line.find_first_of("\"'", from); quote != line.npos) {
      from = quote + 1;
      end = std::min(line.find(line[quote], from), line.size());
    } else if (const std::size_t comment = line.find('#', from); comment != line.npos) {
      end = comment;
    }
    while (end > from && line[end - 1] == ' ') --end;
    look_at(check, line.substr(from, end - from), begin + from, is_poetry);
  });
}

}  // namespace

Rule requires_python() {
  return {.code = "HW806",
          .name = "requires-python",
          .summary = "Python requirement that excludes ROCm images",
          .text = find,
          .text_files = {"pyproject*.toml", "setup.py", "setup.cfg"}};
}

}  // namespace hipwright::lint::rules
