// SPDX-License-Identifier: MIT
// Finds the commit that made a benchmark slower: each candidate is measured in turns with the good
// commit, and judged like a pull request.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "perf/bisect/repository.h"
#include "perf/compare/compare.h"
#include "perf/measure/measure.h"

namespace hipwright::perf {

struct BisectOptions {
  std::filesystem::path directory;  // in the repository
  std::string good, bad;
  std::vector<std::string> command;
  std::string build;  // a shell command that runs in each working tree first; empty: none
  std::chrono::seconds build_timeout{3600};
  MeasureOptions measure;
  CompareOptions compare;
  std::function<void(const std::string&)> log;  // a line for each step
};

enum class Judgement { kGood, kBad, kUnknown };

struct Step {
  Revision revision;
  Judgement judgement = Judgement::kUnknown;
  std::string why;  // the metrics that got worse, or why it is unknown
};

struct BisectResult {
  Revision good, bad;
  bool is_regression = false;  // of bad against good
  std::string why;             // what got worse between them, or why nothing is known
  bool is_known = true;        // false: good against bad was not decided
  // The first bad commit; several if some could not be measured. Oldest first.
  std::vector<Revision> suspects;
  std::vector<Step> steps;
};

// Which candidates remain, oldest first, the last one bad. `judge` measures one of them.
struct Search {
  std::vector<Revision> suspects;
  std::vector<Step> steps;
};
Result<Search> search(const std::vector<Revision>& revisions,
                      const std::function<Result<Step>(const Revision&)>& judge);

Result<BisectResult> bisect(const BisectOptions& options);

std::string bisect_text(const BisectResult& result);
Json bisect_json(const BisectResult& result);

}  // namespace hipwright::perf
