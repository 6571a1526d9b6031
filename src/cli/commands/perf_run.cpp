// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/stop.h"
#include "base/table.h"
#include "cli/perf.h"
#include "perf/compare/report.h"
#include "perf/record/rocm_profile.h"

namespace fs = std::filesystem;

namespace hipwright::cli {

namespace {

struct Options {
  std::vector<std::string> words;
  std::string base, head, label;
  fs::path output, base_output, profile;
  PerfRuns runs;
  bool json = false;
};

std::vector<perf::Side> sides_of(const Options& options) {
  const auto label = [&](const std::string& directory) {
    return options.label.empty() ? directory : options.label;
  };
  if (options.base.empty()) return {{options.head, label(options.head)}};
  return {{options.base, options.base}, {options.head, label(options.head)}};
}

Status check(const Options& options) {
  if (!options.base.empty() && (options.head.empty() || options.base_output.empty()))
    return fail("cannot measure two sides", options.base,
                options.head.empty() ? "--head is missing" : "--base-output is missing",
                "Add --head DIR, --base-output FILE and --output FILE.");
  if (options.base.empty() && !options.base_output.empty())
    return fail("cannot write", options.base_output.string(), "--base is missing");
  for (const fs::path& file : {options.output, options.base_output, options.profile})
    if (!file.empty()) HW_CHECK(can_write(file));
  return {};
}

// What PyTorch knows of itself and its device; the process takes seconds to start.
Json rocm_info() {
  static constexpr const char* kScript =
      "import json\n"
      "try:\n"
      "  import torch\n"
      "except ImportError:\n"
      "  print(json.dumps({'torch_available': False}))\n"
      "else:\n"
      "  there = torch.cuda.is_available()\n"
      "  print(json.dumps({'torch_available': True, 'torch_version': torch.__version__,\n"
      "    'hip_version': torch.version.hip, 'cuda_compiled_version': torch.version.cuda,\n"
      "    'is_cuda_available': there, 'device_count': torch.cuda.device_count(),\n"
      "    'device_name': torch.cuda.get_device_name() if there else None,\n"
      "    'current_device': torch.cuda.current_device() if there else None}))\n";
  const auto finished =
      run({.argv = {"python3", "-c", kScript}, .timeout = std::chrono::minutes(2)});
  if (!finished || !finished->ok()) return Json::object();
  const auto json = parse_json(finished->out, "python3");
  return json && json->is_object() ? *json : Json::object();
}

std::string summary(const std::vector<perf::Record>& records) {
  std::string errors;
  Table table({"benchmark", "side", "status", "metric", ">runs", ">median"});
  for (const perf::Record& record : records) {
    for (const perf::Benchmark& benchmark : record.benchmarks) {
      const std::string side = records.size() == 1 ? "" : &record == &records[0] ? "base" : "head";
      const std::string status(to_string(benchmark.status));
      if (!benchmark.error.empty())
        errors += fmt::format("{}{}{}: {}: {}\n", benchmark.name, side.empty() ? "" : ", ", side,
                              status, benchmark.error);
      if (benchmark.measurements.empty() && benchmark.kernels.empty())
        table.add({benchmark.name, side, status});
      for (const perf::Measurement& each : benchmark.measurements)
        table.add({benchmark.name, side, status, each.name, std::to_string(each.samples.size()),
                   perf::value_text(perf::median(perf::values_of(each.samples)), each.unit)});
      for (const perf::KernelCounts& kernel : benchmark.kernels)
        for (const auto& [name, value] : kernel.counts)
          if (value != 0)
            table.add({fmt::format("{} ({})", kernel.kernel, kernel.target), side, status, name, "",
                       perf::value_text(static_cast<double>(value), "")});
    }
  }
  return table.text(globals().colour_out) + errors;
}

Result<int> measure(const Options& options) {
  HW_CHECK(check(options));
  HW_TRY(const auto items, perf::read_items(options.words));
  HW_TRY(const auto settings, options.runs.options());
  stop_on_interrupt();
  HW_TRY(const auto records, perf::measure(items, sides_of(options), settings));
  const perf::Record& head = records.back();
  if (!options.output.empty())
    HW_CHECK(write_file_atomic(options.output, json_text(perf::record_json(head))));
  if (!options.base_output.empty())
    HW_CHECK(write_file_atomic(options.base_output, json_text(perf::record_json(records[0]))));
  if (!options.profile.empty())
    HW_CHECK(write_file_atomic(
        options.profile, json_text(perf::profile_json(
                             head, rocm_info(), records.size() > 1 ? &records[0] : nullptr))));
  print(options.json ? json_text(perf::record_json(head)) : summary(records));
  if (stop_requested()) return kStopped;
  int code = kOk;
  for (const perf::Record& record : records)
    for (const perf::Benchmark& each : record.benchmarks) {
      if (each.status == perf::RunStatus::kError || each.status == perf::RunStatus::kMissing)
        return kFindings;
      if (each.status == perf::RunStatus::kSkipped) code = kNotChecked;
    }
  return code;
}

}  // namespace

PerfPart define_perf_run(App app) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand("run", "Measure a command, examples or a list of commands");
  part.add_option("COMMAND", options->words,
                  "Command and its arguments, after --; or @LIST and Python files")
      .type_name("COMMAND")
      .required();
  part.add_option("-o,--output", options->output, "Write the record to FILE").type_name("FILE");
  part.add_option(
          "--base", options->base,
          "Directory of the version to compare with; each round also runs the command there")
      .type_name("DIR");
  part.add_option("--head", options->head, "Directory to run the command in").type_name("DIR");
  part.add_option("--base-output", options->base_output, "Write the record of --base to FILE")
      .type_name("FILE");
  part.add_option("--label", options->label, "What is measured, for reports: a commit, a branch")
      .type_name("TEXT");
  part.add_option("--profile", options->profile, "Also write a rocm_profile.json to FILE")
      .type_name("FILE");
  options->runs.define(part);
  part.add_flag("--json", options->json, "Print the record");
  return {part, [options] {
            const auto done = measure(*options);
            return done ? *done : report(done.error());
          }};
}

}  // namespace hipwright::cli
