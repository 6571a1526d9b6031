// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "base/text_edit.h"
#include "lint/engine.h"
#include "lint/source.h"

namespace hipwright::lint {

// Stands for a reason that a person has yet to write: HW001 asks for it.
constexpr std::string_view kReasonToWrite = "TODO: why is this not a bug?";

// Adds a comment that suppresses the finding, or adds its code to one that is there. None: no
// comment can stand there (a line in the middle of a string).
std::optional<TextEdit> suppressing_edit(const Source& source, const Finding& finding,
                                         std::string_view reason = kReasonToWrite);

}  // namespace hipwright::lint
