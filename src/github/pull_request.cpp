// SPDX-License-Identifier: MIT
#include "github/pull_request.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/words.h"

namespace hipwright::github {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass:
      return "passed";
    case Outcome::kSkipped:
      return "skipped";
    case Outcome::kPending:
      return "pending";
    case Outcome::kFail:
      return "failed";
    case Outcome::kCancelled:
      return "cancelled";
  }
  bug("outcome out of range", __FILE__, __LINE__);
}

bool matches_name(std::string_view pattern, std::string_view name) {
  const auto same = [](char a, char b) {
    const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return low(a) == low(b);
  };
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || same(pattern[p], name[n]))) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool Check::is_called(std::string_view pattern) const {
  return matches_name(pattern, name) || (!workflow.empty() && (matches_name(pattern, workflow) ||
                                                               matches_name(pattern, full_name())));
}

bool Review::is_maintainer() const {
  return is_any(association, {"OWNER", "MEMBER", "COLLABORATOR"});
}

bool PullRequest::has_label(std::string_view pattern) const {
  return std::ranges::any_of(
      labels, [&](const std::string& label) { return matches_name(pattern, label); });
}

std::vector<Check> newest_of_each(std::vector<Check> checks) {
  std::map<std::string, Check> newest;
  for (Check& check : checks) {
    auto [at, is_new] = newest.try_emplace(check.full_name(), check);
    if (is_new) continue;
    const bool is_required = at->second.is_required || check.is_required;
    if (check.started >= at->second.started) at->second = std::move(check);
    at->second.is_required = is_required;
  }
  std::vector<Check> all;
  for (auto& [name, check] : newest) all.push_back(std::move(check));
  return all;
}

}  // namespace hipwright::github
