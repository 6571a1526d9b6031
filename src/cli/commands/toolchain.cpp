// SPDX-License-Identifier: MIT
#include <memory>

#include "base/json.h"
#include "cli/command.h"
#include "toolchain/probe.h"

namespace hipwright::cli {

namespace {

const Command::Registration kCommand({
    .name = "toolchain",
    .summary = "List the GPU compilers on this machine",
    .define = [](App app) -> std::function<int()> {
      auto json = std::make_shared<bool>(false);
      auto gpus = std::make_shared<bool>(false);
      app.add_flag("--json", *json, "Print JSON");
      app.add_flag("--gpus", *gpus, "Print only the gfx names of the AMD GPUs, one per line");
      return [json, gpus] {
        if (*gpus) {
          for (const std::string& gpu : toolchain::local_gpus()) print(gpu + "\n");
          return kOk;
        }
        const toolchain::Toolchain found = toolchain::probe_toolchain();
        print(*json ? json_text(toolchain::toolchain_json(found))
                    : toolchain::toolchain_text(found, globals().colour_out));
        for (const Error& failure : found.failures) report(failure);
        return found.failures.empty() ? kOk : kUsage;
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
