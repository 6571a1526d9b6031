// SPDX-License-Identifier: MIT
// What this machine has for compiling GPU code: probed once into a value, decided from afterwards.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace hipwright::toolchain {

// The one compiler version whose HIP recipe is known to work; see docs/toolchain.md.
constexpr int kClangMajor = 22;

struct Clang {
  std::filesystem::path cxx;           // clang++
  std::string version;                 // "22.1.8"
  std::filesystem::path resource_dir;  // its built-in headers are in include/ below it

  // The same installation's tool: llvm-as, ld.lld, clang-offload-bundler, …
  std::filesystem::path tool(std::string_view name) const;
};

struct Rocm {
  std::filesystem::path prefix;
  std::string version;  // "6.4.1", or empty when the installation does not say
};

// A library or program that was found, with the version it reports (may be empty).
struct Found {
  std::filesystem::path path;
  std::string version;
};

struct Missing {
  std::string what;    // "clang 22"
  std::string needed;  // "compiling HIP"
  std::string how;     // "apt-get install clang-22"
};

struct Toolchain {
  std::optional<Clang> clang;
  std::optional<std::filesystem::path> device_libs;  // folder with ocml.bc and ockl.bc
  std::optional<Rocm> rocm;
  std::optional<Found> hiprtc, nvcc, nvrtc;
  std::vector<std::string> gpus;  // gfx names of the AMD GPUs of this machine
  std::vector<Missing> missing;
};

// Looks at $HIPWRIGHT_CLANG, $ROCM_PATH, $CUDA_PATH, PATH and the usual places.
Toolchain probe_toolchain();

// The parts of it that `hipwright cc` needs at every call: no program is started.
// Errors say which package to install.
Result<Clang> find_clang();
Result<std::filesystem::path> find_device_libs();
std::optional<Rocm> find_rocm();
std::optional<std::filesystem::path> find_nvcc();

// gfx names from the kernel driver's topology folder (one `properties` file per node).
std::vector<std::string> gpus_in_topology(const std::filesystem::path& nodes);
std::vector<std::string> local_gpus();

// Marks a prefix made by hipwright, so that it is never taken for a real ROCm.
constexpr std::string_view kSdkMarker = ".hipwright-sdk";

std::string toolchain_text(const Toolchain& toolchain, bool colour);
Json toolchain_json(const Toolchain& toolchain);

}  // namespace hipwright::toolchain
