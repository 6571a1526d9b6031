// SPDX-License-Identifier: MIT
#include "toolchain/sdk.h"
#include "cli/command.h"

namespace hipwright::cli {

namespace {

using namespace toolchain;

Result<std::filesystem::path> own_prefix() {
  HW_TRY(const Clang clang, find_clang());
  HW_TRY(const auto device_libs, find_device_libs());
  HW_TRY(const Sdk sdk, prepare_sdk(clang, device_libs));
  HW_CHECK(link_tool(sdk, std::filesystem::read_symlink("/proc/self/exe")));
  return sdk.prefix;
}

const Command::Registration kCommand({
    .name = "sdk",
    .summary = "The SDK for machines without ROCm: a folder shaped like /opt/rocm",
    .define = [](CLI::App& app) -> std::function<int()> {
      app.require_subcommand(1);
      app.add_subcommand("path",
                         "Make the SDK if needed and print its folder (use it as ROCM_PATH)");
      return [] {
        const auto prefix = own_prefix();
        if (!prefix) return report(prefix.error());
        print(prefix->string() + "\n");
        return kOk;
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
