// SPDX-License-Identifier: MIT
// The only parser of gfx names. A Target is what one compiles for: a processor, or a generic
// group of them, with the features sramecc and xnack on, off or left open.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/arch.h"
#include "base/error.h"

namespace hipwright::arch {

struct Target {
  std::string processor;          // "gfx942" or "gfx9-4-generic"
  const ArchInfo* info = nullptr; // of the processor; of a generic target: its first known member
  std::optional<bool> sramecc, xnack;

  bool is_generic() const { return processor.ends_with("-generic"); }
  // "gfx942:sramecc+:xnack-", features in that order, as the compiler spells target ids.
  std::string id() const;
  friend bool operator==(const Target&, const Target&) = default;
};

// Accepts "gfx942", "gfx942:sramecc+:xnack-" (features in any order), "gfx9-4-generic" and
// marketing names in any case ("MI300X", "AMD Instinct MI300X", "RX 7900 XTX", "Strix Halo").
// An unknown name is an error that offers the nearest ones; a feature that the target does not
// have, or that is given twice, is an error too.
Result<Target> parse_target(std::string_view text);

// Targets separated by commas, semicolons or blanks (blanks inside marketing names are kept:
// "RX 7900 XTX, gfx942"). No duplicates in the result. An empty list is an error, and so is
// one processor both plain and with features: HIP cannot load such a build.
Result<std::vector<Target>> parse_targets(std::string_view text);

// The members of a generic target that the table knows ("gfx9-4-generic": gfx942, …).
std::vector<const ArchInfo*> members(const Target& target);

}  // namespace hipwright::arch
