// SPDX-License-Identifier: MIT
#include "cli/ci.h"

namespace hipwright::cli {

namespace {

const Command::Registration kCommand({
    .name = "ci",
    .summary = "Set up and check CI for ROCm",
    .define = [](App app) -> std::function<int()> {
      app.require_subcommand();
      const std::vector<CiPart> parts = {define_ci_init(app),  define_ci_update(app),
                                         define_ci_check(app), define_ci_explain_log(app),
                                         define_ci_run(app),   define_ci_wheel_check(app),
                                         define_ci_arches(app)};
      return [parts] {
        for (const CiPart& part : parts)
          if (part.app.parsed()) return part.run();
        bug("a subcommand without a part", __FILE__, __LINE__);
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
