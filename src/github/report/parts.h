// SPDX-License-Identifier: MIT
// Parts that several reports have.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_fwd.h"
#include "base/terminal.h"
#include "github/report/report.h"

namespace hipwright::github {

Colour colour_of(State state);
std::string reviews_text(const Assessment& assessment);  // "1 approval, 2 threads open"
Json judged_json(const Judged& judged, std::int64_t now);

}  // namespace hipwright::github
