// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/table.h"
#include "base/terminal.h"
#include "perf/compare/report.h"

namespace hipwright::perf {

namespace {

// For a terminal: one line without control characters.
std::string plain(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

Colour colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kImproved:
    case Verdict::kSame:
      return Colour::kGreen;
    case Verdict::kRegressed:
    case Verdict::kMissing:
      return Colour::kRed;
    case Verdict::kInconclusive:
    case Verdict::kIncomparable:
      break;
  }
  return Colour::kYellow;
}

std::string shortened(const std::string& text) {
  constexpr std::size_t kWidth = 48;
  if (text.size() <= kWidth) return text;
  std::size_t end = kWidth - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string subject(const Row& row) {
  if (row.kernel.empty()) return shortened(plain(row.benchmark));
  return fmt::format("{} ({})", shortened(plain(row.kernel)), plain(row.target));
}

std::string interval_text(const Row& row) {
  if (!row.interval) return {};
  return fmt::format("{:+.1f}% to {:+.1f}%", 100 * (row.interval->low - 1),
                     100 * (row.interval->high - 1));
}

std::string identity_text(const char* side, const RecordIdentity& identity) {
  return fmt::format("{}  {}\n", side,
                     plain(fmt::format("{}{}{}", identity.label, identity.label.empty() ? "" : ", ",
                                       identity.made.empty() ? identity.tool : identity.made)));
}

}  // namespace

std::string value_text(double value, std::string_view unit) {
  if (unit == "s") {
    if (value < 1e-3) return fmt::format("{:.4g} us", value * 1e6);
    return value < 1 ? fmt::format("{:.4g} ms", value * 1e3) : fmt::format("{:.4g} s", value);
  }
  const std::string number = value == std::floor(value) && std::abs(value) < 1e15
                                 ? fmt::format("{:.0f}", value)
                                 : fmt::format("{:.4g}", value);
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

std::string change_text(const Row& row) {
  if (!row.base || !row.head) return {};
  if (row.exact) {
    const double difference = *row.head - *row.base;
    if (difference == 0) return "0";
    const auto ratio = row.ratio();
    return ratio ? fmt::format("{:+.0f} ({:+.1f}%)", difference, 100 * (*ratio - 1))
                 : fmt::format("{:+.0f}", difference);
  }
  return fmt::format("{:+.1f}%", 100 * (*row.ratio() - 1));
}

std::string comparison_text(const Comparison& comparison, bool colour) {
  std::string text =
      identity_text("base", comparison.base) + identity_text("head", comparison.head);
  Table table(
      {"benchmark or kernel", "metric", ">base", ">head", ">change", "95% interval", "verdict"});
  unsigned same_counts = 0;
  for (const Row& row : comparison.rows) {
    if (row.exact && row.verdict == Verdict::kSame) {
      ++same_counts;
      continue;
    }
    table.add({subject(row), plain(row.metric),
               row.base ? value_text(*row.base, plain(row.unit)) : "",
               row.head ? value_text(*row.head, plain(row.unit)) : "", change_text(row),
               interval_text(row), std::string(to_string(row.verdict))});
  }
  if (same_counts < comparison.rows.size()) text += "\n" + table.text(colour);
  std::vector<std::string> reasons;
  for (const Row& row : comparison.rows) {
    if (row.reason.empty()) continue;
    std::string reason =
        plain(row.kernel.empty() ? fmt::format("{} {}: {}", row.benchmark, row.metric, row.reason)
                                 : fmt::format("{} ({}): {}", row.kernel, row.target, row.reason));
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
      reasons.push_back(std::move(reason));
  }
  if (!reasons.empty()) text += "\n";
  for (const std::string& reason : reasons) text += reason + "\n";
  for (const std::string& each : comparison.added)
    text += fmt::format("{}: not in the base\n", plain(each));
  for (const std::string& each : comparison.mismatches)
    text += fmt::format("different machines: {}\n", plain(each));
  std::string counts;
  for (const Verdict verdict : {Verdict::kRegressed, Verdict::kMissing, Verdict::kImproved,
                                Verdict::kSame, Verdict::kInconclusive, Verdict::kIncomparable})
    if (const unsigned count = comparison.count(verdict); count != 0)
      counts += fmt::format(
          "{}{}", counts.empty() ? "" : ", ",
          paint(fmt::format("{} {}", count, to_string(verdict)), colour_of(verdict), colour));
  return text + "\n" + (counts.empty() ? "nothing to compare" : counts) + "\n";
}

}  // namespace hipwright::perf
