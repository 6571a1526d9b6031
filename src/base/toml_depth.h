// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/error.h"

namespace hipwright {

// Called before toml::parse(), everywhere: it limits the nesting of values, but not the length of
// dotted keys, and destroys the resulting tables recursively.
Status check_toml_depth(std::string_view text, std::string_view origin);

}  // namespace hipwright
