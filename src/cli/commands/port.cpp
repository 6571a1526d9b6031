// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/verify.h"
#include "port/isolation/isolation.h"
#include "port/output/in_place.h"
#include "port/output/output.h"
#include "port/plan.h"
#include "port/rename.h"
#include "port/report/report.h"
#include "port/verify/verify.h"
#include "verify/flow.h"
#include "verify/report/report.h"

namespace hipwright::cli {

namespace {

struct Options {
  port::Options port;
  std::string mode = "dual", warp = "half", hip = "6.4";
  std::filesystem::path out;
  bool in_place = false, undo = false, force = false, diff = false, plan = false;
  bool rename_hip = false, notes = false;
  std::string format = "text";
  std::filesystem::path html, rules;

  std::string code;
  bool codes_as_json = false;
  std::filesystem::path write_docs;
  std::vector<std::filesystem::path> check_isolation;
  bool compile = false, verify = false, fix = false;
  VerifyRuns runs;
};

void print_leaks(const std::vector<port::Leak>& leaks) {
  for (const port::Leak& leak : leaks)
    print(fmt::format("{}:{}: {}\n{}", leak.path,
                      leak.line_after != 0 ? leak.line_after : leak.line_before, leak.what,
                      leak.diff));
}

int check_isolation(const Options& options) {
  const auto result = port::check_isolation(
      {.before = options.check_isolation[0], .after = options.check_isolation[1]});
  if (!result) return report(result.error());
  for (const std::string& why : result->not_read) warn(why);
  print_leaks(result->leaks);
  print(fmt::format("{} files: {} unchanged, {} changed but not for NVIDIA, {} leak, {} new\n",
                    result->same_bytes + result->same_view + result->leaks.size(),
                    result->same_bytes, result->same_view, result->leaks.size(),
                    result->added.size()));
  if (!result->not_read.empty()) return kUsage;
  return result->holds() ? kOk : kFindings;
}

int undo(const Options& options) {
  const auto undone = port::undo(options.port.path, {.force = options.force, .before_step = {}});
  if (!undone) return report(undone.error());
  if (!globals().quiet)
    fmt::print(stderr, "hipwright: {} files are as they were before the port\n", *undone);
  return kOk;
}

int explain(const Options& options) {
  const port::Code* code = port::find_code(options.code);
  if (code == nullptr)
    return report({"cannot explain", options.code,
                   "no diagnostic of the porter has that code or name",
                   "See: hipwright port codes"});
  print(port::explanation(*code));
  return kOk;
}

int codes(const Options& options) {
  if (!options.write_docs.empty()) {
    const Status written = port::write_code_pages(options.write_docs);
    return written ? kOk : report(written.error());
  }
  print(options.codes_as_json ? port::codes_json() : port::codes_text(globals().colour_out));
  return kOk;
}

// Those of --rules, or of the folder that is ported.
Status read_rules(Options& options) {
  if (options.rules.empty()) {
    const std::filesystem::path usual = options.port.path / port::kRulesName;
    std::error_code ignored;
    if (!std::filesystem::exists(usual, ignored)) return {};
    options.rules = usual;
  }
  HW_TRY(options.port.rules, port::read_rules(options.rules));
  return {};
}

int plan(const Options& options) {
  if (options.format == "sarif")
    return report(
        {"cannot write the format", "sarif", "a plan is written as text or json only", ""});
  const auto plan = port::plan(options.port);
  if (!plan) return report(plan.error());
  print(options.format == "json" ? port::plan_json(*plan)
                                 : port::plan_text(*plan, globals().colour_out));
  return kOk;
}

// Conflicts are an error: the tree is written, but nobody should build it.
Status tell_merged(const Options& options, const port::Merged& merged) {
  for (const port::Conflict& conflict : merged.conflicts)
    warn(fmt::format("{}: {}", conflict.path, conflict.what));
  const std::size_t all = merged.updated + merged.merged + merged.removed + merged.kept;
  if (all != 0 && !globals().quiet)
    fmt::print(
        stderr,
        "hipwright: {} files brought up to date, {} merged with your changes, {} left as you "
        "have them, {} removed\n",
        merged.updated, merged.merged, merged.kept, merged.removed);
  if (merged.conflicts.empty()) return {};
  return fail("the port needs you", options.out.string(),
              fmt::format("{} files have conflicts", merged.conflicts.size()),
              "Settle them; they are named above.");
}

std::string title_of(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::canonical(path, ignored);
  return whole.has_filename() ? whole.filename().string() : path.string();
}

Status write(const Options& options, const port::Ported& ported, const port::Verified* verified) {
  if (!options.html.empty())
    HW_CHECK(write_file_atomic(options.html,
                               port::html_report(ported, title_of(options.port.path), verified)));
  if (!options.out.empty()) {
    HW_TRY(const port::Merged merged, port::write_tree(ported, options.out));
    return tell_merged(options, merged);
  }
  if (!options.in_place) return {};
  const std::vector<std::string> linked = port::hard_links_in(ported);
  HW_TRY(const std::size_t written,
         port::write_in_place(ported, {.force = options.force, .before_step = {}}));
  if (!globals().quiet && written != 0)
    fmt::print(stderr, "hipwright: {} files written; to take it back: hipwright port --undo {}\n",
               written, ported.tree.root.string());
  for (const std::string& each : linked)
    warn(fmt::format("{} was a hard link: other names of the file keep what it was", each));
  if (!globals().quiet && written != 0)
    for (const std::string& each : port::submodules_in(ported))
      fmt::print(stderr, "hipwright: {} is a submodule: its changes are committed there\n", each);
  return {};
}

// The result on standard output, the diagnostics and the summary beside it.
void show(const Options& options, const port::Ported& ported, const port::Verified* verified) {
  if (options.format == "json") return print(port::json_report(ported, verified));
  if (options.format == "sarif") return print(port::sarif_report(ported, verified));
  if (options.diff || (options.out.empty() && !options.in_place)) print(port::diff_of(ported));
  if (globals().quiet) return;
  for (const port::PortedFile& file : ported.files)
    for (const Diagnostic& said : file.diagnostics)
      if (said.severity != Severity::kNote || options.notes)
        fmt::print(stderr, "{}", render(said, file.source->text(), globals().colour_err));
  fmt::print(stderr, "{}", port::summary_text(ported, 0, globals().colour_err));
  if (verified != nullptr) fmt::print(stderr, "{}", port::text_of(*verified));
}

Result<port::Verified> compile(const Options& options, port::Ported& ported) {
  port::VerifyOptions verify;
  verify.mode = options.port.mode;
  verify.archs = options.runs.archs;
  verify.progress = standard_progress_output(globals().quiet);
  return port::compile_and_repair(ported, verify);
}

// Ported, compiled, run and compared: one report.
int verify_port(const Options& options) {
  verify::FlowOptions flow;
  flow.port = options.port;
  flow.out = options.out;
  flow.fixes = options.fix;
  options.runs.apply(flow.pyramid);
  const auto done = verify::port_and_verify(flow);
  if (!done) return report(done.error());
  if (!options.html.empty())
    if (const Status written = write_file_atomic(options.html, verify::html_report(*done));
        !written)
      return report(written.error());
  if (options.format == "json")
    print(json_text(verify::json_report(*done)));
  else
    print(verify::text_report(*done, globals().colour_out));
  const auto& checks = done->proven().checks;
  const bool fails = std::any_of(checks.begin(), checks.end(), [](const verify::Check& check) {
    return check.verdict == verify::Verdict::kFail;
  });
  return fails ? kFindings : kOk;
}

int run(Options options) {
  if (!options.check_isolation.empty()) return check_isolation(options);
  if (options.port.path.empty())
    return report({"cannot port", "", "no repository is named", "See: hipwright port --help"});
  if (options.undo) return undo(options);
  if (const Status read = read_rules(options); !read) return report(read.error());
  if (options.plan) return plan(options);
  const auto version = port::api::parse_hip_version(options.hip);
  if (!version) return report(version.error());
  options.port.hip = *version;
  options.port.mode = options.mode == "hip" ? port::Mode::kHip : port::Mode::kDual;
  options.port.warp = options.warp == "half" ? port::Warp::kHalf : port::Warp::kNative;
  if (options.verify) return verify_port(options);
  // A line in every log would be noise: a port takes a second.
  if (options.rename_hip && options.port.mode != port::Mode::kHip)
    return report({"cannot rename files", options.port.path.string(),
                   "with --mode dual NVIDIA's compiler reads them, too", "Add --mode hip."});
  const ProgressOutput progress = standard_progress_output(globals().quiet);
  if (progress.live) options.port.progress = progress;
  auto ported = port::port(options.port);
  if (!ported) return report(ported.error());
  std::optional<port::Verified> verified;
  if (options.compile) {
    auto compiled = compile(options, *ported);
    if (!compiled) return report(compiled.error());
    verified = *std::move(compiled);
  }
  const port::Verified* found = verified ? &*verified : nullptr;
  if (options.rename_hip) port::rename_to_hip(*ported);
  if (const Status written = write(options, *ported, found); !written)
    return report(written.error());
  show(options, *ported, found);
  return (!verified || verified->failing() == 0) && port::summarise(*ported).errors == 0
             ? kOk
             : kFindings;
}

void define_output(CLI::App& app, Options& options) {
  CLI::Option* out =
      app.add_option("--out", options.out, "Write the whole ported tree to this new folder");
  CLI::Option* in_place = app.add_flag("--in-place", options.in_place,
                                       "Change the files themselves; --undo takes it back");
  in_place->excludes(out);
  app.add_flag("--undo", options.undo, "Take back the last --in-place of this folder")
      ->excludes(out)
      ->excludes(in_place);
  app.add_flag("--force", options.force,
               "--in-place without a clean git tree; --undo over later edits");
  app.add_flag("--diff", options.diff,
               "Print the changes as a patch; what is done without --out and --in-place");
  app.add_flag("--rename-hip", options.rename_hip,
               "Also name .cu files .hip and .cuh files .hip.h; with --mode hip");
  app.add_flag("--notes", options.notes, "Also print notes: what is right, and good to know");
  app.add_flag("--plan", options.plan, "What is in it and which phases it needs; changes nothing");
  CLI::Option* format = app.add_option("--format", options.format, "text, json or sarif")
                            ->check(CLI::IsMember({"text", "json", "sarif"}));
  app.add_flag("--json{json},--sarif{sarif}", options.format, "The same as --format json, sarif")
      ->excludes(format);
  app.add_option("--report", options.html, "Also write a report as one HTML file");
  app.add_option("--rules", options.rules,
                 "The project's own names and headers; default: its hipwright-port.toml");
  app.add_option("--ignore", options.port.ignore, "Leave files alone; a pattern as in .gitignore")
      ->allow_extra_args(false);
}

void define_subcommands(CLI::App& app, Options& options) {
  CLI::App* one = app.add_subcommand("explain", "The page of a code");
  one->add_option("code", options.code, "HP202, or its name")->required();
  CLI::App* all = app.add_subcommand("codes", "All codes");
  all->add_flag("--json", options.codes_as_json, "Print JSON");
  all->add_option("--write-docs", options.write_docs, "Write the pages of docs/port here")
      ->group("");
}

const Command::Registration registration({
    .name = "port",
    .summary = "Translate a CUDA repository to HIP",
    .define = [](CLI::App& app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("path", options->port.path, "Repository, folder or file");
      define_output(app, *options);
      app.add_option("--mode", options->mode, "hip: becomes HIP; dual: builds for both")
          ->check(CLI::IsMember({"hip", "dual"}));
      app.add_option(
             "--warp", options->warp,
             "What a warp of 32 lanes becomes: half of a wave of 64 (always right), or native: the "
             "whole wave where every use of its size is understood")
          ->check(CLI::IsMember({"native", "half"}));
      app.add_option("--hip", options->hip, "The HIP release to port to");
      app.add_flag(
          "--compile", options->compile,
          "Compile every translation unit of the port, and repair what is known to go wrong");
      CLI::Option* prove =
          app.add_flag("--verify", options->verify,
                       "Also compile, run and compare the port, as far as this machine can")
              ->excludes("--in-place")
              ->excludes("--undo")
              ->excludes("--plan");
      app.add_flag("--fix", options->fix,
                   "Where --verify fails, try the linter's safe fixes, and verify again")
          ->needs(prove);
      options->runs.define(app);
      app.add_option("--check-isolation", options->check_isolation,
                     "Two trees, OLD NEW: does NVIDIA see the same of both?")
          ->expected(2);
      define_subcommands(app, *options);
      return [options, one = app.get_subcommand("explain"), all = app.get_subcommand("codes")] {
        return one->parsed() ? explain(*options) : all->parsed() ? codes(*options) : run(*options);
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
