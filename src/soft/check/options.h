// SPDX-License-Identifier: MIT
// The checks and their names, in a header of their own: the tool lists them without linking them.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright::soft {

// What to look for. Addresses are always validated, whatever these say, to protect the host.
struct CheckOptions {
  bool registers = true;
  bool lanes = true;
  bool waits = true;
  bool races = true;
  bool barriers = true;
  bool bounds = true;
  bool alignment = true;
  bool formats = true;
  bool report = false;  // instruction counts, bytes, conflicts, fidelity
  // After an access outside memory the wave continues without the offending lanes.
  bool keep_going = true;
};

struct CheckName {
  std::string_view name;
  bool CheckOptions::*on;
};
inline constexpr std::array kChecks = {
    CheckName{"registers", &CheckOptions::registers},  // uninitialised values that reach something
    CheckName{"lanes", &CheckOptions::lanes},          // values taken from inactive lanes
    CheckName{"waits", &CheckOptions::waits},          // registers used before the wait for them
    CheckName{"races", &CheckOptions::races},          // in and across workgroups
    CheckName{"barriers", &CheckOptions::barriers},    // divergent, mismatched, stuck
    CheckName{"bounds", &CheckOptions::bounds},        // of buffers, LDS and scratch; after free
    CheckName{"alignment", &CheckOptions::alignment},
    CheckName{"formats", &CheckOptions::formats},  // 8-bit floats in another target's format
};

inline bool any_check(const CheckOptions& options) {
  return std::ranges::any_of(kChecks, [&](const CheckName& check) { return options.*check.on; });
}
inline CheckOptions every_check(bool on) {
  CheckOptions options;
  for (const CheckName& check : kChecks) options.*check.on = on;
  return options;
}

// "all"; names with commas between them; or names to leave out, each with a minus before it.
inline Result<CheckOptions> parse_checks(std::string_view text) {
  if (text == "all") return every_check(true);
  CheckOptions options = every_check(text.starts_with('-'));
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view name = text.substr(0, comma);
    const bool on = !name.starts_with('-');
    if (!on) name.remove_prefix(1);
    const auto found = std::ranges::find(kChecks, name, &CheckName::name);
    if (found == kChecks.end()) {
      std::string names;
      for (const CheckName& check : kChecks) names.append(", ").append(check.name);
      return fail("unknown check", std::string(name), "",
                  "Choose all" + names + "; -NAME leaves one out.");
    }
    options.*found->on = on;
    if (comma == std::string_view::npos) return options;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace hipwright::soft
