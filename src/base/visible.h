// SPDX-License-Identifier: MIT
// Text of others (file names, source lines, output of programs) in what people read: control
// characters could move the cursor, hide text or answer a terminal's questions.
#pragma once

#include <string>
#include <string_view>

namespace hipwright {

// Control characters but line breaks and tabs as \x1b. With `keeps_colour`, what paint() writes
// stays (base/terminal.h).
std::string visible(std::string_view text, bool keeps_colour = false);

// As text of a Markdown document or table: no formatting, HTML or mentions. A line break becomes
// `line_break`.
std::string markdown_text(std::string_view text, std::string_view line_break = " ");

// A file name in a patch, quoted as git does it where it holds control characters, quotes or
// backslashes: "a/tab\there".
std::string patch_name(std::string_view path);

}  // namespace hipwright
