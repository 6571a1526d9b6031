// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "base/text_edit.h"
#include "lint/engine.h"
#include "lint/source.h"

namespace hipwright::lint {

// Placeholder for the reason: HW001 reports it until it is replaced.
constexpr std::string_view kReasonToWrite = "TODO: why is this not a bug?";

// Adds a comment that suppresses the finding, or adds its code to an existing one. Empty if no
// comment fits there (a line inside a string).
std::optional<TextEdit> suppressing_edit(const Source& source, const Finding& finding,
                                         std::string_view reason = kReasonToWrite);

}  // namespace hipwright::lint
