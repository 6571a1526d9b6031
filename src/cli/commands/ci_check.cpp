// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>

#include "base/counted.h"
#include "ci/workflow/check.h"
#include "cli/ci.h"
#include "lint/fix.h"
#include "lint/output/output.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> select, ignore;
  std::string format = "text", fix, confidence;
  std::filesystem::path root = ".";
  bool diff = false, no_others = false;
};

int fix(const Options& options, lint::Options& request, lint::Format format) {
  const auto kind = options.fix == "unsafe" ? lint::FixKind::kUnsafe : lint::FixKind::kSafe;
  const auto fixed = lint::fix(request, kind);
  if (!fixed) return report(fixed.error());
  if (options.diff) {
    for (const lint::FixedFile& file : fixed->files)
      print(unified_diff(file.path, file.before, file.after));
    return fixed->files.empty() && fixed->left.findings.empty() ? kOk : kFindings;
  }
  if (const Status written = lint::write_fixes(request, *fixed); !written)
    return report(written.error());
  note(fmt::format("fixed {} in {}", counted(fixed->applied, "finding"),
                   counted(fixed->files.size(), "file")));
  print(lint::output(fixed->left, format, {globals().colour_out, false}));
  return fixed->left.findings.empty() ? kOk : kFindings;
}

// Whether one of them found something.
bool ask_others(const std::vector<std::filesystem::path>& files) {
  bool rejected = false;
  for (const ci::ValidatorResult& result : ci::other_validators(files)) {
    if (!result.ran) {
      note(fmt::format("{}: not run: {}", result.name, result.output));
    } else if (result.accepts) {
      note(result.name + ": no findings");
    } else {
      rejected = true;
      print(fmt::format("\n{}:\n{}", result.name, result.output));
    }
  }
  return rejected;
}

// A workflow that was not read has not passed.
int exit_code(const lint::Report& found, bool rejected) {
  for (const lint::FileNote& each : found.notes) warn(each.path + ": " + each.what);
  if (rejected || !found.findings.empty()) return kFindings;
  return found.notes.empty() ? kOk : kNotChecked;
}

int check(const Options& options) {
  const auto format = lint::parse_format(options.format);
  if (!format) return report(format.error());
  if (!options.fix.empty() && options.fix != "safe" && options.fix != "unsafe")
    return report({"unknown kind of fix", options.fix, "", "Use --fix or --fix=unsafe."});
  lint::Options request{.paths = options.files, .ignore = options.ignore};
  if (request.paths.empty()) request.paths = ci::workflows_in(options.root);
  if (request.paths.empty())
    return report({"no workflows found in", (options.root / ".github/workflows").string(), "",
                   "Name the files, or write workflows with: hipwright ci init"});
  request.select = options.select.empty() ? std::vector<std::string>{"workflow"} : options.select;
  auto documented = ci::documented_targets(options.root);
  if (!documented) return report(documented.error());
  request.documented_targets = *std::move(documented);
  if (!options.fix.empty() || options.diff) return fix(options, request, *format);
  const auto found = lint::lint(request);
  if (!found) return report(found.error());
  if (found->statistics.files == 0)
    return report({"cannot check", request.paths.front().string(), "not a workflow",
                   "Workflows are in .github/workflows and end in .yml or .yaml."});
  print(lint::output(*found, *format, {globals().colour_out, false}));
  const bool rejected =
      *format == lint::Format::kText && !options.no_others && ask_others(request.paths);
  return exit_code(*found, rejected);
}

}  // namespace

CiPart define_ci_check(App ci) {
  auto options = std::make_shared<Options>();
  Options& o = *options;
  App app = ci.add_subcommand("check", "Check GitHub Actions workflows");
  app.add_option("FILES", o.files, "Workflows (default: .github/workflows/*.yml)");
  app.add_option("--root", o.root, "The repository, whose documents name the targets (default: .)")
      .type_name("DIRECTORY");
  app.add_option("--select", o.select, "Rules to enable: codes, prefixes or names")
      .type_name("RULES")
      .delimiter(',')
      .allow_extra_args(false);
  app.add_option("--ignore", o.ignore, "Rules to disable")
      .type_name("RULES")
      .delimiter(',')
      .allow_extra_args(false);
  app.add_option("--format", o.format, "Output format: text, json, sarif, github or markdown")
      .type_name("FORMAT");
  app.add_flag("--fix{safe}", o.fix,
               "Apply safe fixes; --fix=unsafe also applies fixes that need review")
      .option_text("[=unsafe]");
  app.add_flag("--diff", o.diff, "Print the changes of --fix as a patch; write nothing");
  app.add_flag("--no-others", o.no_others, "Do not run actionlint and zizmor");
  return {app, [options] { return check(*options); }};
}

}  // namespace hipwright::cli
