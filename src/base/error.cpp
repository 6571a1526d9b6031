// SPDX-License-Identifier: MIT
#include "base/error.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hipwright {

std::string Error::message() const {
  std::string text = what;
  if (!on.empty()) text += " '" + on + "'";
  if (!why.empty()) text += ": " + why;
  if (!fix.empty()) {
    if (text.back() != '.' && text.back() != '\n') text += '.';
    text += (text.back() == '\n' ? "" : " ") + fix;
  }
  return text;
}

std::string errno_text(int error_number) {
  char buffer[256];
  return strerror_r(error_number, buffer, sizeof buffer);
}

void bug(std::string_view what, const char* file, int line) {
  std::fprintf(stderr, "hipwright: internal error: %.*s at %s:%d\n", static_cast<int>(what.size()),
               what.data(), file, line);
  std::abort();
}

}  // namespace hipwright
