// SPDX-License-Identifier: MIT
// Windows 11 22H2 or newer.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.windows || !c.facts.windows->build)
    return c.unknown("the build of Windows is not known", "winver");
  const WindowsFacts& windows = *c.facts.windows;
  if (*windows.build < 22621)
    return c.need(fmt::format("{} build {} is older than Windows 11 22H2 (22621)", windows.edition,
                              *windows.build),
                  "Settings > Windows Update");
  c.pass(fmt::format("{} build {}", windows.edition, *windows.build));
}

}  // namespace

Check windows_release() {
  return {.name = "windows-release", .title = "Windows release", .os = "windows", .run = run};
}

}  // namespace hipwright::ci::checks
