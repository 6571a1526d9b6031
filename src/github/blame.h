// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hipwright::github {

// Lines that one person wrote last.
struct BlameRange {
  std::string path, login;  // login is empty: unknown to GitHub
  unsigned first = 0, last = 0;
};

}  // namespace hipwright::github
