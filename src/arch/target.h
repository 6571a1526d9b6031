// SPDX-License-Identifier: MIT
// The only parser of gfx names. A Target is what code is compiled for: a processor or a generic
// group of processors, with the features sramecc and xnack on, off or unspecified.
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
  // Of the processor; for a generic target, of its first known member, which may support more than
  // the group (gfx942 has fp8, gfx9-4-generic does not). Never null in a parsed target.
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
// The error for an unknown name suggests the closest ones; an unsupported or duplicate feature is
// an error, too.
Result<Target> parse_target(std::string_view text);

// Targets separated by commas, semicolons or blanks (blanks inside marketing names are kept:
// "RX 7900 XTX, gfx942"). No duplicates in the result. An empty list is an error.
Result<std::vector<Target>> parse_target_names(std::string_view text);

// The same, for targets of one build: one processor both with a feature and without it is an
// error too, because HIP cannot load such a build.
Result<std::vector<Target>> parse_targets(std::string_view text);

// The known members of a generic target ("gfx9-4-generic": gfx942, …); any other target is its own
// only member.
std::vector<const ArchInfo*> members(const Target& target);

// How well code for `code` matches `device`: 2 for its own target, 1 for a generic target that
// includes it, 0 if the device cannot run it. An unspecified feature matches.
int fitness(const Target& code, const Target& device);

}  // namespace hipwright::arch
