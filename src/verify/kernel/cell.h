// SPDX-License-Identifier: MIT
// One kernel, one device, one seed: the smallest thing that a sweep does. Each runs in a process of
// its own: a device that is lost takes nothing else with it, and the software GPU's checks and
// schedules are a process's.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/json.h"
#include "verify/kernel/spec.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

// The C++ function of the spec, on the CPU.
constexpr std::string_view kReference = "reference";

struct Cell {
  std::string label;   // of the spec
  std::string device;  // "soft:gfx942", "cuda", "hip:0", kReference
  std::uint64_t seed = 1;
  std::string schedule;  // of the software GPU: "", "deterministic", "random:7"

  std::string text() const;  // "saxpy on soft:gfx942, seed 2, random:7"
};

// How far it came.
enum class Stage {
  kBuild,
  kOtherTarget,  // the given code is for other GPUs
  kRun,
  kDone,
  kLost,      // the device
  kTimedOut,  // its process was ended
  kUnknown    // its process died and left nothing
};
std::string_view to_string(Stage stage);

struct CellResult {
  Stage stage = Stage::kBuild;
  bool is_whole = true;                // false: what the checks found is still to come
  std::string error;                   // why it came no further
  std::string device;                  // as it calls itself, with its architecture
  std::string driver;                  // of hardware, with the runtime's version
  std::string compiler;                // with the device libraries' version
  std::string made_with;               // compiler_of() its cell, on the machine that ran it
  std::optional<Resources> resources;  // of AMD's code
  unsigned wave_size = 0, block_size = 0;
  double seconds = 0;
  Json findings = Json::array();  // of the software GPU's checks
  std::map<std::string, Values> outputs;
  std::vector<std::string> also_written;  // buffers that are no outputs
};

// In this process, which is for this device from now on. An error is one of the request itself.
Result<CellResult> run_cell(const KernelSpec& spec, const Cell& cell);

// Whether a compiler for it is here; the error says what to install.
Status can_compile(std::string_view architecture);
// What made the code for an architecture on this machine: "clang 22.1.8, ocml.bc 1a2b3c4d, …".
std::string compiler_text(std::string_view architecture);
// The same for what runs a cell; empty for the reference, whose compiler is found when it runs.
std::string compiler_of(const Cell& cell);

}  // namespace hipwright::verify
