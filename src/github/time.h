// SPDX-License-Identifier: MIT
// Times as GitHub writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hipwright::github {

// Seconds since 1970 of "2026-03-01T12:00:00Z"; 0 for other texts.
std::int64_t parse_time(std::string_view text);
// "2026-03-01T12:00:00Z"
std::string time_text(std::int64_t seconds);
// "5 min", "3 h", "12 d"; the past only.
std::string age_text(std::int64_t seconds);

}  // namespace hipwright::github
