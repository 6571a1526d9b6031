// SPDX-License-Identifier: MIT
// The machine's tools for compiling GPU code: probed once into a value, which decisions use.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"

namespace hipwright::toolchain {

// The one compiler version whose HIP recipe is known to work; see docs/commands/toolchain.md.
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
  std::vector<Error> failures;  // programs that are there and do not run
};

// Searches $HIPWRIGHT_CLANG, the folders beside the tool, $ROCM_PATH, $CUDA_PATH, PATH and the
// usual folders.
Toolchain probe_toolchain();

// The parts of it that `hipwright cc` needs at every call: no program is started.
// Errors name the package to install.
Result<Clang> find_clang();
// The same where the host's headers are there, too: compiling HIP also compiles for the host.
Result<Clang> find_hip_compiler();
Result<std::filesystem::path> find_device_libs();
std::optional<Rocm> find_rocm();

// Headers and start files of the host's C++ compiler below `root`, which clang uses and does not
// bring; nothing when all are there.
std::optional<Missing> missing_host_files(const std::filesystem::path& root = "/");
std::optional<std::filesystem::path> find_nvcc();

// The characters behind the first `prefix` in `text`, as far as `belongs` says; empty without one.
std::string following(std::string_view text, std::string_view prefix, bool (*belongs)(char));

// The gfx name in a `properties` file of the kernel driver; empty for a CPU.
std::string gpu_of_node(std::string_view properties);
// gfx names from the kernel driver's topology folder (one `properties` file per node).
std::vector<std::string> gpus_in_topology(const std::filesystem::path& nodes);
std::vector<std::string> local_gpus();

// Marks a prefix created by hipwright, so that it is never mistaken for a real ROCm.
constexpr std::string_view kSdkMarker = ".hipwright-sdk";

// $ROCM_PATH; empty if it is not set or names the SDK, whose libraries are for linking only: a call
// of one of their functions ends the process.
std::filesystem::path rocm_path();

std::string toolchain_text(const Toolchain& toolchain, bool colour);
Json toolchain_json(const Toolchain& toolchain);

}  // namespace hipwright::toolchain
