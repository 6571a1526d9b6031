// SPDX-License-Identifier: MIT
// winget or Chocolatey: workflows pin Python and tool versions with them.
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.windows || (!c.facts.windows->winget && !c.facts.windows->choco))
    return c.unknown("winget and choco were not looked for", "Run the probe on Windows");
  const bool winget = c.facts.windows->winget.value_or(false);
  const bool choco = c.facts.windows->choco.value_or(false);
  if (winget || choco) return c.pass(winget ? "winget" : "choco");
  c.warn("neither winget nor choco is installed", "Install App Installer from the Microsoft Store");
}

}  // namespace

Check package_managers() {
  return {.name = "package-managers",
          .title = "Package managers",
          .os = "windows",
          .run = run,
          .only_runners = true};
}

}  // namespace hipwright::ci::checks
