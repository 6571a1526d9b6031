// SPDX-License-Identifier: MIT
// What the terminal can show: colour and width. Probed once, passed on as values.
#pragma once

#include <string>
#include <string_view>

namespace hipwright {

enum class Colour { kRed, kGreen, kYellow, kCyan, kBold, kDim };

// `text` in `colour`, or unchanged when `enabled` is false.
std::string paint(std::string_view text, Colour colour, bool enabled);

// Whether to colour output on a file descriptor: it is a terminal, NO_COLOR is unset or empty and
// TERM is not "dumb". CLICOLOR_FORCE (not "0") turns colour on without a terminal.
bool wants_colour(int file_descriptor);

bool is_terminal(int file_descriptor);
// Columns of the terminal, or 80 when it does not say.
int terminal_width(int file_descriptor);

}  // namespace hipwright
