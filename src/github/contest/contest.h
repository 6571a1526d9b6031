// SPDX-License-Identifier: MIT
// How many merged pull requests count for a contest, and which open ones are closest to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "github/report/report.h"

namespace hipwright::github {

struct Contest {
  std::string name;
  unsigned target = 10;
  std::vector<std::string> repositories;
  std::string since;  // "2026-01-01": closed then or later; empty: ever
  bool rocm_only = true;
  std::vector<std::string> excluded_paths;   // a pull request that changes nothing else
  std::vector<std::string> excluded_titles;  // words
};

// Errors name `origin` and the line. An empty text is the shipped contest.
Result<Contest> read_contest(std::string_view text, const std::string& origin);
Result<Contest> shipped_contest();

struct Entry {
  Judged judged;
  std::string why_not;  // empty: it counts, or will when it is merged
};

struct Standing {
  std::vector<Entry> merged, open;  // open: closest to the merge first; without closed ones
  unsigned counted = 0;
};
Standing standing_of(const Contest& contest, const std::vector<Judged>& all,
                     const Profiles& profiles);

std::string contest_text(const Contest& contest, const Standing& standing, bool colour);
Json contest_json(const Contest& contest, const Standing& standing, std::int64_t now);

}  // namespace hipwright::github
