// SPDX-License-Identifier: MIT
// Is the management library there, and does it answer? Asked before a long run begins.
#include <nvml.h>

#include <cstdio>

int main() {
  const nvmlReturn_t status = nvmlInit_v2();
  if (status != NVML_SUCCESS) {
    std::puts("health: FAIL, no management library");
    return 1;
  }
  const bool is_right = nvmlShutdown() == NVML_SUCCESS;
  std::puts(is_right ? "health: PASS" : "health: FAIL");
  return is_right ? 0 : 1;
}
