// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "perf/compare/report.h"

namespace hipwright::perf {

namespace {

// In a cell: no column ends, no markup, no line ends.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || static_cast<unsigned char>(c) < 0x20) {
      out += ' ';
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '@') {
      out += "&#64;";  // a name behind it would be notified
    } else {
      if (std::string_view("|\\`*_[]>#~").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string mark(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRegressed:
    case Verdict::kMissing:
      return fmt::format("**{}**", to_string(verdict));
    default:
      return std::string(to_string(verdict));
  }
}

std::string delta(const Row& row) {
  std::string text = change_text(row);
  if (row.interval)
    text += fmt::format(" ({:+.1f}% to {:+.1f}%)", 100 * (row.interval->low - 1),
                        100 * (row.interval->high - 1));
  return text;
}

std::string title(const Row& row) {
  return row.kernel.empty() ? row.benchmark : fmt::format("{} ({})", row.kernel, row.target);
}

std::string machine_line(const Machine& machine) {
  std::string text;
  for (const auto& [name, value] : machine)
    if (value != "none" && value != "unknown")
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, value);
  return text;
}

}  // namespace

std::string comparison_markdown(const Comparison& comparison) {
  std::string text =
      "| Benchmark | Metric | Before | After | Delta | Verdict |\n"
      "| --- | --- | ---: | ---: | ---: | --- |\n";
  unsigned same_counts = 0;
  for (const Row& row : comparison.rows) {
    if (row.exact && row.verdict == Verdict::kSame) {
      ++same_counts;
      continue;
    }
    text += fmt::format("| {} | {} | {} | {} | {} | {}{} |\n", cell(title(row)), cell(row.metric),
                        row.base ? cell(value_text(*row.base, row.unit)) : "",
                        row.head ? cell(value_text(*row.head, row.unit)) : "", delta(row),
                        mark(row.verdict),
                        row.reason.empty() ? "" : fmt::format(": {}", cell(row.reason)));
  }
  if (same_counts != 0)
    text +=
        fmt::format("\n{} counts of kernels (registers, spills, instructions, …) did not change.\n",
                    same_counts);
  if (comparison.mismatches.empty()) {
    if (!comparison.head.machine.empty())
      text += fmt::format("\nMachine: {}.\n", cell(machine_line(comparison.head.machine)));
  } else {
    text += "\nThe machines differ, so times were not compared:\n";
    for (const std::string& each : comparison.mismatches) text += fmt::format("- {}\n", cell(each));
  }
  for (const std::string& each : comparison.added)
    text += fmt::format("\nNot in the base: {}\n", cell(each));
  return text;
}

}  // namespace hipwright::perf
