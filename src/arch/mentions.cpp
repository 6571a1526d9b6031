// SPDX-License-Identifier: MIT
#include "arch/mentions.h"

#include "base/words.h"

namespace hipwright::arch {

bool mentions_wave32(std::string_view text) {
  return has_any(text, {"gfx1", "GFX1"});
}
bool mentions_wave64(std::string_view text) {
  return has_any(text, {"gfx9", "GFX9", "gfx8", "__GFX8"});
}
bool mentions_target_macro(std::string_view text) {
  return has_any(text, {"__gfx", "__GFX"});
}
bool mentions_cdna_fp8(std::string_view text) {
  return contains_word(text, "gfx94") || contains_word(text, "gfx95");
}
bool mentions_ocp_fp8(std::string_view text) {
  return mentions_cdna_ocp_fp8(text) || contains_word(text, "gfx12");
}
bool mentions_cdna_ocp_fp8(std::string_view text) {
  return contains_word(text, "gfx95") || contains_word(text, "mi35");  // MI350X, MI355X
}

}  // namespace hipwright::arch
