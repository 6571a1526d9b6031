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
  std::string processor;  // "gfx942" or "gfx9-4-generic"
  // Of the processor; of a generic target: its first known member, which can do more than the
  // group (gfx9-4-generic has no fp8, gfx942 has). Never null in a parsed target.
  const ArchInfo* info = nullptr;
  std::optional<bool> sramecc, xnack;

  bool is_generic() const { return processor.ends_with("-generic"); }
  bool supports_sramecc() const;
  bool supports_xnack() const;
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
// "RX 7900 XTX, gfx942"). No duplicates in the result. An empty list is an error.
Result<std::vector<Target>> parse_target_names(std::string_view text);

// The same, for targets of one build: one processor both with a feature and without it is an
// error too, because HIP cannot load such a build.
Result<std::vector<Target>> parse_targets(std::string_view text);

// The members of a generic target that the table knows ("gfx9-4-generic": gfx942, …); of another
// target: itself.
std::vector<const ArchInfo*> members(const Target& target);

// How well code for `code` fits `device`: 2 its own target, 1 a generic one that it belongs to,
// 0 the device cannot run it. A feature that one of the two leaves open fits.
int fitness(const Target& code, const Target& device);

}  // namespace hipwright::arch
