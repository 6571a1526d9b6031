// SPDX-License-Identifier: MIT
#include "perf/measure/program_metrics.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"
#include "perf/record/json_input.h"

namespace hipwright::perf {

namespace {

Result<Measurement> parse_line(std::string_view line, unsigned round, const std::string& origin) {
  HW_TRY(const Json json, parse_bounded_json(line, origin));
  const JsonField field(json, origin);
  Measurement measurement;
  HW_TRY(const JsonField name, field.at("metric"));
  HW_TRY(measurement.name, name.text());
  if (measurement.name.empty() || is_any(measurement.name, {kDuration, kCpuTime, kHostMemory}))
    return name.wrong(fmt::format("\"{}\" is not a name for a program's metric", measurement.name));
  HW_TRY(const JsonField value_field, field.at("value"));
  HW_TRY(const double value, value_field.number());
  if (!(value > 0)) return value_field.wrong("not a positive number");
  HW_TRY(measurement.unit, field.optional_text("unit"));
  HW_TRY(const std::string better, field.optional_text("better"));
  if (!is_any(better, {"", "lower", "higher"}))
    return field.wrong("\"better\" is neither \"lower\" nor \"higher\"");
  measurement.better = better == "higher" ? Better::kHigher : Better::kLower;
  measurement.samples = {{value, round}};
  return measurement;
}

}  // namespace

Result<std::vector<Measurement>> parse_metrics(std::string_view lines, unsigned round,
                                               const std::string& origin) {
  std::vector<Measurement> all;
  for (std::size_t number = 1; !lines.empty(); ++number) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = trimmed(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.empty()) continue;
    HW_TRY(auto one, parse_line(line, round, fmt::format("{} line {}", origin, number)));
    std::vector<Measurement> list;
    list.push_back(std::move(one));
    HW_CHECK(add_measurements(all, std::move(list)));
  }
  return all;
}

Result<void> add_measurements(std::vector<Measurement>& to, std::vector<Measurement> more) {
  for (Measurement& each : more) {
    const auto found = std::find_if(
        to.begin(), to.end(), [&](const Measurement& known) { return known.name == each.name; });
    if (found == to.end()) {
      to.push_back(std::move(each));
      continue;
    }
    if (found->unit != each.unit || found->better != each.better)
      return fail("cannot use the metric", each.name,
                  "reported with different units or directions");
    found->samples.insert(found->samples.end(), each.samples.begin(), each.samples.end());
  }
  return {};
}

}  // namespace hipwright::perf
