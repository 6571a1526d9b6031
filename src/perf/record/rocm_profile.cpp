// SPDX-License-Identifier: MIT
#include "perf/record/rocm_profile.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/json.h"
#include "perf/record/json_input.h"

namespace hipwright::perf {

namespace {

// Facts of rocm_info that results depend on.
constexpr std::string_view kMachineFacts[] = {"device_name", "hip_version", "torch_version",
                                              "cuda_compiled_version"};

std::string fact_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "none" : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Examples of one profile come from one machine; what differs all the same is never equal to
// another machine's.
void add_fact(Machine& machine, std::string_view name, const Json& value) {
  const auto [found, inserted] = machine.try_emplace(std::string(name), fact_text(value));
  if (!inserted && found->second != fact_text(value)) found->second = "differs between examples";
}

void add_machine(Machine& machine, const Json& example) {
  const auto info = example.find("rocm_info");
  for (const std::string_view name : kMachineFacts) {
    if (info != example.end() && info->is_object() && info->contains(name))
      add_fact(machine, name, (*info)[std::string(name)]);
    else if (example.contains(name))
      add_fact(machine, name, example[std::string(name)]);
  }
}

Result<Benchmark> read_example(const std::string& key, const JsonField& example) {
  Benchmark benchmark{.name = normal_path(key)};
  HW_TRY(const std::string status, example.optional_text("status"));
  const auto parsed = parse_status(status);
  if (!parsed) return example.wrong(fmt::format("unknown status \"{}\"", status));
  benchmark.status = *parsed;
  HW_TRY(benchmark.error, example.optional_text("error"));
  if (example.has("exit_code")) {
    HW_TRY(const JsonField code, example.at("exit_code"));
    HW_TRY(const double number, code.number());
    if (!(number >= -255 && number <= 255)) return code.wrong("not an exit code");
    // Python reports the signal that ended a process as a negative number.
    benchmark.exit_code = number < 0 ? 128 - static_cast<int>(number) : static_cast<int>(number);
  }
  HW_TRY(const std::string memory_of, example.optional_text("peak_memory_of"));
  const std::string_view memory = memory_of == "host" ? kHostMemory : kDeviceMemory;
  for (const auto& [field, metric, unit] :
       {std::tuple("duration_s", kDuration, "s"), std::tuple("peak_memory_mb", memory, "MB")}) {
    if (!example.has(field)) continue;
    HW_TRY(const JsonField number, example.at(field));
    HW_TRY(const double value, number.number());
    if (value < 0) return number.wrong("negative");
    // Zero stands for memory that could not be measured.
    if (value > 0)
      benchmark.measurements.push_back(
          {.name = std::string(metric), .unit = unit, .samples = {{value, 0}}});
  }
  return benchmark;
}

std::optional<double> median_of(const Benchmark& benchmark, std::string_view metric) {
  const Measurement* measurement = benchmark.measurement(metric);
  if (measurement == nullptr || measurement->samples.empty()) return std::nullopt;
  return median(values_of(measurement->samples));
}

// The device's, or the host's of a program that uses none.
std::pair<std::optional<double>, const char*> peak_memory(const Benchmark& benchmark) {
  if (const auto device = median_of(benchmark, kDeviceMemory)) return {device, "device"};
  return {median_of(benchmark, kHostMemory), "host"};
}

Json comparison_json(const Benchmark& base, const Benchmark& head) {
  Json json = Json::object();
  const auto before = median_of(base, kDuration), after = median_of(head, kDuration);
  if (before && after) {
    json["duration_delta_s"] = *after - *before;
    json["duration_delta_pct"] = 100 * (*after - *before) / *before;
  }
  const auto memory_before = peak_memory(base), memory_after = peak_memory(head);
  if (memory_before.first && memory_after.first &&
      std::string_view(memory_before.second) == memory_after.second)
    json["peak_memory_delta_mb"] = *memory_after.first - *memory_before.first;
  return json;
}

Json example_json(const Benchmark& benchmark, const Json& rocm_info, const Record* baseline) {
  Json json = {{"example", benchmark.name},
               {"status", to_string(benchmark.status)},
               {"rocm_info", rocm_info}};
  if (!benchmark.error.empty()) json["error"] = benchmark.error;
  if (benchmark.exit_code) json["exit_code"] = *benchmark.exit_code;
  if (benchmark.status != RunStatus::kSuccess) return json;
  if (const auto duration = median_of(benchmark, kDuration)) json["duration_s"] = *duration;
  if (const auto [memory, of] = peak_memory(benchmark); memory) {
    json["peak_memory_mb"] = *memory;
    json["peak_memory_of"] = of;
  }
  json["hip_version"] = rocm_info["hip_version"];
  json["device_name"] = rocm_info["device_name"];
  const Benchmark* before = baseline ? baseline->benchmark(benchmark.name) : nullptr;
  if (before != nullptr && before->status == RunStatus::kSuccess)
    if (Json comparison = comparison_json(*before, benchmark); !comparison.empty())
      json["baseline_comparison"] = std::move(comparison);
  return json;
}

}  // namespace

std::string normal_path(std::string_view path) {
  std::string text(path);
  std::replace(text.begin(), text.end(), '\\', '/');
  text = std::filesystem::path(text).lexically_normal().generic_string();
  return text.empty() ? "." : text;
}

Result<Record> profile_record(const Json& profile, const std::string& origin) {
  const JsonField document(profile, origin);
  HW_TRY(const auto examples, document.members());
  if (examples.empty()) return fail("cannot read", origin, "the profile has no examples");
  Record record{.tool = "rocm_profile.json"};
  for (const auto& [key, example] : examples) {
    if (!example.json().is_object() || !example.json().contains("status"))
      return fail("cannot read", fmt::format("{}: {}", origin, example.path()),
                  "neither a record of `hipwright perf run` nor an example of a rocm_profile.json");
    HW_TRY(auto benchmark, read_example(key, example));
    if (record.benchmark(benchmark.name) != nullptr)
      return example.wrong(fmt::format("a second example \"{}\"", benchmark.name));
    add_machine(record.machine, example.json());
    record.benchmarks.push_back(std::move(benchmark));
  }
  return record;
}

Json unknown_rocm_info() {
  return {{"torch_available", nullptr},   {"torch_version", nullptr},
          {"hip_version", nullptr},       {"cuda_compiled_version", nullptr},
          {"is_cuda_available", nullptr}, {"device_count", nullptr},
          {"device_name", nullptr},       {"current_device", nullptr}};
}

Json profile_json(const Record& record, const Json& rocm_info, const Record* baseline) {
  Json info = unknown_rocm_info();
  if (rocm_info.is_object()) info.update(rocm_info);
  Json json = Json::object();
  for (const Benchmark& each : record.benchmarks)
    json[each.name] = example_json(each, info, baseline);
  return json;
}

}  // namespace hipwright::perf
