// SPDX-License-Identifier: MIT

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "arch/processors.h"
#include "arch/target.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/command.h"
#include "soft/check/options.h"
#include "soft/decode/targets.h"
#include "soft/launch/schedule.h"
#include "toolchain/libraries/program_loader.h"
#include "toolchain/soft_library.h"

namespace fs = std::filesystem;

namespace hipwright::cli {

namespace {

struct Options {
  std::string device = fmt::format("soft:{}", arch::kDefaultTarget);
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
      "Use soft:TARGET, with TARGET one of " + soft::supported_targets_text() + ".";
  if (!device.starts_with("soft:")) return fail(what, device, "not a software GPU", targets);
  std::string list;
  for (std::size_t begin = 5; begin <= device.size();) {
    const std::size_t end = std::min(device.find(',', begin), device.size());
    HW_TRY(const auto target, arch::parse_target(device.substr(begin, end - begin)));
    if (!soft::is_supported(target))
      return fail(what, device, "the software GPU does not support this target", targets);
    list += (list.empty() ? "" : ",") + target.id();
    begin = end + 1;
  }
  return list;
}

std::string prepended(const std::string& first, const char* variable, char separator) {
  const char* rest = std::getenv(variable);
  return rest && *rest ? first + separator + rest : first;
}

Result<ProcessCommand> plan(const Options& options) {
  HW_TRY(const std::string targets, targets_of(options.device));
  HW_TRY(const fs::path folder, toolchain::find_soft_folder());
  if (folder.string().find_first_of(" :") != std::string::npos)
    return fail("cannot preload", folder.string(),
                "LD_PRELOAD cannot contain paths with spaces or colons",
                "Install hipwright in another directory.");
  const fs::path shims = folder / toolchain::kShimFolder;
  std::string preload;
  for (const char* shim : kShims) preload += (preload.empty() ? "" : ":") + (shims / shim).string();
  ProcessCommand command;
  command.argv = options.program;
  const std::string folders =
      prepended(shims.string() + ":" + folder.string(), "LD_LIBRARY_PATH", ':');
  const auto program = find_program(options.program.front());
  if (program)
    if (const auto prefix = toolchain::needs_own_loader(*program, toolchain::added_prefixes(),
                                                        toolchain::machine_glibc()))
      command.argv = toolchain::through_loader(*prefix, *program, options.program, folders);
  command.environment = {
      {"LD_PRELOAD", prepended(preload, "LD_PRELOAD", ':')},
      {"LD_LIBRARY_PATH", folders},
      {"HIPWRIGHT_SOFT_TARGET", targets},
      {"HIPWRIGHT_SOFT_STATUS", "1"},
  };
  const auto set = [&](const char* name, const std::string& value) {
    command.environment.emplace_back(name, value);
  };
  // What HIPRTC compiles with: the headers of the program's release.
  if (const auto release = program ? toolchain::release_of_program(*program) : std::string_view();
      !release.empty() && std::getenv("HIPWRIGHT_ROCM") == nullptr)
    set("HIPWRIGHT_ROCM", std::string(release));
  // hipwright's own runtime takes a software GPU only by name.
  if (const char* chosen = std::getenv("HIPWRIGHT_DEVICE"); chosen == nullptr || *chosen == '\0')
    set("HIPWRIGHT_DEVICE", "soft:" + targets);
  if (!options.check.empty()) {
    HW_CHECK(soft::parse_checks(options.check));
    set("HIPWRIGHT_SOFT_CHECK", options.check);
  }
  // The program may change its working directory.
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
Status check_report(const std::string& report) {
  if (report.empty()) return {};
  if (!report.ends_with(".json") && !report.ends_with(".html"))
    return fail("cannot write the report", report, "unknown format",
                "Use a file name that ends in .json or .html.");
  return can_write(report);
}

// A source instead of a program: the most likely next step is to compile it.
Status is_program(const std::string& program) {
  const fs::path path = program;
  const std::string suffix = path.extension().string();
  std::error_code ignored;
  if ((suffix != ".hip" && suffix != ".cu" && suffix != ".cpp") || !fs::exists(path, ignored))
    return {};
  return fail(
      "cannot run", program, "it is a source file, not a program",
      fmt::format("Compile it first: hipwright cc -o {} {}", path.stem().string(), program));
}

int run_program(const Options& options) {
  if (const Status program = is_program(options.program.front()); !program)
    return report(program.error());
  if (const Status writable = check_report(options.report); !writable)
    return report(writable.error());
  const auto command = plan(options);
  if (!command) return report(command.error());
  // An old report would be taken for that of another process.
  std::error_code ignored;
  if (!options.report.empty()) fs::remove(options.report, ignored);
  return report(replace_process(*command));
}

const Command::Registration registration({
    .name = "run",
    .summary = "Run a HIP program on the software GPU",
    .define =
        [](App app) {
          auto options = std::make_shared<Options>();
          app.add_option("--device", options->device,
                         "Device, for example soft:gfx1100; several: soft:gfx942,gfx1100")
              .type_name("DEVICE")
              .capture_default_str();
          app.add_flag("--check{all}", options->check,
                       "Check for errors that hardware does not report: races, missing waits, "
                       "out-of-bounds accesses. CHECKS selects some (races,waits) or all but some "
                       "(-races)")
              .option_text("[=CHECKS]");
          app.add_option("--report", options->report,
                         "Write counters and accuracy of results to FILE (.json or .html)")
              .type_name("FILE");
          app.add_option("--schedule", options->schedule,
                         "Order of waves: parallel, deterministic or random:SEED (default: "
                         "parallel)")
              .type_name("SCHEDULE");
          app.add_option("--threads", options->threads, "Host threads (default: all cores)")
              .type_name("N");
          app.add_option("--step-limit", options->step_limit,
                         "Stop a kernel after N instructions of one wave")
              .type_name("N")
              .range(0.0, 1e18);
          app.add_flag("--no-kernels", options->skips_kernels,
                       "Skip kernels: launches succeed and do nothing");
          app.add_option("PROGRAM", options->program, "Program and its arguments, after --")
              .type_name("FILE")
              .required();
          app.positionals_at_end();
          return [options] { return run_program(*options); };
        },
    .exit_codes = "Otherwise the exit code of the program; of a program that succeeded, 99 if "
                  "--check found errors, 98 if a kernel failed",
});

}  // namespace

}  // namespace hipwright::cli
