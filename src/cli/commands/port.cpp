// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/json.h"
#include "base/stop.h"
#include "cli/command.h"
#include "cli/verify.h"
#include "port/isolation/isolation.h"
#include "port/output/in_place.h"
#include "port/output/output.h"
#include "port/plan.h"
#include "port/report/report.h"
#include "toolchain/library_table.h"
#include "verify/flow.h"
#include "verify/report/report.h"

namespace hipwright::cli {

namespace {

struct Options {
  verify::FlowOptions flow;
  std::string mode = "dual", warp = "half", style = "hipwright", hip;
  bool hip_launches = false;
  bool undo = false, diff = false, plan = false, notes = false;
  std::string format = "text";
  std::filesystem::path html, rules;

  std::string code;
  bool codes_as_json = false;
  std::filesystem::path write_docs;
  std::vector<std::filesystem::path> check_isolation;
  VerifyRuns runs;
};

void print_leaks(const std::vector<port::IsolationLeak>& leaks) {
  for (const port::IsolationLeak& leak : leaks)
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
  print(fmt::format(
      "{} files: {} unchanged, {} changed for AMD only, {} changed for NVIDIA, {} new\n",
      result->same_bytes + result->same_view + result->leaks.size(), result->same_bytes,
      result->same_view, result->leaks.size(), result->added.size()));
  if (!result->not_read.empty()) return kUsage;
  return result->is_proven() ? kOk : kFindings;
}

int undo(const Options& options) {
  const auto undone =
      port::undo(options.flow.port.path, {.force = options.flow.force, .before_step = {}});
  if (!undone) return report(undone.error());
  note(fmt::format("restored {}", counted(*undone, "file")));
  return kOk;
}

int explain(const Options& options) {
  const port::Code* code = port::find_code(options.code);
  if (code == nullptr)
    return report(
        {"unknown diagnostic code", options.code, "", "List the codes with: hipwright port codes"});
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
    const std::filesystem::path usual = options.flow.port.path / project::kRulesName;
    std::error_code ignored;
    if (!std::filesystem::exists(usual, ignored)) return {};
    options.rules = usual;
  }
  HW_TRY(options.flow.port.rules, project::read_rules(options.rules));
  return {};
}

int plan(const Options& options) {
  if (options.format == "sarif")
    return report({"unsupported format", "sarif", "`--plan` supports text and json",
                   "Use --json, or omit --plan."});
  const auto plan = port::plan(options.flow.port);
  if (!plan) return report(plan.error());
  if (options.format == "json")
    print(port::plan_json(*plan));
  else
    print_text(port::plan_text(*plan, globals().colour_out));
  return plan->complete ? kOk : report(plan->complete.error());
}

std::string title_of(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::canonical(path, ignored);
  return whole.has_filename() ? whole.filename().string() : path.string();
}

const port::CompiledPort* compiled_of(const verify::Flow& flow) {
  return flow.compiled ? &*flow.compiled : nullptr;
}

// What was written where, on standard error.
void announce(const verify::Flow& flow) {
  const port::Merged& merged = flow.merged;
  for (const port::Conflict& conflict : merged.conflicts)
    warn(fmt::format("{}: {}", conflict.path, conflict.what));
  if (merged.updated + merged.merged + merged.removed + merged.kept != 0)
    note(fmt::format("updated {}, merged {} with your changes, kept {}, removed {}",
                     counted(merged.updated, "file"), merged.merged, merged.kept, merged.removed));
  if (flow.written_in_place != 0)
    note(fmt::format("wrote {}; undo with: hipwright port --undo {}",
                     counted(flow.written_in_place, "file"), flow.ported.tree.root.string()));
  for (const std::string& each : flow.hard_links)
    warn(fmt::format("{} was a hard link; its other names keep the original content", each));
  if (flow.written_in_place != 0)
    for (const std::string& each : port::submodules_in(flow.ported))
      note(fmt::format("{} is a submodule; commit its changes there", each));
}

// Before the port: a port in place would be complete when its report fails. A report in the ported
// tree waits for that tree.
Status check_report(const Options& options) {
  if (options.html.empty()) return {};
  const auto normal = [](const std::filesystem::path& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  const std::filesystem::path& out = options.flow.out;
  if (!out.empty() && is_in_directory(normal(options.html), normal(out))) return {};
  return can_write(options.html);
}

Status write_report(const Options& options, const verify::Flow& flow) {
  if (options.html.empty()) return {};
  return write_file_atomic(
      options.html,
      flow.proven() != nullptr
          ? verify::html_report(flow)
          : port::html_report(flow.ported, title_of(options.flow.port.path), compiled_of(flow)));
}

void print_diagnostics(const Options& options, const verify::Flow& flow) {
  for (const port::PortedFile& file : flow.ported.files)
    for (const Diagnostic& said : file.diagnostics)
      if (said.severity != Severity::kNote || options.notes)
        print_error(render(said, file.source->text(), globals().colour_err));
}

// The result on standard output. Diagnostics and the summary of an unverified port go to standard
// error; a verification has them in its report.
void show(const Options& options, const verify::Flow& flow) {
  const bool is_verified = flow.proven() != nullptr;
  if (options.format == "json")
    return print(is_verified ? json_text(verify::json_report(flow))
                             : port::json_report(flow.ported, compiled_of(flow)));
  if (options.format == "sarif") return print(port::sarif_report(flow.ported, compiled_of(flow)));
  const bool is_written = !options.flow.out.empty() || options.flow.in_place;
  if (options.diff || (!is_written && !is_verified && !stop_requested()))
    print(port::diff_of(flow.ported));
  if (!globals().quiet && (!is_verified || options.notes)) print_diagnostics(options, flow);
  if (is_verified) return print_text(verify::text_report(flow, globals().colour_out));
  if (globals().quiet) return;
  print_error(port::summary_text(flow.ported, 0, globals().colour_err, flow.compiled.has_value()));
  if (flow.compiled) print_error(port::text_of(*flow.compiled));
}

// The release to port to; where the SDK declares it, that is what the port is compiled with.
Result<port::api::HipVersion> release_of(const std::string& given) {
  std::string name = given;
  if (name.empty()) {
    HW_TRY(const toolchain::Release* const chosen, toolchain::chosen_release());
    name = chosen->name;
  }
  HW_TRY(const port::api::HipVersion version, port::api::parse_hip_version(name));
  if (toolchain::find_release(port::api::text_of(version)))
    HW_CHECK(toolchain::choose_release(port::api::text_of(version)));
  return version;
}

Status complete(Options& options) {
  verify::FlowOptions& flow = options.flow;
  HW_CHECK(read_rules(options));
  HW_TRY(flow.port.hip, release_of(options.hip));
  flow.port.mode = options.mode == "hip" ? port::Mode::kHip : port::Mode::kDual;
  flow.port.warp = options.warp == "half" ? port::Warp::kHalf : port::Warp::kNative;
  flow.port.style = options.style == "hipify" ? port::Style::kHipify : port::Style::kHipwright;
  flow.port.launches = options.hip_launches ? port::LaunchSyntax::kHip : port::LaunchSyntax::kCuda;
  options.runs.apply(flow.pyramid);
  // A plain compile check uses the default targets of `hipwright cc`.
  if (!flow.verifies) flow.pyramid.archs = options.runs.archs;
  // Only on a terminal: a port takes a second.
  const ProgressOutput progress = standard_progress_output(globals().quiet);
  if (progress.live) flow.port.progress = progress;
  if (const char* given = options.runs.only_for_runs(); given != nullptr && !flow.verifies)
    return fail(fmt::format("`{}` requires `--verify`", given), "", "nothing is run without it",
                "Add --verify.");
  if (flow.verifies && options.format == "sarif")
    return fail("unsupported format", "sarif", "`--verify` supports text and json",
                "Use --json, or omit --verify.");
  HW_CHECK(verify::check(flow));
  return check_report(options);
}

int run(Options options) {
  if (!options.check_isolation.empty()) return check_isolation(options);
  if (options.flow.port.path.empty())
    return report({"`hipwright port` needs PATH", "", "", "See: hipwright port --help"});
  if (options.undo) return undo(options);
  if (const Status completed = complete(options); !completed) return report(completed.error());
  if (options.plan) return plan(options);
  if (options.flow.compiles || options.flow.verifies) stop_on_interrupt();
  const auto flow = verify::run_flow(options.flow);
  if (!flow) return report(flow.error());
  if (const Status written = write_report(options, *flow); !written) return report(written.error());
  announce(*flow);
  show(options, *flow);
  if (const std::size_t conflicts = flow->merged.conflicts.size(); conflicts != 0)
    return report({"conflicts in", options.flow.out.string(),
                   fmt::format("{} changed by you and by the port", counted(conflicts, "file")),
                   "Resolve the conflicts listed above."});
  if (stop_requested()) {
    if (!flow->compiled) note("stopped while compiling: nothing was written");
    return kStopped;
  }
  if (const Status complete = flow->ported.tree.is_complete(); !complete)
    return report(complete.error());
  if (!flow->succeeded()) return kFindings;
  return flow->is_checked() ? kOk : kNotChecked;
}

void define_output(App app, Options& options) {
  Option out = app.add_option("--out", options.flow.out, "Write the ported tree to DIR")
                   .type_name("DIR")
                   .not_empty();
  Option in_place =
      app.add_flag("--in-place", options.flow.in_place, "Modify the files; --undo restores them");
  in_place.excludes(out);
  app.add_flag("--undo", options.undo, "Undo the last --in-place of this directory")
      .excludes(out)
      .excludes(in_place);
  app.add_flag("--force", options.flow.force,
               "Allow --in-place on a modified git tree, and --undo over later edits");
  app.add_flag("--diff", options.diff,
               "Print the changes as a patch (default without --out and --in-place)");
  app.add_flag("--rename-hip", options.flow.renames,
               "Rename .cu files to .hip and .cuh files to .hip.h; requires --mode hip");
  app.add_flag("--notes", options.notes, "Print notes as well as errors and warnings");
  app.add_flag("--plan", options.plan, "Print an inventory and the phases it needs; write nothing");
  Option format = app.add_option("--format", options.format, "Output format")
                      .type_name("FORMAT")
                      .one_of({"text", "json", "sarif"})
                      .capture_default_str();
  app.add_flag("--json{json},--sarif{sarif}", options.format, "Same as --format json or sarif")
      .excludes(format);
  app.add_option("--report", options.html, "Write an HTML report to FILE").type_name("FILE");
  app.add_option("--rules", options.rules,
                 "Names and headers of the project (default: its hipwright-port.toml)")
      .type_name("FILE");
  app.add_option("--ignore", options.flow.port.ignore, "Skip files that match a .gitignore pattern")
      .type_name("PATTERN")
      .allow_extra_args(false);
}

void define_style(App app, Options& options) {
  app.add_option("--style", options.style,
                 "Conventions for headers and names; hipify: those of hipify-clang (requires "
                 "--mode hip)")
      .type_name("STYLE")
      .one_of({"hipwright", "hipify"})
      .capture_default_str();
  app.add_flag("--hip-kernel-execution-syntax,!--cuda-kernel-execution-syntax",
               options.hip_launches,
               "Launch kernels with hipLaunchKernelGGL (requires --mode hip) or, by default, with "
               "<<<>>>");
}

void define_subcommands(App app, Options& options) {
  App one = app.add_subcommand("explain", "Explain a diagnostic code");
  one.add_option("CODE", options.code, "Diagnostic code or name, for example HP202").required();
  App all = app.add_subcommand("codes", "List all diagnostic codes");
  all.add_flag("--json", options.codes_as_json, "Print JSON");
  all.add_option("--write-docs", options.write_docs, "Write the pages of docs/port to DIR")
      .group("");
}

const Command::Registration registration({
    .name = "port",
    .summary = "Translate a CUDA repository to HIP",
    .define = [](App app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("PATH", options->flow.port.path, "Repository, directory or file")
          .type_name("PATH");
      define_output(app, *options);
      app.add_option("--mode", options->mode, "hip: HIP only; dual: builds for NVIDIA and AMD")
          .type_name("MODE")
          .one_of({"hip", "dual"})
          .capture_default_str();
      app.add_option(
             "--warp", options->warp,
             "Mapping of 32-lane warps. half: half of a 64-lane wave, always correct; native: the "
             "whole wave in files where every use of the warp size is understood")
          .type_name("MAPPING")
          .one_of({"native", "half"})
          .capture_default_str();
      define_style(app, *options);
      app.add_option(
             "--hip,--rocm", options->hip,
             "HIP release to port to; --compile and --verify use its headers (default: 6.4)")
          .type_name("VERSION");
      app.add_flag("--compile", options->flow.compiles,
                   "Compile every translation unit of the port and repair known errors");
      app.add_flag("--verify", options->flow.verifies,
                   "Compile and run the port, and compare its results with the original's")
          .excludes("--undo")
          .excludes("--plan");
      app.add_flag("--fix", options->flow.fixes,
                   "If --verify fails, apply the safe fixes of the linter and verify again");
      options->runs.define(app);
      app.add_option("--check-isolation", options->check_isolation,
                     "Check that two trees are the same to NVIDIA's compiler")
          .type_name("OLD NEW")
          .expected(2);
      define_subcommands(app, *options);
      return [options, one = app.get_subcommand("explain"), all = app.get_subcommand("codes")] {
        return one.parsed() ? explain(*options) : all.parsed() ? codes(*options) : run(*options);
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
