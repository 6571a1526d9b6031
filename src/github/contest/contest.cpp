// SPDX-License-Identifier: MIT
#include "github/contest/contest.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/embedded.h"
#include "base/json.h"
#include "base/visible.h"
#include "base/words.h"
#include "github/profile/toml_fields.h"
#include "github/report/parts.h"
#include "project/glob.h"

namespace hipwright {
extern const EmbeddedFile github_contests[];
extern const unsigned github_contests_count;
}  // namespace hipwright

namespace hipwright::github {

namespace {

std::string why_not(const Contest& contest, const PullRequest& pr, const Profile& profile) {
  for (const std::string& word : contest.excluded_titles)
    if (lowered(pr.title).find(lowered(word)) != std::string::npos)
      return fmt::format("its title says '{}'", word);
  const bool only_excluded =
      !pr.files.empty() && std::ranges::all_of(pr.files, [&](const ChangedFile& file) {
        return std::ranges::any_of(contest.excluded_paths, [&](const std::string& pattern) {
          return project::glob_matches(pattern, file.path);
        });
      });
  if (only_excluded) return "it changes only files that do not count";
  if (contest.rocm_only && !is_rocm(pr, profile)) return "it is not about ROCm";
  return {};
}

}  // namespace

Result<Contest> read_contest(std::string_view text, const std::string& origin) {
  Contest contest;
  const TomlFields reader("invalid contest", origin);
  HW_CHECK(reader.read_text(text, {{"name", &contest.name},
                                   {"target", &contest.target},
                                   {"repositories", &contest.repositories},
                                   {"since", &contest.since},
                                   {"rocm-only", &contest.rocm_only},
                                   {"excluded-paths", &contest.excluded_paths},
                                   {"excluded-titles", &contest.excluded_titles}}));
  if (contest.repositories.empty())
    return fail("invalid contest", origin, "it names no repositories",
                R"(Write repositories = ["OWNER/NAME"])");
  for (const std::string& name : contest.repositories) HW_CHECK(parse_repository(name));
  const bool is_date = contest.since.size() == 10 &&
                       contest.since.find_first_not_of("0123456789-") == std::string::npos;
  if (!contest.since.empty() && !is_date)
    return fail("invalid contest", origin, "`since` is not a date", R"(Write "2026-01-31")");
  return contest;
}

Result<Contest> shipped_contest() {
  HW_ASSERT(github_contests_count == 1);
  return read_contest(github_contests[0].content(), github_contests[0].path);
}

Standing standing_of(const Contest& contest, const std::vector<Judged>& all,
                     const Profiles& profiles) {
  Standing standing;
  for (const Judged& judged : all) {
    const PullRequest& pr = judged.pull_request;
    Entry entry{judged, why_not(contest, pr, profiles.of(pr.id.repository))};
    if (judged.assessment.state == State::kMerged) {
      standing.counted += entry.why_not.empty() ? 1 : 0;
      standing.merged.push_back(std::move(entry));
    } else if (pr.lifecycle == Lifecycle::kOpen) {
      standing.open.push_back(std::move(entry));
    }
  }
  std::ranges::stable_sort(standing.open, {}, [](const Entry& entry) {
    const Assessment& a = entry.judged.assessment;
    return std::tuple(!entry.why_not.empty(), a.obstacles.size(), -static_cast<int>(a.state));
  });
  return standing;
}

std::string contest_text(const Contest& contest, const Standing& standing, bool colour) {
  std::string text =
      fmt::format("{}: {} of {} merged\n", paint(contest.name, Colour::kBold, colour),
                  standing.counted, contest.target);
  const auto line = [&](const Entry& entry) {
    const auto& [pr, a] = entry.judged;
    return fmt::format("  {}  {}  {}", pr.id.text(), visible(pr.title),
                       paint(to_string(a.state), colour_of(a.state), colour));
  };
  if (!standing.merged.empty()) text += "\nMerged\n";
  for (const Entry& entry : standing.merged)
    text += line(entry) +
            (entry.why_not.empty() ? "\n" : fmt::format(", does not count: {}\n", entry.why_not));
  if (!standing.open.empty()) text += "\nOpen, closest to the merge first\n";
  for (const Entry& entry : standing.open)
    text += line(entry) + (entry.why_not.empty()
                               ? fmt::format(": {}\n", visible(entry.judged.assessment.action))
                               : fmt::format(", will not count: {}\n", entry.why_not));
  return text;
}

Json contest_json(const Contest& contest, const Standing& standing, std::int64_t now) {
  const auto list = [&](const std::vector<Entry>& entries) {
    Json all = Json::array();
    for (const Entry& entry : entries) {
      Json one = judged_json(entry.judged, now);
      one["counts"] = entry.why_not.empty();
      one["why_not"] = entry.why_not;
      all.push_back(std::move(one));
    }
    return all;
  };
  return {{"contest", contest.name},
          {"target", contest.target},
          {"counted", standing.counted},
          {"merged", list(standing.merged)},
          {"open", list(standing.open)}};
}

}  // namespace hipwright::github
