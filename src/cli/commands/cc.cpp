// SPDX-License-Identifier: MIT
#include <cstdio>

#include "base/process.h"
#include "cli/command.h"
#include "toolchain/code_object/inspect.h"
#include "toolchain/driver.h"

namespace hipwright::cli {

namespace {

using namespace toolchain;

// What the SDK's hip_version.h says; the test e2e.sdk compares them.
#define HIPWRIGHT_HIP_VERSION "6.4.43482"

constexpr const char* kHelp =
    R"(hipwright cc [options] clang-arguments…: compiles and links HIP for AMD GPUs, ROCm or not.

Options of hipwright (everything else goes to clang):
  --arch LIST         targets: gfx names, target ids or products (gfx942,gfx1100 or "MI300X")
  --sdk own|rocm      hipwright's SDK, or an installed ROCm (default: ROCm when there is one)
  --resources[=json]  afterwards print each kernel's registers, spills, LDS and occupancy

C++ sources (.hip .cu .cpp .cc .cxx) are compiled as HIP. Clang's own help: hipwright cc --help-clang
)";

Result<DriverPlan> plan(const DriverRequest& request) {
  if (request.sdk != SdkChoice::kOwn) {
    if (const auto rocm = find_rocm()) return plan_rocm(request, *rocm);
    if (request.sdk == SdkChoice::kRocm)
      return fail("cannot compile with ROCm", "--sdk rocm", "no ROCm is installed",
                  "Set ROCM_PATH, or use --sdk own.");
  }
  HW_TRY(const Clang clang, find_clang());
  HW_TRY(const auto device_libs, find_device_libs());
  HW_TRY(const Sdk sdk, prepare_sdk(clang, device_libs));
  if (sdk.warning) warn("the SDK is not in the user's cache: " + sdk.warning->message());
  HW_TRY(const auto archs, default_archs());
  return plan_own(request, {clang, sdk, archs});
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
  if (words.empty() || words == std::vector<std::string>{"--help"} ||
      words == std::vector<std::string>{"-h"}) {
    print(kHelp);
    return words.empty() ? kUsage : kOk;
  }
  for (std::string& word : words)
    if (word == "--help-clang") word = "--help";
  const auto request = parse_driver_words(words);
  if (!request) return report(request.error());
  const auto planned = plan(*request);
  if (!planned) return report(planned.error());
  if (!globals().quiet)
    for (const std::string& note : planned->notes)
      std::fprintf(stderr, "hipwright: note: %s\n", note.c_str());
  if (request->wants_version && request->driver == Driver::kHipcc) {
    print("HIP version: " HIPWRIGHT_HIP_VERSION "\n");
    std::fflush(stdout);
  }

  if (request->resources == ResourceReport::kNone)
    return report(replace_process({.argv = planned->argv}));
  if (planned->outputs.empty())
    return report({"cannot report resources", "--resources",
                   "this call leaves no code object to read",
                   "Name one with -o, and give neither -E nor -fsyntax-only."});
  const auto finished = run({.argv = planned->argv});
  if (!finished) return report(finished.error());
  print(finished->out);
  std::fputs(finished->err.c_str(), stderr);
  if (!finished->ok()) return finished->exit_code;
  if (auto printed = print_resources(request->resources, planned->outputs); !printed)
    return report(printed.error());
  return kOk;
}

const Command::Registration kCommand({
    .name = "cc",
    .summary = "Compile HIP for AMD GPUs, with or without ROCm (drop-in for hipcc and clang++)",
    .define = nullptr,
    .run_raw = run_cc,
});

}  // namespace

}  // namespace hipwright::cli
