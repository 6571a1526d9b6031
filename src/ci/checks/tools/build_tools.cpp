// SPDX-License-Identifier: MIT
// Programs that builds need, with their least versions.
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

struct Tool {
  const char* name;
  std::vector<unsigned> least;
  const char* linux_fix;
  const char* windows_fix;
};

const Tool kTools[] = {
    {"git", {}, "sudo apt-get install git", "winget install --id Git.Git"},
    {"cmake",
     {3, 26},
     "pip install 'cmake>=3.26', or Kitware's apt repository",
     "winget install --id Kitware.CMake"},
    {"ninja", {}, "sudo apt-get install ninja-build", "winget install --id Ninja-build.Ninja"},
    {"python3",
     {3, 10},
     "sudo apt-get install python3 python3-venv (Ubuntu 22.04 or newer)",
     "winget install --id Python.Python.3.12"},
};

void check_tool(Checkup& c, const Tool& tool) {
  const std::string fix = c.facts.os == "windows" ? tool.windows_fix : tool.linux_fix;
  const std::string least = fmt::format("{}", fmt::join(tool.least, "."));
  const auto at = c.facts.programs.find(tool.name);
  if (at == c.facts.programs.end())
    return c.need(fmt::format("{}{} is not installed", tool.name,
                              least.empty() ? "" : " " + least + " or newer"),
                  fix);
  const std::vector<unsigned> version = version_numbers(at->second.version);
  if (!tool.least.empty() && version.empty())
    return c.unknown(fmt::format("{} does not say its version", at->second.path),
                     fmt::format("Check that it is {} or newer", least));
  if (version < tool.least)
    return c.need(fmt::format("{} {} is older than {}", tool.name, at->second.version, least), fix);
  c.pass(fmt::format("{} {}", tool.name, at->second.version));
}

void run(Checkup& c) {
  for (const Tool& tool : kTools) check_tool(c, tool);
}

}  // namespace

Check build_tools() {
  return {.name = "build-tools", .title = "Build tools", .run = run};
}

}  // namespace hipwright::ci::checks
