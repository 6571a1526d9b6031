// SPDX-License-Identifier: MIT
#include "verify/pyramid.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/process.h"
#include "verify/program/build.h"
#include "verify/program/run.h"
#include "verify/static.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

void append(std::vector<Check>& to, std::vector<Check> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

std::vector<std::string> program_devices() {
  std::vector<std::string> devices = {"soft:gfx942", "soft:gfx1100"};
  try {
    for (const Device& device : list_devices("hip")) devices.push_back(device.id());
  } catch (const AMDBackendError&) {
    // There is none.
  }
  return devices;
}

Status sweep_kernels(const Project& project, const PyramidOptions& options, const fs::path& scratch,
                     std::vector<Check>& checks) {
  for (const fs::path& file : project.kernel_specs) {
    HW_TRY(const std::vector<KernelSpec> specs, read_specs(file));
    SweepOptions sweep = options.sweep;
    sweep.program = options.program;
    sweep.progress = options.progress;
    sweep.timeout = options.timeout;
    if (!options.devices.empty()) sweep.devices = options.devices;
    if (sweep.results.empty()) sweep.results = scratch / "results";
    const std::vector<Cell> cells = cells_of(specs, sweep);
    HW_CHECK(run_sweep(specs, cells, sweep));
    HW_TRY(std::vector<Check> judged, judge(specs, cells, {sweep.results}));
    append(checks, std::move(judged));
  }
  return {};
}

// A PyTorch project's forward and backward pass, by a script of its own: needs a PyTorch.
Status check_torch(const Project& project, const PyramidOptions& options,
                   std::vector<Check>& checks) {
  if (!project.uses_torch && project.torch_check.empty()) return {};
  Check check{.level = Level::kFunctional,
              .subject = project.torch_check.empty() ? project.root.string() : project.torch_check,
              .question = "goes forward and backward through the PyTorch code"};
  HW_TRY(const Finished asked,
         hipwright::run({.argv = {"python3", "-c",
                                  "import torch; print(torch.__version__, "
                                  "torch.version.hip or torch.version.cuda or 'CPU only')"}}));
  if (!asked.ok()) {
    check.evidence = "python3 has no torch here";
  } else if (project.torch_check.empty()) {
    check.evidence =
        "no script says how: name one in hipwright.toml, [verify] torch = \"check.py\"";
  } else {
    check.setting.device = "PyTorch " + asked.out.substr(0, asked.out.find('\n'));
    HW_TRY(const Finished ran, hipwright::run({.argv = {"python3", project.torch_check},
                                               .directory = project.root,
                                               .timeout = options.timeout}));
    check.verdict = ran.ok() ? Verdict::kPass : Verdict::kFail;
    check.evidence = ran.ok() ? ran.out : ran.out + ran.err;
    check.seconds = ran.seconds;
  }
  checks.push_back(std::move(check));
  return {};
}

// A level without anything to look at is not a pass, and says so.
void add_missing(Pyramid& pyramid, Level level, std::string why) {
  for (const Check& check : pyramid.checks)
    if (check.level == level) return;
  pyramid.checks.push_back({.level = level,
                            .subject = pyramid.subject,
                            .question = fmt::format("{} level", to_string(level)),
                            .evidence = std::move(why)});
}

// A device that is not there is not a failure of the port.
Status check_devices(const std::vector<std::string>& devices) {
  for (const std::string& each : devices) {
    try {
      const Device device = Device::open(each);
      if (device.type() != "soft" && device.type() != "hip")
        return fail("cannot run programs on", each, "they are AMD's: soft:gfx942, hip:0");
    } catch (const AMDBackendError& error) {
      return fail("cannot run programs on", each, error.what());
    }
  }
  return {};
}

}  // namespace

Result<Pyramid> verify_tree(const PyramidOptions& options) {
  HW_CHECK(check_devices(options.devices));
  Pyramid pyramid{.subject = options.path.string()};
  HW_TRY(pyramid.checks, check_statically(options.path));
  if (options.up_to == Level::kStatic) return pyramid;

  HW_TRY(Project project, find_project(options.path));
  if (options.arguments)
    for (ProgramSpec& program : project.programs) program.runs = {*options.arguments};
  HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
  HW_TRY(Built built, build(project, {.archs = options.archs,
                                      .scratch = scratch.path() / "build",
                                      .program = options.program,
                                      .progress = options.progress}));
  append(pyramid.checks, std::move(built.checks));
  add_missing(pyramid, Level::kBuild, "no source of CUDA or HIP was found");
  if (options.up_to == Level::kBuild) return pyramid;

  HW_TRY(std::vector<Check> ran,
         run_programs(project.programs, built.programs,
                      {.root = project.root,
                       .original = options.original,
                       .devices = options.devices.empty() ? program_devices() : options.devices,
                       .scratch = scratch.path(),
                       .program = options.program,
                       .timeout = options.timeout,
                       .compares = options.up_to == Level::kNumerical,
                       .progress = options.progress}));
  append(pyramid.checks, std::move(ran));
  HW_CHECK(sweep_kernels(project, options, scratch.path(), pyramid.checks));
  HW_CHECK(check_torch(project, options, pyramid.checks));
  if (options.up_to == Level::kFunctional)
    std::erase_if(pyramid.checks,
                  [](const Check& check) { return check.level == Level::kNumerical; });
  add_missing(pyramid, Level::kFunctional,
              "no program with a main function, and no kernel with a spec (NAME.kernel.toml; see "
              "hipwright verify kernel --init)");
  if (options.up_to == Level::kNumerical)
    add_missing(pyramid, Level::kNumerical,
                "nothing was captured (hipwright/golden.h), and no kernel has a spec");
  return pyramid;
}

}  // namespace hipwright::verify
