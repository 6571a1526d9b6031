// SPDX-License-Identifier: MIT
// What was checked, where, and what came of it. What could not run is never a pass.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace hipwright::verify {

enum class Level { kStatic, kBuild, kFunctional, kNumerical };
enum class Verdict { kPass, kFail, kNotChecked };

std::string_view to_string(Level level);      // "static"
std::string_view to_string(Verdict verdict);  // "pass", "fail", "not checked"

// Who made the code and who ran it: every verdict names them.
struct Setting {
  std::string device;  // "soft:gfx942", "NVIDIA H200"; empty: nothing ran
  // What kind of device that is: "hip" and "cuda" are hardware.
  bool is_hardware() const { return kind == "hip" || kind == "cuda"; }
  std::string compiler;   // with its version and that of the device libraries
  std::string kind = {};  // "soft", "hip", "cuda", "reference"
};

struct Check {
  Level level = Level::kStatic;
  std::string subject;  // "reduce.cu", "kernel block_sum", "program histogram --size 1000"
  std::string
      question;  // "no CUDA header is left", "compiles for gfx942", "wave32 and wave64 agree"
  Verdict verdict = Verdict::kNotChecked;
  std::string evidence;  // what was seen, one paragraph; of kNotChecked: why, and what to do
  Setting setting;
  std::vector<Diagnostic> diagnostics;  // where in the sources
  std::string picture;                  // PNG, of numerical failures
  double seconds = 0;
};

struct Pyramid {
  std::string subject;  // the repository or file
  std::vector<Check> checks;
};

struct Counts {
  std::size_t all = 0, pass = 0, fail = 0, open = 0;
};
Counts counts_of(const Pyramid& pyramid, Level level);

// Fails when one fails; passes when at least one passes and none is unchecked; else not checked.
Verdict verdict_of(const Pyramid& pyramid, Level level);

// A level that nothing was asked of is not checked, and says why.
void add_missing(Pyramid& pyramid, Level level, std::string why);

}  // namespace hipwright::verify
