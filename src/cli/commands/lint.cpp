// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "cli/command.h"
#include "lint/fix.h"
#include "lint/output/output.h"

namespace hipwright::cli {

namespace {

struct Options {
  lint::Options lint;
  std::string arch, confidence = "low", format = "text", fix;
  bool diff = false, statistics = false, no_gitignore = false, json = false;
  std::string code;
};

int explain(const Options& options) {
  const lint::Rule* rule = lint::find_rule(options.code);
  if (rule == nullptr)
    return report({"cannot explain", options.code, "no rule has that code or name",
                   "See: hipwright lint rules"});
  print(lint::explanation(*rule));
  return kOk;
}

int rules(const Options& options) {
  print(options.json ? lint::rules_json() : lint::rules_text(globals().colour_out));
  return kOk;
}

int run(Options& options) {
  const auto format = lint::parse_format(options.format);
  if (!format) return report(format.error());
  const auto found = lint::lint(options.lint);
  if (!found) return report(found.error());
  print(lint::output(*found, *format, {globals().colour_out, options.statistics}));
  return found->findings.empty() ? kOk : kFindings;
}

const Command::Registration registration{{
    .name = "lint",
    .summary = "Find bugs that show on AMD GPUs, and fix what can be fixed",
    .define = [](CLI::App& app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("paths", options->lint.paths, "Files and folders; the working directory");
      app.add_option("--select", options->lint.select, "Only these: codes, prefixes, names, areas")
          ->delimiter(',');
      app.add_option("--ignore", options->lint.ignore, "Not these")->delimiter(',');
      app.add_option("--format", options->format, "text, json, sarif, github or markdown");
      app.add_flag("--stats", options->statistics, "Findings per rule, bytes and time");
      CLI::App* one = app.add_subcommand("explain", "The page of a rule");
      one->add_option("code", options->code, "HW201, or its name")->required();
      CLI::App* all = app.add_subcommand("rules", "All rules");
      all->add_flag("--json", options->json, "Print JSON");
      return [options, one, all] {
        return one->parsed() ? explain(*options) : all->parsed() ? rules(*options) : run(*options);
      };
    },
}};

}  // namespace

}  // namespace hipwright::cli
