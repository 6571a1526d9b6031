// SPDX-License-Identifier: MIT
#include "perf/bisect/bisect.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/stop.h"
#include "base/words.h"
#include "perf/compare/report.h"

namespace hipwright::perf {

namespace {

namespace fs = std::filesystem;

std::string short_name(const Revision& revision) {
  return fmt::format("{} {}", revision.id.substr(0, 10), revision.subject);
}

// "duration_s +12.3%, kernel axpy: vgpr_spills +1".
std::string worse_metrics(const Comparison& comparison) {
  std::string text;
  unsigned more = 0;
  for (const Row& row : comparison.rows) {
    if (row.verdict != Verdict::kRegressed) continue;
    if (text.size() > 400) {
      ++more;
      continue;
    }
    text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ",
                        row.kernel.empty() ? "" : row.kernel + ": ", row.metric, change_text(row));
  }
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

class Bisecting {
 public:
  Bisecting(const BisectOptions& options, const Worktree& good, const Worktree& candidate)
      : options_(options), good_(good), candidate_(candidate) {}

  // The working tree `good` is of the good commit already.
  Result<Step> judge(const Revision& revision) const {
    HW_CHECK(candidate_.check_out(revision));
    Step step{.revision = revision};
    if (auto failed = build(candidate_.directory())) {
      step.why = *failed;
    } else {
      HW_TRY(const auto items, read_items(options_.command));
      HW_TRY(const auto records,
             measure(items,
                     {{good_.directory(), options_.good}, {candidate_.directory(), revision.id}},
                     options_.measure));
      decide(step, records);
    }
    say(step);
    return step;
  }

  // Why it failed; nothing if it worked.
  std::optional<std::string> build(const fs::path& directory) const {
    if (options_.build.empty()) return std::nullopt;
    const auto finished = run({.argv = {"sh", "-c", options_.build},
                               .directory = directory,
                               .timeout = options_.build_timeout,
                               .output_limit = 1 << 16});
    if (!finished) return finished.error().message();
    if (finished->ok()) return std::nullopt;
    if (finished->timed_out) return "the build timed out";
    const std::string_view said = trimmed(finished->err.empty() ? finished->out : finished->err);
    const std::size_t at = said.find_last_of('\n');
    return fmt::format("the build failed with exit code {}: {}", finished->exit_code,
                       at == said.npos ? said : said.substr(at + 1));
  }

 private:
  void decide(Step& step, const std::vector<Record>& records) const {
    for (const Record& record : records)
      for (const Benchmark& each : record.benchmarks)
        if (each.status != RunStatus::kSuccess) {
          step.why = fmt::format("{}: {}", each.name, each.error);
          return;
        }
    const Comparison comparison = compare(records[0], records[1], options_.compare);
    if (comparison.count(Verdict::kRegressed) != 0) {
      step.judgement = Judgement::kBad;
      step.why = worse_metrics(comparison);
    } else if (comparison.count(Verdict::kMissing) != 0) {
      step.why = "something is missing";
      for (const Row& row : comparison.rows)
        if (row.verdict == Verdict::kMissing)
          step.why = fmt::format("{} {}: {}", row.kernel.empty() ? row.benchmark : row.kernel,
                                 row.metric, row.reason);
    } else if (comparison.is_decided()) {
      step.judgement = Judgement::kGood;
    } else {
      for (const Row& row : comparison.rows)
        if (!row.reason.empty()) step.why = fmt::format("{}: {}", row.metric, row.reason);
    }
  }

  void say(const Step& step) const {
    if (!options_.log) return;
    constexpr const char* kWords[] = {"good   ", "bad    ", "unknown"};
    options_.log(fmt::format("{} {}{}", kWords[static_cast<int>(step.judgement)],
                             short_name(step.revision),
                             step.why.empty() ? "" : fmt::format(" ({})", step.why)));
  }

  const BisectOptions& options_;
  const Worktree& good_;
  const Worktree& candidate_;
};

// The undecided place that is nearest to the middle.
std::optional<std::size_t> next_place(const std::vector<bool>& is_unknown, std::size_t begin,
                                      std::size_t end) {
  const std::size_t middle = begin + (end - begin) / 2;
  for (std::size_t distance = 0; distance <= end - begin; ++distance) {
    if (middle + distance < end && !is_unknown[middle + distance]) return middle + distance;
    if (middle >= begin + distance && !is_unknown[middle - distance]) return middle - distance;
  }
  return std::nullopt;
}

}  // namespace

Result<Search> search(const std::vector<Revision>& revisions,
                      const std::function<Result<Step>(const Revision&)>& judge) {
  HW_ASSERT(!revisions.empty());
  Search result;
  std::vector<bool> is_unknown(revisions.size(), false);
  std::size_t begin = 0, bad = revisions.size() - 1;  // the first bad one is in [begin, bad]
  while (const auto place = next_place(is_unknown, begin, bad)) {
    HW_TRY(Step step, judge(revisions[*place]));
    if (step.judgement == Judgement::kGood)
      begin = *place + 1;
    else if (step.judgement == Judgement::kBad)
      bad = *place;
    else
      is_unknown[*place] = true;
    result.steps.push_back(std::move(step));
    if (begin == bad) break;
  }
  result.suspects.assign(revisions.begin() + static_cast<std::ptrdiff_t>(begin),
                         revisions.begin() + static_cast<std::ptrdiff_t>(bad) + 1);
  return result;
}

Result<BisectResult> bisect(const BisectOptions& options) {
  HW_TRY(const Repository repository, Repository::open(options.directory));
  BisectResult result;
  HW_TRY(result.good, repository.revision(options.good));
  HW_TRY(result.bad, repository.revision(options.bad));
  HW_TRY(const auto revisions, repository.between(result.good, result.bad));
  if (revisions.empty())
    return fail("cannot bisect", options.good, "the good and the bad commit are the same");
  HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
  HW_TRY(const Worktree good, Worktree::create(repository, scratch.path() / "good", result.good));
  HW_TRY(const Worktree candidate,
         Worktree::create(repository, scratch.path() / "candidate", result.bad));
  const Bisecting bisecting(options, good, candidate);
  if (const auto failed = bisecting.build(good.directory()))
    return fail("cannot bisect", short_name(result.good), *failed);
  HW_TRY(const Step whole, bisecting.judge(result.bad));
  result.why = whole.why;
  result.is_known = whole.judgement != Judgement::kUnknown;
  result.is_regression = whole.judgement == Judgement::kBad;
  result.steps.push_back(whole);
  if (!result.is_regression) return result;
  HW_TRY(Search found,
         search(revisions, [&](const Revision& revision) { return bisecting.judge(revision); }));
  result.suspects = std::move(found.suspects);
  for (Step& each : found.steps) result.steps.push_back(std::move(each));
  return result;
}

std::string bisect_text(const BisectResult& result) {
  if (!result.is_known)
    return fmt::format("not decided: {} against {}: {}\n", short_name(result.bad),
                       short_name(result.good), result.why);
  if (!result.is_regression)
    return fmt::format("no regression from {} to {}\n", short_name(result.good),
                       short_name(result.bad));
  std::string text;
  if (result.suspects.size() == 1) {
    const Revision& first = result.suspects.front();
    text = fmt::format("first bad commit: {}\n  by {}, {}\n", short_name(first), first.author,
                       first.date);
    for (const Step& step : result.steps)
      if (step.revision.id == first.id && step.judgement == Judgement::kBad) {
        text += fmt::format("  {}\n", step.why);
        break;
      }
  } else {
    text = fmt::format("one of {}, because some could not be measured:\n",
                       counted(result.suspects.size(), "commit"));
    for (const Revision& each : result.suspects) text += fmt::format("  {}\n", short_name(each));
  }
  return text + fmt::format("measured {}\n", counted(result.steps.size(), "commit"));
}

Json bisect_json(const BisectResult& result) {
  const auto revision_json = [](const Revision& revision) {
    return Json{{"commit", revision.id},
                {"author", revision.author},
                {"date", revision.date},
                {"subject", revision.subject}};
  };
  Json suspects = Json::array(), steps = Json::array();
  for (const Revision& each : result.suspects) suspects.push_back(revision_json(each));
  for (const Step& each : result.steps) {
    Json step = revision_json(each.revision);
    step["judgement"] = each.judgement == Judgement::kGood  ? "good"
                        : each.judgement == Judgement::kBad ? "bad"
                                                            : "unknown";
    step["why"] = each.why;
    steps.push_back(std::move(step));
  }
  return {{"good", revision_json(result.good)},
          {"bad", revision_json(result.bad)},
          {"regression", result.is_known ? Json(result.is_regression) : Json(nullptr)},
          {"why", result.why},
          {"suspects", std::move(suspects)},
          {"steps", std::move(steps)}};
}

}  // namespace hipwright::perf
