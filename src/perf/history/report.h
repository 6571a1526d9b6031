// SPDX-License-Identifier: MIT
// A history for people and programs.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "perf/history/history.h"

namespace hipwright::perf {

// One line for each series with its latest value, and one for each change point.
std::string history_text(const std::vector<Series>& list, bool colour);
Json history_json(const std::vector<Series>& list);
// Charts with levels and change points; one self-contained file. Series of counts that never
// changed are only counted.
std::string history_html(const std::vector<Series>& list, const std::string& title);

// Did the change make things worse?
bool is_worse(const Series& series, const ChangePoint& change);

}  // namespace hipwright::perf
