// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "base/file.h"
#include "cli/verify.h"
#include "verify/pyramid.h"
#include "verify/report/report.h"

namespace hipwright::cli {

namespace {

struct Options {
  verify::PyramidOptions pyramid;
  std::string level = "numerical";
  VerifyRuns runs;
  VerifyOutput output;
};

int run(Options options) {
  using verify::Level;
  if (options.pyramid.path.empty())
    return report({"cannot verify", "", "nothing is named", "See: hipwright verify --help"});
  for (const Level each : {Level::kStatic, Level::kBuild, Level::kFunctional, Level::kNumerical})
    if (options.level == verify::to_string(each)) options.pyramid.up_to = each;
  options.runs.apply(options.pyramid);
  const auto pyramid = verify::verify_tree(options.pyramid);
  if (!pyramid) return report(pyramid.error());
  return options.output.show(*pyramid);
}

const Command::Registration registration({
    .name = "verify",
    .summary = "Prove that a port works: statically, by building, by running, by comparing",
    .define = [](CLI::App& app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("path", options->pyramid.path, "Repository, folder or file");
      app.add_option("--level", options->level, "static, build, functional or numerical: up to it")
          ->check(CLI::IsMember({"static", "build", "functional", "numerical"}))
          ->capture_default_str();
      app.add_option("--original", options->pyramid.original,
                     "What it is a port of: golden results must be of these sources");
      options->runs.define(app);
      options->output.define(app);
      std::vector<std::pair<CLI::App*, Action>> parts;
      for (const auto define : {define_verify_kernel, define_verify_cell, define_verify_merge,
                                define_verify_golden, define_verify_tolerances}) {
        Action action = define(app);
        parts.emplace_back(app.get_subcommands({}).back(), std::move(action));
      }
      return [options, parts] {
        for (const auto& [part, action] : parts)
          if (part->parsed()) return action();
        return run(*options);
      };
    },
});

}  // namespace

void VerifyRuns::define(CLI::App& app) {
  app.add_option("--arch", archs, "Targets to compile for: gfx942,gfx1100")->delimiter(',');
  app.add_option("--device", devices, "Where programs run: soft:gfx942, hip:0; several with commas")
      ->delimiter(',');
  app.add_option("--arguments", arguments,
                 "Of the programs, in place of those that were found: \"100 --odd\"");
  app.add_option("--timeout", timeout, "Seconds for one run of a program")->capture_default_str();
  app.add_option("--schedules", schedules, "How many random orders of waves on the software GPU")
      ->check(CLI::Range(0U, 1000U))
      ->capture_default_str();
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

void VerifyOutput::define(CLI::App& app) {
  CLI::Option* of = app.add_option("--format", format, "text, json or markdown")
                        ->check(CLI::IsMember({"text", "json", "markdown"}));
  app.add_flag("--json{json}", format, "The same as --format json")->excludes(of);
  app.add_option("--report", html, "Also write a report as one HTML file");
  app.add_option("--markdown", markdown, "Also write a section for a pull request");
}

int VerifyOutput::show(const verify::Pyramid& pyramid) const {
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
    print(verify::text_report(pyramid, globals().colour_out));
  for (const verify::Check& check : pyramid.checks)
    if (check.verdict == verify::Verdict::kFail) return kFindings;
  return kOk;
}

std::filesystem::path own_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

}  // namespace hipwright::cli
