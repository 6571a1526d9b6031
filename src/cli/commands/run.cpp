// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "arch/target.h"
#include "base/process.h"
#include "cli/command.h"
#include "soft/check/options.h"
#include "soft/exec/schedule.h"
#include "soft/hip/targets.h"
#include "toolchain/soft_library.h"

namespace fs = std::filesystem;

namespace hipwright::cli {

namespace {

struct Options {
  std::string device = "soft:gfx942";
  std::string check;
  std::string report;
  std::string schedule;
  std::optional<unsigned> threads;
  std::optional<unsigned long long> step_limit;
  bool skips_kernels = false;
  std::vector<std::string> program;
};

// Preloaded, so that a program's own search paths do not matter: whichever of ROCm's libraries it
// asks for is there already.
constexpr const char* kShims[] = {"libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7",
                                  "libhiprtc.so.5",   "libhiprtc.so.6",   "libhiprtc.so.7"};

// "gfx942", or several with commas between them: HIPWRIGHT_SOFT_TARGET.
Result<std::string> targets_of(const std::string& device) {
  const std::string what = "cannot run on";
  const std::string targets =
      "Devices are soft:TARGET, with TARGET one of " + soft::hip::supported_targets() + ".";
  if (!device.starts_with("soft:")) return fail(what, device, "it is not a software GPU", targets);
  std::string list;
  for (std::size_t begin = 5; begin <= device.size();) {
    const std::size_t end = std::min(device.find(',', begin), device.size());
    HW_TRY(const auto target, arch::parse_target(device.substr(begin, end - begin)));
    if (!soft::hip::is_supported(target.processor))
      return fail(what, device, "the software GPU does not have this target", targets);
    list += (list.empty() ? "" : ",") + target.id();
    begin = end + 1;
  }
  return list;
}

std::string prepended(const std::string& first, const char* variable, char separator) {
  const char* rest = std::getenv(variable);
  return rest && *rest ? first + separator + rest : first;
}

Result<hipwright::Command> plan(const Options& options) {
  HW_TRY(const std::string targets, targets_of(options.device));
  HW_TRY(const fs::path folder, toolchain::find_soft_folder());
  if (folder.string().find_first_of(" :") != std::string::npos)
    return fail("cannot preload", folder.string(),
                "the dynamic linker takes no folder with a blank or a colon in its name",
                "Install hipwright elsewhere.");
  std::string preload;
  for (const char* shim : kShims)
    preload += (preload.empty() ? "" : ":") + (folder / shim).string();
  hipwright::Command command;
  command.argv = options.program;
  command.environment = {
      {"LD_PRELOAD", prepended(preload, "LD_PRELOAD", ':')},
      {"LD_LIBRARY_PATH", prepended(folder.string(), "LD_LIBRARY_PATH", ':')},
      {"HIPWRIGHT_SOFT_TARGET", targets},
  };
  const auto set = [&](const char* name, const std::string& value) {
    command.environment.emplace_back(name, value);
  };
  if (!options.check.empty()) {
    HW_CHECK(soft::parse_checks(options.check));
    set("HIPWRIGHT_SOFT_CHECK", options.check);
  }
  // The program may change its folder.
  if (!options.report.empty()) set("HIPWRIGHT_SOFT_REPORT", fs::absolute(options.report).string());
  if (!options.schedule.empty()) {
    HW_CHECK(soft::parse_schedule(options.schedule));
    set("HIPWRIGHT_SOFT_SCHEDULE", options.schedule);
  }
  if (options.threads) set("HIPWRIGHT_SOFT_THREADS", std::to_string(*options.threads));
  if (options.step_limit) set("HIPWRIGHT_SOFT_STEP_LIMIT", std::to_string(*options.step_limit));
  if (options.skips_kernels) set("HIPWRIGHT_SOFT_KERNELS", "none");
  return command;
}

// The program may run for hours before the report is written.
Status can_write(const std::string& report) {
  const fs::path folder = fs::absolute(report).parent_path();
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return fail("cannot write the report", report, std::strerror(errno));
}

int run_program(const Options& options) {
  if (!options.report.empty() && !options.report.ends_with(".json") &&
      !options.report.ends_with(".html"))
    return report({"cannot write the report", options.report, "its name says no format",
                   "Call it something.json or something.html."});
  if (!options.report.empty())
    if (const auto writable = can_write(options.report); !writable) return report(writable.error());
  const auto command = plan(options);
  if (!command) return report(command.error());
  // One that is there would be taken for another process's.
  std::error_code ignored;
  if (!options.report.empty()) fs::remove(options.report, ignored);
  return report(replace_process(*command));
}

const Command::Registration registration({
    .name = "run",
    .summary = "Run a HIP program on a software AMD GPU",
    .define =
        [](CLI::App& app) {
          auto options = std::make_shared<Options>();
          app.add_option(
                 "--device", options->device,
                 "soft:TARGET, for example soft:gfx1100; several devices: soft:gfx942,gfx1100")
              ->capture_default_str();
          app.add_flag("--check{all}", options->check,
                       "Look for what hardware does not tell; exit status 99 when only that fails. "
                       "--check=races,waits: these alone; --check=-races: all but that");
          app.add_option("--report", options->report,
                         "Write counters and fidelity to FILE.json|html");
          app.add_option("--schedule", options->schedule,
                         "parallel, deterministic or random:SEED (default: parallel)");
          app.add_option("--threads", options->threads, "Host threads (default: all cores)");
          app.add_option("--step-limit", options->step_limit,
                         "Stop a kernel when a wave has run that many instructions");
          app.add_flag("--no-kernels", options->skips_kernels,
                       "Launches succeed and do nothing: shows what does not depend on kernels");
          app.add_option("program", options->program, "The program and its arguments, after --")
              ->required();
          app.positionals_at_end();
          return [options] { return run_program(*options); };
        },
});

}  // namespace

}  // namespace hipwright::cli
