// SPDX-License-Identifier: MIT
// Needs of a job that does not exist.
//
// ## What it finds
//
// A name in `needs` that no job has, a job that needs itself, and cycles.
//
// ## Why it matters
//
// GitHub rejects the file. A document that promises a job, and a `needs` that waits for it, do not
// make one.
//
// ## Example
//
// ```yaml
// jobs:
//   summary:
//     needs: [windows-rocm, linux-rocm]   # no such job
// ```
//
// ## Use instead
//
// ```yaml
// jobs:
//   linux-rocm:
//     runs-on: [self-hosted, Linux, ROCm]
//   summary:
//     needs: [windows-rocm, linux-rocm]
// ```
//
// ## When it is not a bug
//
// - Never.
#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

// The jobs by number, what each needs, and the cycle that each is part of: two jobs that need each
// other, through whichever others, have the same. Tarjan's search with its own stack, since files
// may have a chain of any length.
class Needs {
 public:
  explicit Needs(const File& file) {
    for (const Job& job : file.jobs())
      if (numbers_.emplace(job.name, needed_.size()).second) needed_.emplace_back();
    for (const Job& job : file.jobs())
      for (const Node* need : file.needs(job))
        if (const auto to = numbers_.find(need->value); to != numbers_.end())
          needed_[numbers_.at(job.name)].push_back(to->second);
    order_.assign(needed_.size(), 0);
    lowest_.assign(needed_.size(), 0);
    cycle_.assign(needed_.size(), kNone);
    for (std::size_t job = 0; job < needed_.size(); ++job)
      if (order_[job] == 0) search(job);
  }

  bool has(std::string_view job) const { return numbers_.contains(job); }
  bool are_on_one_cycle(std::string_view a, std::string_view b) const {
    return cycle_[numbers_.at(a)] == cycle_[numbers_.at(b)];
  }

 private:
  static constexpr std::size_t kNone = std::string_view::npos;

  void search(std::size_t start) {
    struct Visit {
      std::size_t job, next;
    };
    std::vector<Visit> path;
    const auto enter = [&](std::size_t job) {
      order_[job] = lowest_[job] = ++count_;
      open_.push_back(job);
      path.push_back({job, 0});
    };
    enter(start);
    while (!path.empty()) {
      const std::size_t job = path.back().job;
      if (path.back().next < needed_[job].size()) {
        const std::size_t to = needed_[job][path.back().next++];
        if (order_[to] == 0)
          enter(to);
        else if (cycle_[to] == kNone)
          lowest_[job] = std::min(lowest_[job], order_[to]);
        continue;
      }
      path.pop_back();
      if (!path.empty())
        lowest_[path.back().job] = std::min(lowest_[path.back().job], lowest_[job]);
      if (lowest_[job] == order_[job]) close(job);
    }
  }
  // `job` and what was entered after it and is still open are one cycle.
  void close(std::size_t job) {
    for (std::size_t last = kNone; last != job; open_.pop_back()) {
      last = open_.back();
      cycle_[last] = job;
    }
  }

  std::map<std::string_view, std::size_t> numbers_;
  std::vector<std::vector<std::size_t>> needed_;
  std::vector<std::size_t> order_, lowest_, cycle_, open_;
  std::size_t count_ = 0;
};

void find(WorkflowCheck& check) {
  const Needs needs(check.file);
  for (const Job& job : check.file.jobs())
    for (const Node* need : check.file.needs(job)) {
      if (!needs.has(need->value)) {
        report(check, *need, Confidence::kHigh, fmt::format("no job '{}'", need->value));
        continue;
      }
      if (needs.are_on_one_cycle(job.name, need->value))
        report(check, *need, Confidence::kHigh,
               fmt::format("job '{}' needs itself{}", job.name,
                           need->value == job.name ? "" : " through '" + need->value + "'"));
    }
}

}  // namespace

Rule needs_graph() {
  return {.code = "HC105",
          .name = "needs-graph",
          .summary = "needs of a job that does not exist",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
