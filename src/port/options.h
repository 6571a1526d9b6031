// SPDX-License-Identifier: MIT
// Options of a port.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "port/api/api.h"
#include "project/rules.h"

namespace hipwright::port {

// kHip: the files become HIP. kDual: the same files build for both platforms, and NVIDIA's compiler
// sees them unchanged, token by token.
enum class Mode { kHip, kDual };

// The meaning of a warp on a GPU with 64-lane waves. kHalf: always half a wave, 32 lanes, which is
// correct for every program. kNative: a whole wave if every use of its size is understood,
// otherwise half a wave.
enum class Warp { kNative, kHalf };

// kHipify: the conventions of hipify-clang (style.h), for comparison with its output.
enum class Style { kHipwright, kHipify };

// kernel<<<…>>>(…), or hipLaunchKernelGGL(kernel, …).
enum class LaunchSyntax { kCuda, kHip };

// Provides what HIP lacks, as a header of the ported tree (sdk/compat/compat.h).
constexpr std::string_view kCompatName = "hip_compat.h";
// Implements PTX instructions (sdk/compat/ptx.h); includes the former.
constexpr std::string_view kPtxName = "hip_ptx.h";

struct Options {
  std::filesystem::path path;  // a repository, a folder of it, or one file
  Mode mode = Mode::kDual;
  Warp warp = Warp::kHalf;
  Style style = Style::kHipwright;  // kHipify and kHip require Mode::kHip
  LaunchSyntax launches = LaunchSyntax::kCuda;
  api::HipVersion hip = {6, 4};
  std::vector<std::string> ignore;  // patterns as in .gitignore
  project::Rules rules;             // of the project itself; its `ignore` counts, too
  std::optional<ProgressOutput> progress = std::nullopt;
};

}  // namespace hipwright::port
