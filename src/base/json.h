// SPDX-License-Identifier: MIT
// What every command's --json output has in common.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_fwd.h"

namespace hipwright {

// Two-space indented, one final newline. Bytes that are not UTF-8 become U+FFFD, never an
// exception.
std::string json_text(const Json& value);

// Parses a JSON text; an error names `origin`, line and column.
Result<Json> parse_json(std::string_view text, const std::string& origin);

Json json_of(const Error& error);

}  // namespace hipwright
