// SPDX-License-Identifier: MIT
// What was checked, where, and with which result. What could not run is never a pass.
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

// The compiler and the device: every verdict names them.
struct Setting {
  std::string device;  // "soft:gfx942", "NVIDIA H200"; empty: nothing ran
  // "hip" and "cuda" are hardware.
  bool is_hardware() const { return kind == "hip" || kind == "cuda"; }
  std::string compiler;   // with its version and that of the device libraries
  std::string kind = {};  // "soft", "hip", "cuda", "reference"
};

struct Check {
  Level level = Level::kStatic;
  std::string subject;  // "reduce.cu", "kernel block_sum", "program histogram --size 1000"
  std::string
      question;  // "no CUDA headers remain", "compiles for gfx942", "wave32 and wave64 agree"
  Verdict verdict = Verdict::kNotChecked;
  std::string evidence;  // one paragraph; for kNotChecked: why, and what to do
  Setting setting;
  std::vector<Diagnostic> diagnostics;  // where in the sources
  std::string picture;                  // PNG, of numerical failures
  double seconds = 0;
  bool is_declined = false;  // not checked because the options do not ask for it
};

struct Pyramid {
  std::string subject;  // the repository or file
  std::vector<Check> checks;
};

struct Counts {
  std::size_t all = 0, pass = 0, fail = 0, open = 0;
};
Counts counts_of(const Pyramid& pyramid, Level level);

// Fails if any check fails; passes if at least one passes and none is unchecked; otherwise not
// checked.
Verdict verdict_of(const Pyramid& pyramid, Level level);

// Every level from `first` to `last` has a check that was made, and only declined ones are open.
bool is_checked(const Pyramid& pyramid, Level first, Level last);

// Adds a "not checked" check with the reason to a level that has none.
void add_missing(Pyramid& pyramid, Level level, std::string why);

}  // namespace hipwright::verify
