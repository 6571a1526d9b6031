// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "base/json.h"
#include "base/process.h"
#include "cli/command.h"
#include "toolchain/code_object/inspect.h"
#include "toolchain/compile/precompiled_wrapper.h"
#include "toolchain/driver.h"
#include "toolchain/library_hints.h"
#include "toolchain/library_table.h"
#include "toolchain/sync_notes.h"

namespace hipwright::cli {

namespace {

using namespace toolchain;

// What the SDK's hip_version.h says.
std::string hip_version(const Release& release) {
  return fmt::format("{}.{}-hipwright", release.name, release.hip_patch);
}

Result<DriverPlan> plan(const DriverRequest& request) {
  if (request.sdk != SdkChoice::kOwn) {
    if (const auto rocm = find_rocm()) return plan_rocm(request, *rocm);
    if (request.sdk == SdkChoice::kRocm)
      return fail("cannot compile with ROCm", "--sdk rocm", "ROCm is not installed",
                  "Set ROCM_PATH, or use --sdk own.");
  }
  const bool brings_host_files =
      std::ranges::any_of(request.arguments, [](const std::string& word) {
        return word.starts_with("--sysroot") || word.starts_with("--gcc-") ||
               word.starts_with("-nostdinc") || word == "--version" || word == "--help";
      });
  HW_TRY(const Clang clang, brings_host_files ? find_clang() : find_hip_compiler());
  HW_TRY(const auto device_libs, find_device_libs());
  HW_TRY(const Sdk sdk, prepare_sdk(clang, device_libs));
  if (sdk.warning) warn("the SDK is not in the user cache: " + sdk.warning->message());
  HW_TRY(const auto archs, default_archs());
  HW_TRY(DriverPlan planned, plan_own(request, {clang, sdk, archs}));
  for (std::string& each : library_hints(request, sdk)) planned.notes.push_back(std::move(each));
  use_precompiled_wrapper(planned, sdk, Precompile::kOnSecondUse);
  use_sync_notes(planned, clang);
  return planned;
}

Status print_resources(ResourceReport form, const std::vector<std::filesystem::path>& outputs) {
  Json files = Json::array();
  for (const std::filesystem::path& output : outputs) {
    HW_TRY(const Inspection inspection, inspect_file(output));
    for (const InspectedImage& image : inspection.images)
      if (image.error) return std::unexpected(*image.error);
    if (form == ResourceReport::kJson)
      files.push_back(inspection_json(inspection));
    else
      print(inspection_text(inspection, globals().colour_out));
  }
  if (form == ResourceReport::kJson) print(json_text({{"files", std::move(files)}}));
  return {};
}

int run_cc(std::vector<std::string> words) {
  if (words.empty())
    return report({"cannot compile", "", "no input files", "See: hipwright cc --help"});
  for (std::string& word : words)
    if (word == "--help-clang") word = "--help";
  const auto request = parse_driver_words(words);
  if (!request) return report(request.error());
  const auto release = chosen_release(request->rocm);
  if (!release) return report(release.error());
  if (auto chosen = choose_release(request->rocm); !chosen) return report(chosen.error());
  const auto planned = plan(*request);
  if (!planned) return report(planned.error());
  for (const std::string& each : planned->notes) note("note: " + each);
  if (request->wants_version && request->driver == Driver::kHipcc) {
    print(fmt::format("HIP version: {}\n", hip_version(**release)));
    std::fflush(stdout);
  }

  if (request->resources == ResourceReport::kNone)
    return report(replace_process({.argv = planned->argv}));
  if (planned->outputs.empty())
    return report({"cannot report resources", "--resources",
                   "this compilation writes no code object",
                   "Name one with -o, and omit -E and -fsyntax-only."});
  const auto finished = run({.argv = planned->argv});
  if (!finished) return report(finished.error());
  print(finished->out);
  std::fputs(finished->err.c_str(), stderr);
  if (!finished->ok()) return finished->exit_code;
  if (auto printed = print_resources(request->resources, planned->outputs); !printed)
    return report(printed.error());
  return kOk;
}

// For the help only: parse_driver_words() reads them.
std::function<int()> declare(App app) {
  app.add_option("ARGUMENT", "Arguments for clang; .hip, .cu, .cpp, .cc and .cxx files are HIP")
      .expected(-1)
      .type_name("FILE");
  app.add_option("--arch", "Targets to compile for: gfx942,gfx1100 or MI300X").type_name("TARGETS");
  app.add_option("--sdk", "Use hipwright's SDK or an installed ROCm (default: ROCm if installed)")
      .type_name("SDK")
      .one_of({"own", "rocm"});
  app.add_option("--rocm", "ROCm release that hipwright's SDK declares (default: 6.4)")
      .type_name("RELEASE");
  app.add_flag("--resources")
      .description("Print registers, spills, LDS and occupancy of each kernel")
      .option_text("[=json]");
  app.add_flag("--help-clang").description("Print the help of clang");
  return [] { return kOk; };
}

const Command::Registration kCommand({
    .name = "cc",
    .summary = "Compile HIP for AMD GPUs (drop-in replacement for hipcc)",
    .define = declare,
    .run_raw = run_cc,
    .exit_codes = "Otherwise the exit code of clang",
});

}  // namespace

}  // namespace hipwright::cli
