// SPDX-License-Identifier: MIT
// Long paths, and spaces in the directory that jobs check out to.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.windows) return c.unknown("no Windows facts", "Run the probe on Windows");
  const WindowsFacts& windows = *c.facts.windows;
  if (!windows.long_paths)
    c.unknown("the registry value LongPathsEnabled cannot be read", "Run the probe on Windows");
  else if (!*windows.long_paths)
    c.need("paths are limited to 260 characters (LongPathsEnabled is 0)",
           "New-ItemProperty -Path HKLM:\\SYSTEM\\CurrentControlSet\\Control\\FileSystem -Name "
           "LongPathsEnabled -Value 1 -PropertyType DWORD -Force; git config --system "
           "core.longpaths true");
  else
    c.pass("long paths are enabled");
  if (windows.workspace.find(' ') != std::string::npos)
    c.need(fmt::format("the workspace {} contains a space, which hipcc and CMake builds "
                       "mishandle",
                       windows.workspace),
           "Install the runner in a directory such as C:\\r");
  else if (windows.workspace.size() > 60)
    c.warn(fmt::format("the workspace {} is long", windows.workspace),
           "Install the runner in a directory such as C:\\r");
  else if (!windows.workspace.empty())
    c.pass("workspace " + windows.workspace);
}

}  // namespace

Check paths() {
  return {.name = "paths", .title = "Path length and spaces", .os = "windows", .run = run};
}

}  // namespace hipwright::ci::checks
