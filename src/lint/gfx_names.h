// SPDX-License-Identifier: MIT
// Lists of gfx names in sources and build files: which generations they have, and which not.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::lint {

// Targets that differ in nothing that code can see: who lists two means all.
constexpr std::array kGfxFamilies = {
    std::array<std::string_view, 4>{"1100", "1101", "1102", "1103"},
    std::array<std::string_view, 4>{"1150", "1151", "1152", "1153"},
};

struct GfxNames {
  std::array<bool, 6> cdna{}, rdna{};  // by generation
  std::array<std::array<bool, 4>, kGfxFamilies.size()> family{};
  bool has_gfx1250 = false;

  void add(std::string_view name);  // "gfx942"

  // The targets that come after those of the list; empty: it is complete, or means something else.
  // One generation alone is meant, but not by a list that says it has all.
  std::string missing(bool says_all = false) const;
  // Members that are missing beside two others of their family.
  std::string missing_siblings() const;
  // What a build for nothing else leaves out; empty: it has current targets.
  std::string missing_in_build() const;
  // Two generations with MFMA, and none of what came after.
  bool ends_at_cdna2() const { return cdna[1] && cdna[2] && !cdna[3] && !cdna[4]; }
};

// A letter, a digit or '_'.
bool is_gfx_letter(char c);
// The names of a text that holds nothing else: "gfx90a;gfx942:xnack-", "gfx90a|gfx942".
std::vector<std::string_view> only_gfx_names(std::string_view text);

}  // namespace hipwright::lint
