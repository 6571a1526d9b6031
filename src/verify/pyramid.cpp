// SPDX-License-Identifier: MIT
#include "verify/pyramid.h"

#include <fmt/format.h>

#include "arch/processors.h"
#include "base/file.h"
#include "base/process.h"
#include "base/stop.h"
#include "verify/devices.h"
#include "verify/program/build.h"
#include "verify/program/run.h"
#include "verify/static_checks.h"
#include "verify/timeout.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

void append(std::vector<Check>& to, std::vector<Check> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

// Device kinds that run AMD programs.
constexpr std::string_view kKinds[] = {"soft", "hip"};
constexpr std::string_view kHardware[] = {"hip"};

std::vector<std::string> program_devices() {
  std::vector<std::string> devices;
  for (const std::string_view target : arch::kProofTargetsOfPrograms)
    devices.push_back(fmt::format("soft:{}", target));
  for (std::string& each : hardware_here(kHardware)) devices.push_back(std::move(each));
  return devices;
}

Status sweep_kernels(const fs::path& file, const SweepOptions& sweep, std::vector<Check>& checks) {
  HW_TRY(const std::vector<KernelSpec> specs, read_specs(file));
  const std::vector<Cell> cells = cells_of(specs, sweep);
  HW_CHECK(run_sweep(specs, cells, sweep));
  HW_TRY(std::vector<Check> judged, judge(specs, cells, {sweep.results}));
  append(checks, std::move(judged));
  append(checks, left_out(specs, sweep));
  return {};
}

void sweep_kernels(const Workload& workload, const PyramidOptions& options,
                   const std::vector<std::string>& devices, const fs::path& scratch,
                   std::vector<Check>& checks) {
  SweepOptions sweep = options.sweep;
  sweep.program = options.program;
  sweep.progress = options.progress;
  sweep.timeout = options.timeout;
  sweep.schedules = options.schedules;
  if (!devices.empty()) sweep.devices = devices;
  if (sweep.results.empty()) sweep.results = scratch / "results";
  for (const fs::path& file : workload.kernel_specs)
    // An invalid spec or golden file must not affect the others.
    if (const Status swept = sweep_kernels(file, sweep, checks); !swept)
      checks.push_back({.level = Level::kFunctional,
                        .subject = fs::relative(file, workload.root).string(),
                        .question = "the kernel specs can be run",
                        .verdict = stop_requested() ? Verdict::kNotChecked : Verdict::kFail,
                        .evidence = swept.error().message()});
}

// Runs the project's own script for the forward and backward pass; needs PyTorch.
Status check_torch(const Workload& workload, const PyramidOptions& options,
                   std::vector<Check>& checks) {
  if (!workload.uses_torch && workload.torch_check.empty()) return {};
  Check check{
      .level = Level::kFunctional,
      .subject = workload.torch_check.empty() ? workload.root.string() : workload.torch_check,
      .question = "PyTorch forward and backward passes run"};
  const auto asked =
      hipwright::run({.argv = {"python3", "-c",
                               "import torch; print(torch.__version__, "
                               "torch.version.hip or torch.version.cuda or 'CPU only')"}});
  if (!asked || !asked->ok()) {
    check.evidence = asked ? "python3 cannot import torch" : asked.error().message();
  } else if (workload.torch_check.empty()) {
    check.evidence = "no test script; name one in hipwright.toml: [verify] torch = \"check.py\"";
  } else {
    check.setting.device = "PyTorch " + asked->out.substr(0, asked->out.find('\n'));
    HW_TRY(const Finished ran, hipwright::run({.argv = {"python3", workload.torch_check},
                                               .directory = workload.root,
                                               .timeout = options.timeout}));
    check.verdict = ran.ok() ? Verdict::kPass : Verdict::kFail;
    check.evidence = ran.ok() ? ran.out : ran.out + ran.err;
    if (ran.timed_out)
      judge_timeout(check, ran.seconds, std::nullopt, "steps in " + workload.torch_check);
    check.seconds = ran.seconds;
  }
  checks.push_back(std::move(check));
  return {};
}

// The rules in the root of a tree; empty if it has no such file.
Result<project::Rules> rules_of(const fs::path& tree) {
  std::error_code ignored;
  const fs::path file = tree / project::kRulesName;
  return fs::exists(file, ignored) ? project::read_rules(file) : project::Rules();
}

// The levels that were asked for and that nothing is known of.
Pyramid stopped_at(Pyramid pyramid, Level level, const PyramidOptions& options) {
  for (const Level each : {Level::kBuild, Level::kFunctional, Level::kNumerical})
    if (each >= level && each <= options.up_to)
      pyramid.checks.push_back({.level = each,
                                .subject = pyramid.subject,
                                .question = "the remaining checks of this level",
                                .evidence = "stopped before they were made"});
  return pyramid;
}

}  // namespace

Result<Pyramid> verify_tree(const PyramidOptions& options) {
  std::error_code error;
  if (!fs::exists(options.path, error))
    return fail("cannot verify", options.path.string(), "no such file or directory");
  // An absent device is an error of the request, not a failure of the port.
  HW_TRY(const std::vector<std::string> devices, device_ids(options.devices, kKinds, true));
  Pyramid pyramid{.subject = options.path.string()};
  HW_TRY(const project::Rules rules, options.rules ? *options.rules : rules_of(options.path));
  HW_TRY(pyramid.checks, check_statically(options.path, rules));
  if (options.up_to == Level::kStatic) return pyramid;

  HW_TRY(Workload workload,
         find_workload(options.path, {.ignore = rules.ignore, .original = options.original}));
  if (options.arguments)
    for (ProgramSpec& program : workload.programs) {
      program.runs = {*options.arguments};
      if (program.goldens.size() > 1) program.goldens.clear();  // they belong to other arguments
    }
  HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
  std::optional<toolchain::UnitCompiler> own;
  if (options.compiler == nullptr) own.emplace(options.archs, scratch.path() / "objects");
  auto made = build(workload, {.archs = options.archs,
                               .scratch = scratch.path() / "build",
                               .compiler = own ? &*own : options.compiler,
                               .progress = options.progress});
  if (stop_requested()) return stopped_at(std::move(pyramid), Level::kBuild, options);
  HW_TRY(Built built, std::move(made));
  append(pyramid.checks, std::move(built.checks));
  add_missing(pyramid, Level::kBuild, "no CUDA or HIP sources found");
  if (options.up_to == Level::kBuild) return pyramid;

  HW_TRY(std::vector<Check> ran,
         run_programs(workload.programs, built.programs,
                      {.root = workload.root,
                       .original = options.original,
                       .devices = devices.empty() ? program_devices() : devices,
                       .names_devices = !devices.empty(),
                       .archs = options.archs,
                       .schedules = options.schedules,
                       .scratch = scratch.path(),
                       .program = options.program,
                       .timeout = options.timeout,
                       .compares = options.up_to == Level::kNumerical,
                       .progress = options.progress}));
  append(pyramid.checks, std::move(ran));
  if (!stop_requested()) sweep_kernels(workload, options, devices, scratch.path(), pyramid.checks);
  if (!stop_requested())
    if (const Status torch = check_torch(workload, options, pyramid.checks);
        !torch && !stop_requested())
      return std::unexpected(torch.error());
  if (stop_requested()) return stopped_at(std::move(pyramid), Level::kFunctional, options);
  if (options.up_to == Level::kFunctional)
    std::erase_if(pyramid.checks,
                  [](const Check& check) { return check.level == Level::kNumerical; });
  add_missing(pyramid, Level::kFunctional,
              "no program has a main function, and no kernel has a spec (NAME.kernel.toml; see "
              "hipwright verify kernel --init)");
  if (options.up_to == Level::kNumerical)
    add_missing(pyramid, Level::kNumerical,
                "nothing was captured (hipwright/golden.h), and no kernel has a spec");
  return pyramid;
}

}  // namespace hipwright::verify
