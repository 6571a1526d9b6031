// SPDX-License-Identifier: MIT
// The fingerprint of a machine: facts that decide how long a program runs.
#pragma once

#include <filesystem>

#include "perf/record/record.h"

namespace hipwright::perf {

// From the files of the system below `root`, the environment and, on this machine ("/"), the
// versions of ROCm and of NVIDIA's driver.
Machine probe_machine(const std::filesystem::path& root = "/");

}  // namespace hipwright::perf
