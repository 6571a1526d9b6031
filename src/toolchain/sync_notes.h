// SPDX-License-Identifier: MIT
// The compiler plugin that keeps which accesses are atomic (src/soft/notes), for the checks of the
// software GPU. It changes no instruction.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "toolchain/driver.h"
#include "toolchain/probe.h"

namespace hipwright::toolchain {

// Empty where the plugin is missing, or where this clang does not use the LLVM that it was built
// for: the checks then judge by the instructions alone.
std::filesystem::path sync_notes_plugin(const Clang& clang);

// Arguments for a HIP compilation; none without the plugin.
std::vector<std::string> sync_note_arguments(const Clang& clang);
// Adds them to a planned call that compiles HIP.
void use_sync_notes(DriverPlan& plan, const Clang& clang);

}  // namespace hipwright::toolchain
