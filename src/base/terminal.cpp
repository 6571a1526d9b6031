// SPDX-License-Identifier: MIT
#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"

namespace hipwright {

namespace {

const char* escape_code(Colour colour) {
  switch (colour) {
    case Colour::kRed:
      return "31;1";
    case Colour::kGreen:
      return "32;1";
    case Colour::kYellow:
      return "33;1";
    case Colour::kCyan:
      return "36;1";
    case Colour::kBold:
      return "1";
    case Colour::kDim:
      return "2";
  }
  bug("colour out of range", __FILE__, __LINE__);
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

std::string paint(std::string_view text, Colour colour, bool enabled) {
  if (!enabled) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", escape_code(colour), text);
}

bool is_terminal(int file_descriptor) {
  return isatty(file_descriptor) == 1;
}

bool wants_colour(int file_descriptor) {
  if (is_set("NO_COLOR")) return false;
  if (is_set("CLICOLOR_FORCE") && std::string_view(std::getenv("CLICOLOR_FORCE")) != "0")
    return true;
  const char* term = std::getenv("TERM");
  if (term != nullptr && std::string_view(term) == "dumb") return false;
  return is_terminal(file_descriptor);
}

int terminal_width(int file_descriptor) {
  winsize size{};
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace hipwright
