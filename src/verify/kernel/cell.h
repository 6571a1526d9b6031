// SPDX-License-Identifier: MIT
// One kernel, one device, one seed: the unit of a sweep. Each runs in its own process, because a
// lost device must not affect others, and the software GPU's checks and schedule are set per
// process.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "verify/check_report.h"
#include "verify/kernel/spec.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

// The spec's C++ function, run on the CPU.
constexpr std::string_view kReference = "reference";

struct Cell {
  std::string label;   // of the spec
  std::string device;  // "soft:gfx942", "cuda", "hip:0", kReference
  std::uint64_t seed = 1;
  std::string schedule;  // of the software GPU: "", "deterministic", "random:7"

  std::string text() const;  // "saxpy on soft:gfx942, seed 2, random:7"
};

// How far a cell got.
enum class Stage {
  kBuild,
  kOtherTarget,  // the code object has no code for this GPU
  kRun,
  kDone,
  kLost,         // the device
  kTimedOut,     // its process was killed
  kUnsupported,  // by the software GPU: an instruction or a function
  kUnknown       // its process died without a result
};
std::string_view to_string(Stage stage);

struct CellResult {
  Stage stage = Stage::kBuild;
  bool is_whole = true;                // false: the findings of the checks are still missing
  std::string error;                   // why it stopped at this stage
  std::string device;                  // its own name, with the architecture
  std::string driver;                  // of hardware, with the runtime's version
  std::string compiler;                // with the device libraries' version
  std::string made_with;               // compiler_of() its cell, on the machine that ran it
  std::optional<Resources> resources;  // of AMD code objects
  unsigned wave_size = 0, block_size = 0;
  double seconds = 0;
  CheckFindings findings;  // of the software GPU's checks
  std::map<std::string, Values> outputs;
  std::vector<std::string> also_written;  // buffers that are not outputs
};

// Runs in this process, which is bound to this device from then on. An error concerns the request,
// not the kernel.
Result<CellResult> run_cell(const KernelSpec& spec, const Cell& cell);

// Whether a compiler is available; the error says what to install.
Status can_compile(std::string_view architecture);
// The compiler for an architecture on this machine: "clang 22.1.8, ocml.bc 1a2b3c4d, …".
std::string compiler_text(std::string_view architecture);
// The same for a cell; empty for the reference, whose compiler is found when it runs.
std::string compiler_of(const Cell& cell);

}  // namespace hipwright::verify
