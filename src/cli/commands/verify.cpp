// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/stop.h"
#include "cli/verify.h"
#include "toolchain/library_table.h"
#include "verify/pyramid.h"
#include "verify/report/report.h"

namespace hipwright::cli {

namespace {

struct Options {
  verify::PyramidOptions pyramid;
  std::string level;  // empty: not given
  std::string rocm;
  VerifyRuns runs;
  VerifyOutput output;
};

int run(Options options) {
  using verify::Level;
  if (options.pyramid.path.empty())
    return report({"`hipwright verify` needs PATH", "", "", "See: hipwright verify --help"});
  for (const Level each : {Level::kStatic, Level::kBuild, Level::kFunctional, Level::kNumerical})
    if (options.level == verify::to_string(each)) options.pyramid.up_to = each;
  options.runs.apply(options.pyramid);
  if (const Status known = toolchain::choose_release(options.rocm); !known)
    return report(known.error());
  if (const Status writable = options.output.check(); !writable) return report(writable.error());
  stop_on_interrupt();
  const auto pyramid = verify::verify_tree(options.pyramid);
  if (!pyramid) return report(pyramid.error());
  // The numerical level needs golden results: without them it is missed only if it was named.
  const Level asked = options.level.empty() ? Level::kFunctional : options.pyramid.up_to;
  return options.output.show(*pyramid, verify::is_checked(*pyramid, Level::kStatic, asked));
}

const Command::Registration registration({
    .name = "verify",
    .summary = "Verify that a port works",
    .define = [](App app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("PATH", options->pyramid.path, "Repository, directory or file")
          .type_name("PATH");
      app.add_option("--level", options->level, "Highest level to check (default: numerical)")
          .type_name("LEVEL")
          .one_of({"static", "build", "functional", "numerical"});
      app.add_option("--original", options->pyramid.original,
                     "Sources that were ported; golden results must come from them")
          .type_name("PATH");
      app.add_option("--rocm", options->rocm,
                     "ROCm release that hipwright's SDK declares (default: 6.4)")
          .type_name("RELEASE");
      options->runs.define(app);
      options->output.define(app);
      const std::vector<VerifyPart> parts{define_verify_kernel(app),     define_verify_cell(app),
                                          define_verify_merge(app),      define_verify_golden(app),
                                          define_verify_tolerances(app), define_verify_triton(app)};
      return [options, parts] {
        for (const VerifyPart& part : parts)
          if (part.app.parsed()) return part.run();
        return run(*options);
      };
    },
});

}  // namespace

void VerifyRuns::define(App app) {
  app.add_option("--arch", archs, "Targets to compile for, separated by commas")
      .type_name("TARGETS")
      .delimiter(',');
  app.add_option("--device", devices, "Devices to run on: soft:gfx942, hip:0, separated by commas")
      .type_name("DEVICES")
      .delimiter(',');
  app.add_option("--arguments", arguments,
                 "Arguments for the programs, instead of those found in build files")
      .type_name("ARGS");
  app.add_option("--timeout", timeout, "Time limit for one run of a program")
      .type_name("SECONDS")
      .capture_default_str();
  app.add_option("--schedules", schedules, "Number of random wave orders on the software GPU")
      .type_name("N")
      .range(0U, 1000U)
      .capture_default_str();
}

const char* VerifyRuns::only_for_runs() const {
  const VerifyRuns defaults;
  if (!devices.empty()) return "--device";
  if (!arguments.empty()) return "--arguments";
  if (timeout != defaults.timeout) return "--timeout";
  return schedules != defaults.schedules ? "--schedules" : nullptr;
}

void VerifyRuns::apply(verify::PyramidOptions& pyramid) const {
  if (!archs.empty()) pyramid.archs = archs;
  pyramid.devices = devices;
  pyramid.timeout = std::chrono::seconds(timeout);
  pyramid.schedules = schedules;
  pyramid.program = own_program();
  pyramid.progress = standard_progress_output(globals().quiet);
  if (arguments.empty()) return;
  std::istringstream words(arguments);
  std::string word;
  for (pyramid.arguments.emplace(); words >> word;) pyramid.arguments->push_back(word);
}

void VerifyOutput::define(App app) {
  Option of = app.add_option("--format", format, "Output format")
                  .type_name("FORMAT")
                  .one_of({"text", "json", "markdown"})
                  .capture_default_str();
  app.add_flag("--json{json}", format, "Same as --format json").excludes(of);
  app.add_option("--report", html, "Write an HTML report to FILE").type_name("FILE");
  app.add_option("--markdown", markdown, "Write a section for a pull request to FILE")
      .type_name("FILE");
}

Status VerifyOutput::check() const {
  for (const std::filesystem::path& file : {html, markdown})
    if (!file.empty()) HW_CHECK(can_write(file));
  return {};
}

int VerifyOutput::show(const verify::Pyramid& pyramid, bool is_checked) const {
  if (!html.empty())
    if (const Status written = write_file_atomic(html, verify::html_report(pyramid)); !written)
      return report(written.error());
  if (!markdown.empty())
    if (const Status written = write_file_atomic(markdown, verify::markdown_report(pyramid));
        !written)
      return report(written.error());
  if (format == "json")
    print(json_text(verify::json_report(pyramid)));
  else if (format == "markdown")
    print(verify::markdown_report(pyramid));
  else
    print_text(verify::text_report(pyramid, globals().colour_out));
  if (stop_requested()) return kStopped;
  for (const verify::Check& check : pyramid.checks)
    if (check.verdict == verify::Verdict::kFail) return kFindings;
  return is_checked ? kOk : kNotChecked;
}

std::filesystem::path own_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

}  // namespace hipwright::cli
