// SPDX-License-Identifier: MIT
#include "perf/history/report.h"

#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/counted.h"
#include "base/json.h"
#include "base/table.h"
#include "base/terminal.h"
#include "perf/history/report_parts.h"

namespace hipwright::perf {

namespace {

std::string plain(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

Json change_json(const Series& series, const ChangePoint& change) {
  const Commit& commit = series.points[change.at].commit;
  return {{"commit", commit.id},
          {"subject", commit.subject},
          {"time", commit.time},
          {"before", change.before},
          {"after", change.after},
          {"p", change.p},
          {"worse", is_worse(series, change)}};
}

}  // namespace

bool is_worse(const Series& series, const ChangePoint& change) {
  return (change.after > change.before) == (series.key.better == Better::kLower);
}

std::string commit_title(const Commit& commit) {
  if (commit.id.empty()) return time_text(commit.time);
  return fmt::format("{} {}", commit.id.substr(0, 10), commit.subject);
}

std::string time_text(std::int64_t time) {
  // Years that fit into four digits.
  constexpr std::int64_t kLatest = 253'402'300'799;
  return fmt::format(
      "{:%Y-%m-%d}",
      fmt::gmtime(static_cast<std::time_t>(std::clamp<std::int64_t>(time, 0, kLatest))));
}

std::string number_text(double value, const std::string& unit) {
  return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit);
}

std::string change_percent(const ChangePoint& change) {
  return change.before > 0 ? fmt::format("{:+.1f}%", 100 * (change.after / change.before - 1))
                           : fmt::format("{:+.0f}", change.after - change.before);
}

std::string history_text(const std::vector<Series>& list, bool colour) {
  Table table({"series", ">results", ">first", ">latest", ">changes"});
  std::string changes;
  unsigned constant = 0;
  for (const Series& series : list) {
    if (series.key.exact && series.changes.empty() && series.points.size() > 1) {
      ++constant;
      continue;
    }
    const std::string title = plain(series.title);
    table.add({title, std::to_string(series.points.size()),
               number_text(series.points.front().value, plain(series.key.unit)),
               number_text(series.points.back().value, plain(series.key.unit)),
               std::to_string(series.changes.size())});
    for (const ChangePoint& change : series.changes)
      changes += fmt::format("{} {}: {} at {}\n",
                             is_worse(series, change) ? paint("worse ", Colour::kRed, colour)
                                                      : paint("better", Colour::kGreen, colour),
                             title, change_percent(change),
                             plain(commit_title(series.points[change.at].commit)));
  }
  if (list.empty()) return "no results\n";
  std::string text = constant < list.size() ? table.text(colour) : "";
  if (!changes.empty()) text += "\n" + changes;
  if (constant != 0)
    text += fmt::format("{}{} of kernels never changed\n", text.empty() ? "" : "\n",
                        counted(constant, "count"));
  return text;
}

Json history_json(const std::vector<Series>& list) {
  Json all = Json::array();
  for (const Series& series : list) {
    const SeriesKey& key = series.key;
    Json points = Json::array(), changes = Json::array();
    for (const Point& each : series.points)
      points.push_back({{"commit", each.commit.id},
                        {"time", each.commit.time},
                        {"value", each.value},
                        {"low", each.low},
                        {"high", each.high},
                        {"samples", each.samples}});
    for (const ChangePoint& each : series.changes) changes.push_back(change_json(series, each));
    all.push_back({{"benchmark", key.benchmark},
                   {"kernel", key.kernel},
                   {"target", key.target},
                   {"metric", key.metric},
                   {"unit", key.unit},
                   {"better", key.better == Better::kLower ? "lower" : "higher"},
                   {"machine", key.machine},
                   {"points", std::move(points)},
                   {"changes", std::move(changes)}});
  }
  return {{"series", std::move(all)}};
}

}  // namespace hipwright::perf
