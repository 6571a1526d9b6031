// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hipwright {

// "1 file", "3 files".
inline std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace hipwright
