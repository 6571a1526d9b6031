// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/json.h"
#include "base/table.h"
#include "perf/compare/report.h"

namespace hipwright::perf {

namespace {

// What a person would call the machine of a record.
std::string device_name(const Record& record) {
  if (!record.label.empty()) return record.label;
  for (const char* fact : {"device_name", "gpu0", "nvidia_gpu0", "host_cpu"})
    if (const auto found = record.machine.find(fact);
        found != record.machine.end() && found->second != "unknown" && found->second != "none")
      return found->second;
  return record.tool;
}

struct Cell {
  std::optional<double> value;
  std::string text;
};

struct Line {
  std::string benchmark, metric, unit;
  std::vector<Cell> cells;  // one for each record
};

Cell cell_of(const Record& record, const std::string& benchmark, const std::string& metric) {
  const Benchmark* found = record.benchmark(benchmark);
  if (found == nullptr) return {{}, "-"};
  if (found->status != RunStatus::kSuccess) return {{}, std::string(to_string(found->status))};
  const Measurement* measurement = found->measurement(metric);
  if (measurement == nullptr || measurement->samples.empty()) return {{}, "-"};
  const double value = median(values_of(measurement->samples));
  return {value, value_text(value, measurement->unit)};
}

std::vector<Line> lines_of(const std::vector<Record>& records) {
  std::vector<Line> lines;
  std::set<std::pair<std::string, std::string>> known;
  for (const Record& record : records)
    for (const Benchmark& benchmark : record.benchmarks)
      for (const Measurement& measurement : benchmark.measurements) {
        if (!known.emplace(benchmark.name, measurement.name).second) continue;
        Line line{benchmark.name, measurement.name, measurement.unit, {}};
        for (const Record& each : records)
          line.cells.push_back(cell_of(each, line.benchmark, line.metric));
        lines.push_back(std::move(line));
      }
  return lines;
}

// "12.3 ms (0.50x)": relative to the first record that has a value.
std::string shown(const Line& line, std::size_t at) {
  const auto first =
      std::ranges::find_if(line.cells, [](const Cell& c) { return c.value.has_value(); });
  const Cell& cell = line.cells[at];
  if (!cell.value || first - line.cells.begin() == static_cast<std::ptrdiff_t>(at))
    return cell.text;
  return fmt::format("{} ({:.2f}x)", cell.text, *cell.value / *first->value);
}

std::string plain(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '|') c = ' ';
  return text;
}

}  // namespace

std::string devices_text(const std::vector<Record>& records, bool colour) {
  std::vector<std::string> headings{"benchmark", "metric"};
  for (const Record& each : records) headings.push_back(">" + plain(device_name(each)));
  Table table(headings);
  for (const Line& line : lines_of(records)) {
    std::vector<std::string> row{plain(line.benchmark), plain(line.metric)};
    for (std::size_t i = 0; i < records.size(); ++i) row.push_back(plain(shown(line, i)));
    table.add(std::move(row));
  }
  return table.text(colour);
}

std::string devices_markdown(const std::vector<Record>& records) {
  std::string text = "| Benchmark | Metric |", rule = "| --- | --- |";
  for (const Record& each : records) {
    text += fmt::format(" {} |", plain(device_name(each)));
    rule += " ---: |";
  }
  text += "\n" + rule + "\n";
  for (const Line& line : lines_of(records)) {
    text += fmt::format("| {} | {} |", plain(line.benchmark), plain(line.metric));
    for (std::size_t i = 0; i < records.size(); ++i)
      text += fmt::format(" {} |", plain(shown(line, i)));
    text += "\n";
  }
  return text;
}

Json devices_json(const std::vector<Record>& records) {
  Json devices = Json::array(), rows = Json::array();
  for (const Record& each : records) {
    Json machine = Json::object();
    for (const auto& [name, value] : each.machine) machine[name] = value;
    devices.push_back({{"name", device_name(each)}, {"made", each.made}, {"machine", machine}});
  }
  for (const Line& line : lines_of(records)) {
    Json values = Json::array();
    for (const Cell& each : line.cells)
      values.push_back(each.value ? Json(*each.value) : Json(nullptr));
    rows.push_back({{"benchmark", line.benchmark},
                    {"metric", line.metric},
                    {"unit", line.unit},
                    {"values", std::move(values)}});
  }
  return {{"devices", std::move(devices)}, {"rows", std::move(rows)}};
}

}  // namespace hipwright::perf
