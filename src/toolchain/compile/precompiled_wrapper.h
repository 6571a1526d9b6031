// SPDX-License-Identifier: MIT
// clang's HIP runtime wrapper, which every HIP compilation reads before its source: as long as all
// of a small kernel. It is kept precompiled in the user's cache, for each set of options and each
// side of a compilation (the host, and every target), and used where that cannot change the result.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/driver.h"
#include "toolchain/sdk.h"

namespace hipwright::toolchain {

// What decides about the wrapper in a planned call of clang.
struct WrapperCall {
  std::vector<std::string> options;                // all but sources, outputs and directories
  std::vector<std::string> sides;                  // "host" and target ids
  std::vector<std::filesystem::path> directories;  // searched before the system's
};

// Nothing if the call does not read the wrapper, if it is asked for its dependencies or its
// preprocessed text, or if an option is not known to be harmless.
std::optional<WrapperCall> wrapper_call(const DriverPlan& plan);

// When to precompile: it takes as long as what it saves the next time.
enum class Precompile {
  kNow,          // more units with these options follow
  kOnSecondUse,  // somebody has compiled with these options before
};

// Makes the call read the precompiled wrapper. The plan is unchanged where that is not possible:
// then the compilation takes longer, and gives the same.
void use_precompiled_wrapper(DriverPlan& plan, const Sdk& sdk, Precompile when);

}  // namespace hipwright::toolchain
