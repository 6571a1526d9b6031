// SPDX-License-Identifier: MIT
// The HIP SDK and the runtime DLL of the display driver.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

constexpr const char* kSdk =
    "Install the HIP SDK: https://www.amd.com/en/developer/resources/rocm-hub/hip-sdk.html";

void run(Checkup& c) {
  if (!c.facts.windows) return c.unknown("no Windows facts", "Run the probe on Windows");
  const WindowsFacts& windows = *c.facts.windows;
  if (windows.hip_path.empty())
    c.need("HIP_PATH is not set", kSdk);
  else if (windows.hip_path_exists == false)
    c.need(fmt::format("HIP_PATH={} does not exist", windows.hip_path), kSdk);
  else
    c.pass("HIP_PATH=" + windows.hip_path);
  if (!windows.amdhip64_loads)
    c.unknown("amdhip64 was not loaded", "Run the probe on Windows");
  else if (!*windows.amdhip64_loads)
    c.need("amdhip64_*.dll does not load: " + windows.amdhip64_error,
           "Update AMD Software (it brings the DLL), then reboot");
  else
    c.pass("amdhip64 loads");
  if (!windows.hipinfo.exit_code)
    c.warn("hipInfo.exe was not found", "Add the HIP SDK's bin directory to PATH");
  else if (*windows.hipinfo.exit_code != 0)
    c.need("hipInfo.exe fails: " + windows.hipinfo.out.substr(0, windows.hipinfo.out.find('\n')),
           "Reboot; check that Device Manager lists the GPU without a warning");
  else
    c.pass("hipInfo.exe runs");
}

}  // namespace

Check hip_sdk() {
  return {.name = "hip-sdk", .title = "HIP SDK", .os = "windows", .run = run};
}

}  // namespace hipwright::ci::checks
