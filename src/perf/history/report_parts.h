// SPDX-License-Identifier: MIT
// Texts that the reports of a history share.
#pragma once

#include <string>

#include "perf/history/history.h"

namespace hipwright::perf {

std::string commit_title(const Commit& commit);  // "1a2b3c4d5e Fix it"
std::string time_text(std::int64_t time);        // "2026-03-01"
std::string number_text(double value, const std::string& unit);
std::string change_percent(const ChangePoint& change);  // "+12.0%"

}  // namespace hipwright::perf
