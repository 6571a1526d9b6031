// SPDX-License-Identifier: MIT
// `hipwright cc` and the SDK's hipcc and amdclang++: translates the user's arguments to clang's.
// A pure function, so that every decision is testable without a compiler.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "toolchain/probe.h"
#include "toolchain/sdk.h"

namespace hipwright::toolchain {

enum class Driver {
  kHipcc,  // C++ and .cu sources are HIP; the runtime is linked (`hipwright cc` and hipcc)
  kClang,  // the language is what clang says; only the search paths are added (amdclang++)
};

enum class SdkChoice { kAuto, kOwn, kRocm };
enum class ResourceReport { kNone, kTable, kJson };

// hipwright's own arguments, and the rest for clang.
struct DriverRequest {
  Driver driver = Driver::kHipcc;
  bool c_compiler = false;     // clang rather than clang++
  bool wants_version = false;  // --version: hipcc prints HIP's version before clang's
  SdkChoice sdk = SdkChoice::kAuto;
  std::string rocm;  // the release that the SDK declares; empty: the usual one
  ResourceReport resources = ResourceReport::kNone;
  std::vector<std::string> archs;  // target ids from --arch, checked
  std::vector<std::string> arguments;
};

// --driver=, --arch, --sdk, --rocm, --resources[=json], and hipcc's own spellings. Everything else
// passes through in order. Response files (@file) are expanded.
Result<DriverRequest> parse_driver_words(const std::vector<std::string>& words);

// The environment; see default_archs.
struct DriverEnvironment {
  Clang clang;
  Sdk sdk;
  std::vector<std::string> default_archs;  // used when the user names none
};

struct DriverPlan {
  std::vector<std::string> argv;
  std::vector<std::string> notes;  // for standard error
  // Where the code objects end up; empty if the call produces none, or if clang chooses the name
  // (-E, -fsyntax-only, --version, device code without -o).
  std::vector<std::filesystem::path> outputs;
  // Where argv has `-include` and the name of clang's HIP runtime wrapper, if it does.
  std::optional<std::size_t> wrapper;
};

Result<DriverPlan> plan_own(const DriverRequest& request, const DriverEnvironment& environment);
// The same call through a real ROCm's hipcc or amdclang++.
DriverPlan plan_rocm(const DriverRequest& request, const Rocm& rocm);

// $HCC_AMDGPU_TARGET as hipcc reads it, or else the machine's GPUs; if empty, the plan falls back
// to gfx942 and adds a note.
Result<std::vector<std::string>> default_archs();

}  // namespace hipwright::toolchain
