// SPDX-License-Identifier: MIT
// Lists of gfx names in sources and build files: the generations they contain, and those they lack.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::arch {

// Targets that code cannot distinguish: a list with two of them means all.
constexpr std::array kGfxFamilies = {
    std::array<std::string_view, 4>{"1100", "1101", "1102", "1103"},
    std::array<std::string_view, 4>{"1150", "1151", "1152", "1153"},
};

struct GfxNames {
  std::array<bool, 6> cdna{}, rdna{};  // by generation
  std::array<std::array<bool, 4>, kGfxFamilies.size()> family{};
  std::array<bool, 2> rdna4{};  // gfx1200, gfx1201
  bool has_gfx1250 = false;

  void add(std::string_view name);  // "gfx942"

  // The targets that follow those of the list; empty if it is complete or has another purpose. A
  // single generation is taken as intended, unless the list claims to be complete.
  std::string missing(bool says_all = false) const;
  // Members missing from a family of which the list has two others.
  std::string missing_siblings() const;
  // The current targets that a build for this list lacks; empty if it has some.
  std::string missing_in_build() const;
  // Of the targets that compute with OCP fp8, those missing from a list with at least one of them.
  std::string missing_with_ocp_fp8() const;
  // Two generations with MFMA, and none of their successors.
  bool ends_at_cdna2() const { return cdna[1] && cdna[2] && !cdna[3] && !cdna[4]; }
};

// A letter, a digit or '_'.
bool is_gfx_letter(char c);
// The names in a text that consists of names only: "gfx90a;gfx942:xnack-", "gfx90a|gfx942".
std::vector<std::string_view> only_gfx_names(std::string_view text);

}  // namespace hipwright::arch
