// SPDX-License-Identifier: MIT
#include "arch/mentions.h"

#include <algorithm>
#include <initializer_list>

#include "base/words.h"

namespace hipwright::arch {

namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

}  // namespace

bool mentions_wave32(std::string_view text) {
  return has_any(text, {"gfx1", "GFX1"});
}
bool mentions_wave64(std::string_view text) {
  return has_any(text, {"gfx9", "GFX9", "gfx8", "__GFX8"});
}
bool mentions_cdna_fp8(std::string_view text) {
  return contains_word(text, "gfx94") || contains_word(text, "gfx95");
}
bool mentions_ocp_fp8(std::string_view text) {
  return contains_word(text, "gfx95") || contains_word(text, "gfx12");
}

}  // namespace hipwright::arch
