// SPDX-License-Identifier: MIT
// Visual Studio 2022 (or its Build Tools) with the C++ workload.
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.windows || !c.facts.windows->visual_cpp)
    return c.unknown("vswhere gave no answer", "Run the probe on Windows");
  if (*c.facts.windows->visual_cpp) return c.pass(c.facts.windows->visual_studio);
  c.need("Visual Studio 2022 with the C++ tools is not installed",
         "winget install --id Microsoft.VisualStudio.2022.BuildTools --override \"--add "
         "Microsoft.VisualStudio.Workload.VCTools --includeRecommended --quiet --wait\"");
}

}  // namespace

Check visual_studio() {
  return {.name = "visual-studio", .title = "Visual Studio C++ tools", .os = "windows", .run = run};
}

}  // namespace hipwright::ci::checks
