// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/perf.h"
#include "perf/compare/report.h"

namespace fs = std::filesystem;

namespace hipwright::cli {

namespace {

struct Options {
  std::vector<fs::path> files;
  PerfGate gate;
  bool across_devices = false;
  std::string format = "text";
  fs::path markdown;
};

Result<std::vector<perf::Record>> read_all(const std::vector<fs::path>& files) {
  std::vector<perf::Record> records;
  for (const fs::path& file : files) {
    HW_TRY(records.emplace_back(), perf::read_record(file));
  }
  return records;
}

int show(const Options& options, const std::string& text, const std::string& markdown,
         const Json& json) {
  if (!options.markdown.empty())
    if (const Status written = write_file_atomic(options.markdown, markdown); !written)
      return report(written.error());
  print(options.format == "json"       ? json_text(json)
        : options.format == "markdown" ? markdown
                                       : text);
  return kOk;
}

Result<int> compare(const Options& options) {
  if (!options.markdown.empty()) HW_CHECK(can_write(options.markdown));
  if (options.files.size() < 2 || (options.files.size() > 2 && !options.across_devices))
    return fail("`hipwright perf compare` needs two records", "",
                fmt::format("{} given", options.files.size()),
                "Use --across-devices to show more than two side by side.");
  HW_TRY(const auto records, read_all(options.files));
  const bool colour = globals().colour_out;
  if (options.across_devices)
    return show(options, perf::devices_text(records, colour), perf::devices_markdown(records),
                perf::devices_json(records));
  const auto comparison = perf::compare(records[0], records[1], options.gate.options());
  const int shown = show(options, perf::comparison_text(comparison, colour),
                         perf::comparison_markdown(comparison), perf::comparison_json(comparison));
  return shown == kOk ? gate_code(comparison) : shown;
}

struct AcceptOptions {
  fs::path record, baseline;
  PerfGate gate;
};

Result<int> accept(const AcceptOptions& options) {
  HW_CHECK(can_write(options.baseline));
  HW_TRY(const perf::Record head, perf::read_record(options.record));
  for (const perf::Benchmark& each : head.benchmarks)
    if (each.status != perf::RunStatus::kSuccess)
      return fail("cannot accept", options.record.string(),
                  fmt::format("{}: {}{}{}", each.name, to_string(each.status),
                              each.error.empty() ? "" : ": ", each.error),
                  "Repair it, then measure again.");
  std::error_code ignored;
  std::string text = "new baseline\n";
  if (fs::exists(options.baseline, ignored)) {
    HW_TRY(const perf::Record before, perf::read_record(options.baseline));
    text = perf::comparison_text(perf::compare(before, head, options.gate.options()),
                                 globals().colour_out);
  }
  HW_CHECK(write_file_atomic(options.baseline, json_text(perf::record_json(head))));
  print(text);
  return kOk;
}

}  // namespace

PerfPart define_perf_compare(App app) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand("compare", "Compare two records, and judge every metric");
  part.add_option("RECORD", options->files,
                  "BASE and HEAD: records of `perf run`, or rocm_profile.json files")
      .type_name("FILE")
      .required();
  options->gate.define(part);
  part.add_flag("--across-devices", options->across_devices,
                "Show results of different machines side by side, without verdicts");
  Option of = part.add_option("--format", options->format, "Output format")
                  .type_name("FORMAT")
                  .one_of({"text", "json", "markdown"})
                  .capture_default_str();
  part.add_flag("--json{json}", options->format, "Same as --format json").excludes(of);
  part.add_option("--markdown", options->markdown, "Also write a table for a pull request to FILE")
      .type_name("FILE");
  return {part, [options] {
            const auto done = compare(*options);
            return done ? *done : report(done.error());
          }};
}

PerfPart define_perf_baseline(App app) {
  auto options = std::make_shared<AcceptOptions>();
  App part = app.add_subcommand("baseline", "Keep a record that later ones are compared with");
  part.require_subcommand();
  App accepting =
      part.add_subcommand("accept", "Make a record the baseline, and show what changes");
  accepting.add_option("RECORD", options->record, "Record of `perf run`")
      .type_name("FILE")
      .required();
  accepting.add_option("BASELINE", options->baseline, "File of the baseline")
      .type_name("FILE")
      .required();
  options->gate.define(accepting);
  return {part, [options] {
            const auto done = accept(*options);
            return done ? *done : report(done.error());
          }};
}

}  // namespace hipwright::cli
