// SPDX-License-Identifier: MIT
// What every HTML report embeds.
#pragma once

#include <string_view>

namespace hipwright {

extern const std::string_view kHtmlStyle;
extern const std::string_view kHtmlScript;

}  // namespace hipwright
