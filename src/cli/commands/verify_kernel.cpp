// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/file.h"
#include "cli/verify.h"
#include "verify/check_report.h"
#include "verify/devices.h"
#include "verify/golden/golden.h"
#include "verify/kernel/results.h"
#include "verify/kernel/sweep.h"

namespace fs = std::filesystem;

namespace hipwright::cli {

namespace {

struct Options {
  fs::path file;
  bool init = false;
  std::string only;  // of the spec's kernels; empty: all
  verify::SweepOptions sweep;
  std::string shard;
  unsigned timeout = 300;
  fs::path capture;
  VerifyOutput output;
};

// The spec of a source: saxpy.kernel.toml for saxpy.hip.
Result<fs::path> spec_file(const fs::path& file) {
  if (file.extension() == ".toml") return file;
  fs::path spec = file;
  spec.replace_extension(".kernel.toml");
  std::error_code ignored;
  if (fs::exists(spec, ignored)) return spec;
  if (!fs::exists(file, ignored))
    return fail("cannot verify the kernels of", file.string(), errno_text(ENOENT));
  return fail("cannot verify the kernels of", file.string(),
              fmt::format("no spec: {} does not exist", spec.string()),
              fmt::format("Create one: hipwright verify kernel --init {} > {}", file.string(),
                          spec.string()));
}

// Before anything runs.
Status check_capture(const Options& options, const std::vector<verify::KernelSpec>& specs) {
  if (options.capture.empty()) return {};
  if (specs.size() != 1 || options.sweep.devices.size() != 1)
    return fail("cannot capture", options.capture.string(),
                "a golden file holds the results of one kernel on one device",
                "Select them: --device cuda --only KERNEL");
  return can_write(options.capture);
}

// Stores the results of one device as the expected results.
Status write_captures(const Options& options, const std::vector<verify::KernelSpec>& specs,
                      const std::vector<verify::Cell>& cells, const fs::path& results) {
  // The reference runs as well; it is not the one to store.
  const auto cell = std::find_if(cells.begin(), cells.end(), [&](const verify::Cell& each) {
    return each.device == options.sweep.devices[0];
  });
  if (cell == cells.end())
    return fail("cannot capture", options.capture.string(),
                fmt::format("the spec has no source for {}", options.sweep.devices[0]),
                "Add the CUDA source to the spec: cuda = \"kernel.cu\"");
  HW_TRY(const auto result, verify::read_result(results, verify::cell_id(specs[0], *cell)));
  if (!result || result->stage != verify::Stage::kDone)
    return fail("cannot capture", options.capture.string(),
                result ? result->error : "the kernel did not run");
  if (const std::string errors = result->findings.text("error"); !errors.empty())
    return fail("cannot capture", options.capture.string(),
                "the checks found errors in the kernel:" + errors);
  verify::Golden golden;
  golden.provenance.device = result->device;
  golden.provenance.driver = result->driver;
  golden.provenance.compiler = result->compiler;
  HW_TRY(golden.provenance.source_hash, verify::source_hash({specs[0].golden_source()}));
  golden.provenance.command = cell->text();
  golden.provenance.seed = cell->seed;
  golden.provenance.made = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  for (const verify::Argument& argument : specs[0].arguments) {
    if (!argument.is_output) continue;
    const verify::Values& values = result->outputs.at(argument.name);
    // A sample does not say which elements belong together.
    golden.tensors.emplace(argument.name, argument.tolerance.any_order
                                              ? verify::StoredValues{values, values.shape, {}}
                                              : verify::sampled(values));
  }
  return verify::write_golden(golden, options.capture);
}

constexpr std::string_view kKinds[] = {"soft", "hip", "cuda"};

Result<std::vector<verify::KernelSpec>> specs_of(const fs::path& file, const std::string& only) {
  HW_TRY(auto specs, verify::read_specs(file));
  if (only.empty()) return specs;
  std::erase_if(specs, [&](const verify::KernelSpec& spec) { return spec.label != only; });
  if (specs.empty())
    return fail("unknown kernel", only, fmt::format("{} has no table [{}]", file.string(), only));
  return specs;
}

int show(const Options& options, const fs::path& file, std::vector<verify::Check> checks,
         const std::vector<verify::KernelSpec>& specs) {
  verify::Pyramid pyramid{file.string(), std::move(checks)};
  for (verify::Check& each : verify::left_out(specs, options.sweep))
    pyramid.checks.push_back(std::move(each));
  using verify::Level;
  add_missing(pyramid, Level::kStatic,
              "a kernel spec is compiled, run and compared only; `hipwright verify DIR` also "
              "checks the sources");
  add_missing(pyramid, Level::kBuild, "nothing was compiled");
  add_missing(pyramid, Level::kFunctional, "nothing ran");
  add_missing(pyramid, Level::kNumerical,
              "nothing to compare with: run on a second device (--device), or add a reference, "
              "golden results or invariants to the spec");
  // A spec has no static level, and a numerical one only with something to compare with.
  return options.output.show(pyramid,
                             verify::is_checked(pyramid, Level::kBuild, Level::kFunctional));
}

Result<int> sweep(Options options) {
  HW_TRY(const fs::path file, spec_file(options.file));
  HW_TRY(const auto specs, specs_of(file, options.only));
  HW_TRY(options.sweep.devices, verify::device_ids(options.sweep.devices, kKinds, true));
  HW_CHECK(options.output.check());
  HW_CHECK(check_capture(options, specs));
  if (options.shard.empty()) {
    HW_TRY(options.sweep.shard, verify::shard_of_environment());
  } else {
    HW_TRY(options.sweep.shard, verify::parse_shard(options.shard));
  }
  HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
  const bool is_part = options.sweep.shard.count > 1;
  if (is_part && options.sweep.results.empty())
    return fail("cannot run a shard", options.sweep.shard.from,
                "its results would be lost without --results",
                "Add --results DIR, then run: hipwright verify merge");
  if (options.sweep.results.empty()) options.sweep.results = scratch.path();
  options.sweep.program = own_program();
  options.sweep.timeout = std::chrono::seconds(options.timeout);
  options.sweep.progress = standard_progress_output(globals().quiet);
  if (!options.capture.empty()) options.sweep.schedules = 0;
  const auto cells = verify::cells_of(specs, options.sweep);
  HW_CHECK(verify::run_sweep(specs, cells, options.sweep));
  if (!options.capture.empty()) {
    HW_CHECK(write_captures(options, specs, cells, options.sweep.results));
    return kOk;
  }
  if (is_part) return kOk;
  HW_TRY(auto checks, verify::judge(specs, cells, {options.sweep.results}));
  return show(options, file, std::move(checks), specs);
}

int run_kernel(const Options& options) {
  if (options.init) {
    const auto text = verify::initial_specs(options.file);
    if (!text) return report(text.error());
    print(*text);
    return kOk;
  }
  const auto done = sweep(options);
  return done ? *done : report(done.error());
}

void define_sweep(App app, Options& options) {
  app.add_option("--only", options.only, "Select one kernel by the name of its table")
      .type_name("KERNEL");
  app.add_option("--device", options.sweep.devices,
                 "Devices: soft:gfx942, hip:0, cuda, separated by commas (default: all)")
      .type_name("DEVICES")
      .delimiter(',');
  app.add_option("--seeds", options.sweep.seeds, "Number of input sets")
      .type_name("N")
      .range(1U, 1000U)
      .capture_default_str();
  app.add_option("--schedules", options.sweep.schedules,
                 "Number of random wave orders on the software GPU")
      .type_name("N")
      .capture_default_str();
}

struct MergeOptions {
  Options sweep;
  std::vector<fs::path> folders;
};

Result<int> merge(MergeOptions options) {
  HW_TRY(const fs::path file, spec_file(options.sweep.file));
  HW_TRY(const auto specs, specs_of(file, options.sweep.only));
  for (const fs::path& folder : options.folders) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
      return fail("cannot merge results", folder.string(), "not a directory");
  }
  // The results may come from devices of other machines.
  verify::SweepOptions& sweep = options.sweep.sweep;
  HW_TRY(sweep.devices, verify::device_ids(sweep.devices, kKinds, false));
  if (sweep.devices.empty()) {
    sweep.devices = verify::devices_here();
    HW_TRY(const auto found, verify::devices_in(options.folders, specs));
    for (const std::string& each : found)
      if (std::find(sweep.devices.begin(), sweep.devices.end(), each) == sweep.devices.end())
        sweep.devices.push_back(each);
  }
  HW_TRY(auto checks, verify::judge(specs, verify::cells_of(specs, sweep), options.folders));
  return show(options.sweep, file, std::move(checks), specs);
}

struct CellOptions {
  fs::path file, results;
  verify::Cell cell;
};

Result<int> run_cell(const CellOptions& options) {
  HW_TRY(const auto specs, verify::read_specs(options.file));
  for (const verify::KernelSpec& spec : specs) {
    if (spec.label != options.cell.label) continue;
    HW_TRY(verify::CellResult result, verify::run_cell(spec, options.cell));
    result.is_whole = false;  // the parent process adds the findings of the checks
    HW_CHECK(verify::write_result(options.results, verify::cell_id(spec, options.cell),
                                  options.cell, result));
    return kOk;
  }
  return fail("unknown kernel", options.cell.label,
              fmt::format("{} has no table [{}]", options.file.string(), options.cell.label));
}

}  // namespace

VerifyPart define_verify_kernel(App app) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand(
      "kernel", "Run kernels as their spec says on all devices and compare the results");
  part.add_option("FILE", options->file, "Spec (NAME.kernel.toml) or the source it belongs to")
      .type_name("FILE")
      .required();
  part.add_flag("--init", options->init, "Print a spec for the kernels of a source");
  define_sweep(part, *options);
  part.add_option(
          "--shard", options->shard,
          "Run one part of all runs (default: from the environment of mpirun, Slurm or Kubernetes)")
      .type_name("INDEX/COUNT");
  part.add_option("--results", options->sweep.results,
                  "Directory for results; runs with results there are skipped")
      .type_name("DIR");
  part.add_option("--timeout", options->timeout, "Time limit for one run")
      .type_name("SECONDS")
      .capture_default_str();
  part.add_option("--capture", options->capture,
                  "Store the results of one device as golden results (.safetensors)")
      .type_name("FILE");
  options->output.define(part);
  return {part, [options] { return run_kernel(*options); }};
}

VerifyPart define_verify_merge(App app) {
  auto options = std::make_shared<MergeOptions>();
  App part = app.add_subcommand("merge", "Compare the results of several shards");
  part.add_option("FILE", options->sweep.file, "Spec or the source it belongs to")
      .type_name("FILE")
      .required();
  part.add_option("RESULTS", options->folders, "Directories with results")
      .type_name("DIR")
      .required();
  define_sweep(part, options->sweep);
  options->sweep.output.define(part);
  return {part, [options] {
            const auto done = merge(*options);
            return done ? *done : report(done.error());
          }};
}

VerifyPart define_verify_cell(App app) {
  auto options = std::make_shared<CellOptions>();
  App part = app.add_subcommand("cell", "Run one cell of a sweep").group("");
  part.add_option("file", options->file).required();
  part.add_option("label", options->cell.label).required();
  part.add_option("--device", options->cell.device).required();
  part.add_option("--seed", options->cell.seed).required();
  part.add_option("--schedule", options->cell.schedule);
  part.add_option("--results", options->results).required();
  return {part, [options] {
            const auto done = run_cell(*options);
            return done ? *done : report(done.error());
          }};
}

}  // namespace hipwright::cli
