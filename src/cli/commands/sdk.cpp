// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.h"
#include "toolchain/sdk.h"

namespace hipwright::cli {

namespace {

using namespace toolchain;

Result<std::filesystem::path> own_prefix() {
  HW_TRY(const Clang clang, find_clang());
  HW_TRY(const auto device_libs, find_device_libs());
  HW_TRY(const Sdk sdk, prepare_sdk(clang, device_libs));
  if (sdk.warning) warn("the SDK is not in the user cache: " + sdk.warning->message());
  HW_CHECK(link_tool(sdk, std::filesystem::read_symlink("/proc/self/exe")));
  return sdk.prefix;
}

Result<std::filesystem::path> chosen_prefix(const std::string& choice) {
  if (choice == "own") return own_prefix();
  if (const auto rocm = find_rocm()) return rocm->prefix;
  if (choice == "auto") return own_prefix();
  return fail("cannot locate ROCm", "--sdk rocm", "ROCm is not installed",
              "Set ROCM_PATH, or use --sdk own.");
}

const Command::Registration kCommand({
    .name = "sdk",
    .summary = "Locate a HIP SDK, creating one on machines without ROCm",
    .define = [](App app) -> std::function<int()> {
      app.require_subcommand();
      App path = app.add_subcommand(
          "path", "Print the directory to use as ROCM_PATH; create the SDK if needed");
      auto choice = std::make_shared<std::string>("auto");
      path.add_option("--sdk", *choice,
                      "own: hipwright's SDK, even if ROCm is installed; rocm: an installed ROCm")
          .type_name("SDK")
          .one_of({"auto", "own", "rocm"})
          .capture_default_str();
      return [choice] {
        const auto prefix = chosen_prefix(*choice);
        if (!prefix) return report(prefix.error());
        print(prefix->string() + "\n");
        return kOk;
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
