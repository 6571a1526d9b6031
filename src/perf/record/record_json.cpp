// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/json.h"
#include "perf/record/json_input.h"
#include "perf/record/record.h"
#include "perf/record/rocm_profile.h"

namespace hipwright::perf {

namespace {

constexpr std::string_view kFormat = "hipwright perf record";
constexpr std::uint64_t kVersion = 1;
// They are looked up one after the other.
constexpr std::size_t kMostBenchmarks = 10'000;
constexpr std::size_t kMostMeasurements = 1'000;

Json measurement_json(const Measurement& measurement) {
  Json values = Json::array(), rounds = Json::array();
  for (const Sample& each : measurement.samples) {
    values.push_back(each.value);
    rounds.push_back(each.round);
  }
  return {{"name", measurement.name},
          {"unit", measurement.unit},
          {"better", measurement.better == Better::kLower ? "lower" : "higher"},
          {"values", std::move(values)},
          {"rounds", std::move(rounds)}};
}

Json kernel_json(const KernelCounts& kernel) {
  Json json = {{"kernel", kernel.kernel},
               {"target", kernel.target},
               {"source", kernel.source},
               {"producer", kernel.producer},
               {"counts", kernel.counts}};
  if (!kernel.unstable.empty()) json["unstable"] = kernel.unstable;
  return json;
}

Json benchmark_json(const Benchmark& benchmark) {
  Json json = {{"name", benchmark.name},
               {"command", benchmark.command},
               {"status", to_string(benchmark.status)}};
  if (!benchmark.error.empty()) json["error"] = benchmark.error;
  if (benchmark.exit_code) json["exit_code"] = *benchmark.exit_code;
  json["measurements"] = Json::array();
  for (const Measurement& each : benchmark.measurements)
    json["measurements"].push_back(measurement_json(each));
  json["kernels"] = Json::array();
  for (const KernelCounts& each : benchmark.kernels) json["kernels"].push_back(kernel_json(each));
  return json;
}

Result<Measurement> read_measurement(const JsonField& field) {
  Measurement measurement;
  HW_TRY(const JsonField name, field.at("name"));
  HW_TRY(measurement.name, name.text());
  HW_TRY(measurement.unit, field.optional_text("unit"));
  HW_TRY(const std::string better, field.optional_text("better"));
  if (better != "lower" && better != "higher")
    return field.wrong("\"better\" is neither \"lower\" nor \"higher\"");
  measurement.better = better == "higher" ? Better::kHigher : Better::kLower;
  HW_TRY(const JsonField values_field, field.at("values"));
  HW_TRY(const auto values, values_field.items());
  HW_TRY(const JsonField rounds_field, field.at("rounds"));
  HW_TRY(const auto rounds, rounds_field.items());
  if (values.size() != rounds.size()) return field.wrong("not one round for each value");
  for (std::size_t i = 0; i < values.size(); ++i) {
    HW_TRY(const double value, values[i].number());
    HW_TRY(const std::uint64_t round, rounds[i].count());
    if (!(value > 0)) return values[i].wrong("not a positive number");
    if (round > 1'000'000) return rounds[i].wrong("more than 1000000");
    measurement.samples.push_back({value, static_cast<unsigned>(round)});
  }
  return measurement;
}

Result<KernelCounts> read_kernel(const JsonField& field) {
  KernelCounts kernel;
  HW_TRY(const JsonField name, field.at("kernel"));
  HW_TRY(kernel.kernel, name.text());
  HW_TRY(kernel.target, field.optional_text("target"));
  HW_TRY(kernel.source, field.optional_text("source"));
  if (kernel.source != kCodeObject && kernel.source != kSoftwareGpu)
    return field.wrong(fmt::format("unknown source \"{}\"", kernel.source));
  HW_TRY(kernel.producer, field.optional_text("producer"));
  HW_TRY(const JsonField counts_field, field.at("counts"));
  HW_TRY(const auto counts, counts_field.members());
  for (const auto& [key, value] : counts) {
    HW_TRY(kernel.counts[key], value.count());
  }
  if (field.has("unstable")) {
    HW_TRY(const JsonField unstable, field.at("unstable"));
    HW_TRY(kernel.unstable, unstable.texts());
  }
  return kernel;
}

Result<Benchmark> read_benchmark(const JsonField& field) {
  Benchmark benchmark;
  HW_TRY(const JsonField name, field.at("name"));
  HW_TRY(benchmark.name, name.text());
  if (field.has("command")) {
    HW_TRY(const JsonField command, field.at("command"));
    HW_TRY(benchmark.command, command.texts());
  }
  HW_TRY(const std::string status, field.optional_text("status"));
  const auto parsed = parse_status(status);
  if (!parsed) return field.wrong(fmt::format("unknown status \"{}\"", status));
  benchmark.status = *parsed;
  HW_TRY(benchmark.error, field.optional_text("error"));
  if (field.has("exit_code")) {
    HW_TRY(const JsonField code, field.at("exit_code"));
    HW_TRY(const std::uint64_t number, code.count());
    if (number > 255) return code.wrong("not an exit code");
    benchmark.exit_code = static_cast<int>(number);
  }
  HW_TRY(const JsonField measurements, field.at("measurements"));
  HW_TRY(const auto measurement_list, measurements.items());
  if (measurement_list.size() > kMostMeasurements)
    return measurements.wrong(fmt::format("more than {} measurements", kMostMeasurements));
  std::set<std::string> names;
  for (const JsonField& each : measurement_list) {
    HW_TRY(auto measurement, read_measurement(each));
    if (!names.insert(measurement.name).second)
      return each.wrong(fmt::format("a second measurement \"{}\"", measurement.name));
    benchmark.measurements.push_back(std::move(measurement));
  }
  HW_TRY(const JsonField kernels, field.at("kernels"));
  HW_TRY(const auto kernel_list, kernels.items());
  for (const JsonField& each : kernel_list) {
    HW_TRY(auto kernel, read_kernel(each));
    const std::string id = kernel.source + '\n' + kernel.target + '\n' + kernel.kernel;
    if (!names.insert(id).second)
      return each.wrong(fmt::format("a second kernel \"{}\"", kernel.kernel));
    benchmark.kernels.push_back(std::move(kernel));
  }
  return benchmark;
}

Result<Record> record_of(const Json& json, const std::string& origin) {
  const JsonField document(json, origin);
  HW_TRY(const std::string format, document.optional_text("format"));
  if (format != kFormat)
    return fail("cannot read", origin, "neither a record of `hipwright perf run` nor a profile");
  HW_TRY(const JsonField version_field, document.at("version"));
  HW_TRY(const std::uint64_t version, version_field.count());
  if (version != kVersion)
    return version_field.wrong(fmt::format(
        "version {} is unsupported; this hipwright reads version {}", version, kVersion));
  Record record;
  HW_TRY(record.tool, document.optional_text("tool"));
  HW_TRY(record.made, document.optional_text("made"));
  HW_TRY(record.label, document.optional_text("label"));
  HW_TRY(record.session, document.optional_text("session"));
  HW_TRY(const JsonField machine, document.at("machine"));
  HW_TRY(const auto facts, machine.members());
  for (const auto& [name, value] : facts) {
    HW_TRY(record.machine[name], value.text());
  }
  HW_TRY(const JsonField benchmarks, document.at("benchmarks"));
  HW_TRY(const auto list, benchmarks.items());
  if (list.size() > kMostBenchmarks)
    return benchmarks.wrong(fmt::format("more than {} benchmarks", kMostBenchmarks));
  std::set<std::string> names;
  for (const JsonField& each : list) {
    HW_TRY(auto benchmark, read_benchmark(each));
    if (!names.insert(benchmark.name).second)
      return each.wrong(fmt::format("a second benchmark \"{}\"", benchmark.name));
    record.benchmarks.push_back(std::move(benchmark));
  }
  return record;
}

}  // namespace

Json record_json(const Record& record) {
  Json json = {{"format", kFormat},         {"version", kVersion},
               {"tool", record.tool},       {"made", record.made},
               {"label", record.label},     {"session", record.session},
               {"machine", Json::object()}, {"benchmarks", Json::array()}};
  for (const auto& [name, value] : record.machine) json["machine"][name] = value;
  for (const Benchmark& each : record.benchmarks)
    json["benchmarks"].push_back(benchmark_json(each));
  return json;
}

Result<Record> parse_record(std::string_view text, const std::string& origin) {
  HW_TRY(const Json json, parse_bounded_json(text, origin));
  if (json.is_object() && !json.contains("format")) return profile_record(json, origin);
  return record_of(json, origin);
}

Result<Record> read_record(const std::filesystem::path& file) {
  HW_TRY(const std::string text, read_bounded_file(file));
  return parse_record(text, file.string());
}

}  // namespace hipwright::perf
