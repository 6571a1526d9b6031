// SPDX-License-Identifier: MIT
// The version of the AMD display driver, which carries the HIP runtime.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.windows) return c.unknown("no Windows facts", "Run the probe on Windows");
  const WindowsFacts& windows = *c.facts.windows;
  if (windows.display_adapters.empty())
    return c.need("no AMD display adapter",
                  "Check Device Manager; install AMD Software: PRO Edition");
  for (std::size_t i = 0; i < windows.display_adapters.size(); ++i) {
    const std::string version =
        i < windows.driver_versions.size() ? windows.driver_versions[i] : std::string();
    const auto numbers = version_numbers(version);
    if (numbers.empty())
      c.unknown(windows.display_adapters[i] + ": no driver version", "Check Device Manager");
    else if (numbers.front() < 32)
      c.warn(fmt::format("{}: driver {} is of 2024 or older", windows.display_adapters[i], version),
             "Install the newest AMD Software: PRO Edition");
    else
      c.pass(fmt::format("{}: driver {}", windows.display_adapters[i], version));
  }
}

}  // namespace

Check display_driver() {
  return {.name = "display-driver", .title = "Display driver", .os = "windows", .run = run};
}

}  // namespace hipwright::ci::checks
