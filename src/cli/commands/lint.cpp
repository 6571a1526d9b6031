// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/file.h"
#include "cli/command.h"
#include "lint/baseline.h"
#include "lint/config.h"
#include "lint/docs.h"
#include "lint/fix.h"
#include "lint/like/like.h"
#include "lint/output/output.h"
#include "lint/since.h"
#include "project/root.h"

namespace hipwright::cli {

namespace {

struct Options {
  lint::Options lint;
  std::string arch, confidence, format = "text", fix, config;
  std::filesystem::path baseline, write_baseline;
  std::string since;
  bool diff = false, statistics = false, no_gitignore = false, no_config = false;

  std::string like, like_diff;
  lint::like::Request similar;

  std::string code, rules_format;
  bool json = false;
  std::filesystem::path write_docs;
};

int explain(const Options& options) {
  const lint::Rule* rule = lint::find_rule(options.code);
  if (rule == nullptr)
    return report({"unknown rule", options.code, "", "List the rules with: hipwright lint rules"});
  print(lint::explanation(*rule));
  return kOk;
}

int rules(const Options& options) {
  if (!options.write_docs.empty()) {
    const Status written = lint::write_rule_pages(options.write_docs);
    return written ? kOk : report(written.error());
  }
  print(options.json || options.rules_format == "json" ? lint::rules_json()
                                                       : lint::rules_text(globals().colour_out));
  return kOk;
}

// The configuration file, then what the options say of targets, confidence and baseline.
Status complete(Options& options) {
  std::filesystem::path file = options.config;
  if (file.empty() && !options.no_config) {
    const auto folder = project::find_upward(std::filesystem::current_path(), project::kConfigName);
    if (!folder.empty()) file = folder / project::kConfigName;
  }
  options.lint.project = project::project_of(options.lint.paths);
  if (!options.arch.empty()) {
    HW_TRY(options.lint.targets, arch::parse_target_names(options.arch));
  }
  std::optional<std::filesystem::path> baseline;
  if (!file.empty()) {
    HW_TRY(const lint::Config config, lint::read_config(file));
    lint::apply(config, options.lint);
    if (config.baseline) baseline = config.folder / *config.baseline;
  }
  if (!options.confidence.empty()) {
    HW_TRY(options.lint.min_confidence, lint::parse_confidence(options.confidence));
  }
  if (!options.baseline.empty()) baseline = options.baseline;
  // A baseline that is being written must contain what an old one hides.
  if (baseline && options.write_baseline.empty()) {
    HW_TRY(options.lint.baseline, lint::read_baseline(*baseline));
  }
  options.lint.use_gitignore = !options.no_gitignore;
  return {};
}

void print_notes(const lint::Report& found) {
  constexpr std::size_t kMost = 20;
  if (globals().quiet) return;
  for (std::size_t i = 0; i < std::min(kMost, found.notes.size()); ++i)
    print_error(fmt::format("hipwright: note: {}: {}\n", found.notes[i].path, found.notes[i].what));
  if (found.notes.size() > kMost)
    print_error(fmt::format("hipwright: note: {} more notes; --format json prints all\n",
                            found.notes.size() - kMost));
}

// Findings are a result of their own; without any, an incomplete report must not look clean.
int exit_code(bool has_findings, const std::vector<lint::FileNote>& notes) {
  const auto unread = std::ranges::count_if(notes, &lint::FileNote::is_error);
  if (unread == 0) return has_findings ? kFindings : kOk;
  for (const lint::FileNote& each : notes)
    if (each.is_error) warn(each.path + ": " + each.what);
  const int code = report({"the report is incomplete", "",
                           counted(static_cast<std::size_t>(unread), "path") + " not read",
                           "Make them readable, or omit them with --exclude."});
  return has_findings ? kFindings : code;
}

int show(const Options& options, lint::Format format, const lint::Report& found) {
  const std::string text = lint::output(found, format, {globals().colour_out, options.statistics});
  format == lint::Format::kText ? print_text(text) : print(text);
  const bool has_place = format != lint::Format::kSarif && format != lint::Format::kGithub;
  if (options.statistics && !has_place)
    print_error(lint::statistics_text(found, globals().colour_err));
  // Machines find the notes in what they read; these formats have no place for them.
  if (format != lint::Format::kJson && format != lint::Format::kSarif) print_notes(found);
  if (found.statistics.files == 0 && std::ranges::none_of(found.notes, &lint::FileNote::is_error))
    warn("nothing to lint: no CUDA, C++, HIP or Python files found");
  return exit_code(!found.findings.empty(), found.notes);
}

int fix(const Options& options, lint::Format format) {
  const auto kind = options.fix == "unsafe" ? lint::FixKind::kUnsafe : lint::FixKind::kSafe;
  const auto fixed = lint::fix(options.lint, kind);
  if (!fixed) return report(fixed.error());
  if (options.diff) {
    for (const lint::FixedFile& file : fixed->files)
      print(unified_diff(file.path, file.before, file.after));
    return exit_code(!fixed->files.empty() || !fixed->left.findings.empty(), fixed->left.notes);
  }
  if (const Status written = lint::write_fixes(options.lint, *fixed); !written)
    return report(written.error());
  note(fmt::format("fixed {} in {}", counted(fixed->applied, "finding"),
                   counted(fixed->files.size(), "file")));
  return show(options, format, fixed->left);
}

Result<lint::like::Patch> read_like_diff(const std::string& path) {
  const bool is_input = path == "-";
  HW_TRY(const std::string text, read_input(path));
  return lint::like::read_patch(text, is_input ? "standard input" : path);
}

int like(Options& options, lint::Format format) {
  lint::like::Request& request = options.similar;
  if (format != lint::Format::kText && format != lint::Format::kJson)
    return report({"unsupported format", options.format,
                   "`--like` and `--like-diff` support text and json", ""});
  if (!options.like.empty()) {
    auto origin = lint::like::parse_origin(options.like);
    if (!origin) return report(origin.error());
    request.origin = *std::move(origin);
  } else {
    auto patch = read_like_diff(options.like_diff);
    if (!patch) return report(patch.error());
    request.patch = *std::move(patch);
  }
  request.lint = options.lint;
  const auto found = lint::like::find_like(request);
  if (!found) return report(found.error());
  print(format == lint::Format::kJson ? lint::like::json_output(*found)
                                      : lint::like::text_output(*found, globals().colour_out));
  return exit_code(!found->places.empty() || !found->findings.empty(), found->notes);
}

int run(Options& options) {
  const auto format = lint::parse_format(options.format);
  if (!format) return report(format.error());
  if (!options.fix.empty() && options.fix != "safe" && options.fix != "unsafe")
    return report({"unknown kind of fix", options.fix, "", "Use --fix or --fix=unsafe."});
  if (const Status completed = complete(options); !completed) return report(completed.error());
  if (!options.like.empty() || !options.like_diff.empty()) return like(options, *format);
  if (!options.fix.empty() || options.diff) return fix(options, *format);
  if (!options.write_baseline.empty())
    if (const Status writable = can_write(options.write_baseline); !writable)
      return report(writable.error());
  auto found = lint::lint(options.lint);
  if (!found) return report(found.error());
  if (!options.since.empty())
    if (const Status kept = lint::keep_changed(options.since, options.lint, *found); !kept)
      return report(kept.error());
  if (options.write_baseline.empty()) return show(options, *format, *found);
  const Status written = write_file_atomic(options.write_baseline, lint::baseline_text(*found));
  if (!written) return report(written.error());
  note(fmt::format("wrote {} to {}", counted(found->findings.size(), "finding"),
                   options.write_baseline.string()));
  return kOk;
}

// `others`: options for findings, which would have no effect.
void define_like(App app, Options& options, std::initializer_list<Option> others) {
  Option line = app.add_option("--like", options.like, "Find code similar to these lines");
  line.type_name("FILE:LINE[-LINE]");
  Option patch =
      app.add_option("--like-diff", options.like_diff,
                     "Find code similar to what this patch fixes; - reads standard input")
          .type_name("FILE")
          .excludes(line);
  for (Option other : others) {
    line.excludes(other);
    patch.excludes(other);
  }
  app.add_option("--like-score", options.similar.least_score,
                 "Minimum similarity, 0.3 to 1 (default: 0.6, for a patch 0.5)")
      .type_name("SCORE")
      .range(0.3, 1.0);
  app.add_option("--like-limit", options.similar.limit,
                 "Maximum number of results; 0 for all (default: 50)")
      .type_name("N");
  app.add_flag("--like-everywhere", options.similar.all_platforms,
               "Include code that is never compiled for AMD GPUs");
}

void define_subcommands(App app, Options& options) {
  App one = app.add_subcommand("explain", "Explain a rule");
  one.add_option("RULE", options.code, "Code or name of a rule, for example HW201").required();
  App all = app.add_subcommand("rules", "List all rules");
  Option json = all.add_flag("--json", options.json, "Same as --format json");
  all.add_option("--format", options.rules_format, "Output format")
      .type_name("FORMAT")
      .one_of({"text", "json"})
      .excludes(json);
  all.add_option("--write-docs", options.write_docs, "Write the pages of docs/rules to DIR")
      .group("");
}

const Command::Registration registration{{
    .name = "lint",
    .summary = "Find and fix bugs that appear on AMD GPUs",
    .define = [](App app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      Options& o = *options;
      app.add_option("PATH", o.lint.paths, "Files and directories (default: current directory)")
          .type_name("PATH");
      app.add_option("--select", o.lint.select,
                     "Rules to enable: codes, prefixes, names or areas, separated by commas")
          .type_name("RULES")
          .delimiter(',')
          .allow_extra_args(false);
      app.add_option("--ignore", o.lint.ignore, "Rules to disable")
          .type_name("RULES")
          .delimiter(',')
          .allow_extra_args(false);
      app.add_option("--exclude", o.lint.exclude, "Skip files that match a .gitignore pattern")
          .type_name("PATTERN")
          .allow_extra_args(false);
      app.add_option("--arch", o.arch, "Report only findings that affect these targets")
          .type_name("TARGETS");
      app.add_option("--min-confidence", o.confidence,
                     "Minimum confidence: low (all findings), medium or high")
          .type_name("LEVEL");
      app.add_option("--format", o.format, "Output format: text, json, sarif, github or markdown")
          .type_name("FORMAT");
      Option fixes =
          app.add_flag("--fix{safe}", o.fix,
                       "Apply safe fixes; --fix=unsafe also applies fixes that need review");
      fixes.option_text("[=unsafe]");
      Option diff =
          app.add_flag("--diff", o.diff, "Print the changes of --fix as a patch; write nothing");
      app.add_flag("--stats", o.statistics, "Print findings per rule, bytes read and time");
      app.add_option("--baseline", o.baseline, "Report only findings that this file lacks")
          .type_name("FILE");
      Option known =
          app.add_option("--write-baseline", o.write_baseline, "Write all findings to a baseline")
              .type_name("FILE")
              .excludes(fixes)
              .excludes(diff);
      Option since = app.add_option("--since", o.since,
                                    "Report only findings on lines that changed since this commit")
                         .type_name("REF")
                         .excludes(fixes)
                         .excludes(diff)
                         .excludes(known);
      app.add_option("--config", o.config,
                     "Configuration file (default: hipwright.toml of this or a parent directory)")
          .type_name("FILE");
      app.add_flag("--no-config", o.no_config, "Ignore configuration files");
      app.add_flag("--no-gitignore", o.no_gitignore, "Include files that git ignores");
      app.add_option("--threads", o.lint.threads, "Number of threads (default: one per core)")
          .type_name("N");
      define_like(app, o, {fixes, diff, known, since});
      define_subcommands(app, o);
      return [options, one = app.get_subcommand("explain"), all = app.get_subcommand("rules")] {
        return one.parsed() ? explain(*options) : all.parsed() ? rules(*options) : run(*options);
      };
    },
}};

}  // namespace

}  // namespace hipwright::cli
