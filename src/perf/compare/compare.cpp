// SPDX-License-Identifier: MIT
#include "perf/compare/compare.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/counted.h"
#include "perf/statistics/mann_whitney.h"

namespace hipwright::perf {

namespace {

constexpr std::pair<Verdict, std::string_view> kVerdicts[] = {
    {Verdict::kImproved, "improved"},         {Verdict::kSame, "same"},
    {Verdict::kRegressed, "regressed"},       {Verdict::kInconclusive, "inconclusive"},
    {Verdict::kIncomparable, "incomparable"}, {Verdict::kMissing, "missing"}};

std::vector<std::string> mismatches(const Machine& base, const Machine& head,
                                    const CompareOptions& options) {
  std::set<std::string> names;
  for (const Machine* machine : {&base, &head})
    for (const auto& [name, value] : *machine) names.insert(name);
  std::vector<std::string> list;
  for (const std::string& name : names) {
    if (options.ignored.contains(name)) continue;
    const auto before = base.find(name), after = head.find(name);
    const std::string a = before == base.end() ? "none" : before->second;
    const std::string b = after == head.end() ? "none" : after->second;
    if (a != b) list.push_back(fmt::format("{}: {} / {}", name, a, b));
  }
  return list;
}

void decide(Row& row, Verdict verdict, std::string reason = {}) {
  row.verdict = verdict;
  row.reason = std::move(reason);
}

// Nothing if there are enough samples.
std::string too_few(std::string_view side, std::span<const Sample> samples,
                    const CompareOptions& options) {
  const std::size_t rounds = by_round(samples).size();
  if (samples.size() >= options.min_samples && rounds >= options.min_rounds) return {};
  return fmt::format("{} has {} of {}; {} of {} are needed", side,
                     counted(samples.size(), "sample"), counted(rounds, "run"), options.min_samples,
                     options.min_rounds);
}

// Samples of one process share its luck: with enough processes, each counts once.
std::vector<double> ranked_values(std::span<const Sample> samples, const CompareOptions& options) {
  const auto rounds = by_round(samples);
  return values_of(rounds.size() >= options.min_samples ? std::span<const Sample>(rounds)
                                                        : samples);
}

// The largest distance of a process from the median of all, which matters when there are few.
double process_noise(std::span<const Sample> samples, const CompareOptions& options) {
  const auto rounds = by_round(samples);
  if (rounds.size() >= options.min_samples) return 0;
  const double middle = median(values_of(samples));
  double noise = 0;
  for (const Sample& each : rounds)
    noise = std::max(noise, std::max(each.value, middle) / std::min(each.value, middle) - 1);
  return noise;
}

struct Pending {
  std::size_t row;
  double p;
};

class Comparing {
 public:
  Comparing(const Record& base, const Record& head, const CompareOptions& options)
      : base_(base), head_(head), options_(options) {
    result_.base = {base.label, base.made, base.tool, base.machine};
    result_.head = {head.label, head.made, head.tool, head.machine};
    result_.paired = !base.session.empty() && base.session == head.session;
    result_.mismatches = mismatches(base.machine, head.machine, options);
  }

  Comparison run() {
    for (const Benchmark& before : base_.benchmarks) benchmark(before);
    for (const Benchmark& after : head_.benchmarks)
      if (base_.benchmark(after.name) == nullptr) result_.added.push_back(after.name);
    finish_measurements();
    return std::move(result_);
  }

 private:
  bool is_wanted(std::string_view metric) const {
    return options_.metrics.empty() || options_.metrics.contains(metric);
  }

  void benchmark(const Benchmark& before) {
    const Benchmark* after = head_.benchmark(before.name);
    if (after == nullptr || after->status != RunStatus::kSuccess) {
      Row row{.benchmark = before.name, .metric = "status"};
      decide(row, Verdict::kMissing,
             after == nullptr ? "not in the head record"
                              : fmt::format("{}{}{}", to_string(after->status),
                                            after->error.empty() ? "" : ": ", after->error));
      result_.rows.push_back(std::move(row));
      return;
    }
    if (before.status != RunStatus::kSuccess) {
      result_.added.push_back(before.name);
      return;
    }
    for (const Measurement& each : before.measurements)
      if (is_wanted(each.name)) measurement(before, each, after->measurement(each.name));
    kernels(before, *after);
  }

  void measurement(const Benchmark& benchmark, const Measurement& before,
                   const Measurement* after) {
    if (before.samples.empty()) return;
    Row row{.benchmark = benchmark.name,
            .metric = before.name,
            .unit = before.unit,
            .better = before.better,
            .base = median(values_of(before.samples))};
    if (after == nullptr || after->samples.empty()) {
      decide(row, Verdict::kMissing, "not measured in the head record");
      result_.rows.push_back(std::move(row));
      return;
    }
    row.head = median(values_of(after->samples));
    if (!result_.mismatches.empty()) {
      decide(row, Verdict::kIncomparable,
             fmt::format("the machines differ: {}", result_.mismatches.front()));
    } else if (before.unit != after->unit || before.better != after->better) {
      decide(row, Verdict::kIncomparable, "the units or directions differ");
    } else if (std::string few = too_few("base", before.samples, options_); !few.empty()) {
      decide(row, Verdict::kInconclusive, std::move(few));
    } else if (few = too_few("head", after->samples, options_); !few.empty()) {
      decide(row, Verdict::kInconclusive, std::move(few));
    } else {
      test(row, before, *after);
    }
    result_.rows.push_back(std::move(row));
  }

  // The verdict waits until the number of tests is known.
  void test(Row& row, const Measurement& before, const Measurement& after) {
    const Sides sides{before.samples, after.samples, result_.paired};
    row.interval = ratio_interval(sides);
    row.threshold =
        std::max({options_.threshold, a_a_noise(sides), process_noise(before.samples, options_),
                  process_noise(after.samples, options_)});
    pending_.push_back(
        {result_.rows.size(), mann_whitney_p(ranked_values(before.samples, options_),
                                             ranked_values(after.samples, options_))});
  }

  void finish_measurements() {
    std::vector<double> p_values;
    for (const Pending& each : pending_) p_values.push_back(each.p);
    const auto corrected = holm(p_values);
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      Row& row = result_.rows[pending_[i].row];
      row.p = corrected[i];
      judge(row);
    }
  }

  void judge(Row& row) const {
    const Interval& interval = *row.interval;
    const bool is_larger = interval.low > 1 + row.threshold;
    const bool is_smaller = interval.high < 1 / (1 + row.threshold);
    if (row.p < options_.p && (is_larger || is_smaller)) {
      const bool is_worse = is_larger == (row.better == Better::kLower);
      decide(row, is_worse ? Verdict::kRegressed : Verdict::kImproved);
    } else if (interval.low >= 1 / (1 + options_.threshold) &&
               interval.high <= 1 + options_.threshold) {
      decide(row, Verdict::kSame);
    } else {
      decide(
          row, Verdict::kInconclusive,
          fmt::format("too noisy to tell a change of {:.3g}% from none", 100 * options_.threshold));
    }
  }

  void kernels(const Benchmark& before, const Benchmark& after) {
    const auto id = [](const KernelCounts& kernel) {
      return std::tie(kernel.source, kernel.target, kernel.kernel);
    };
    using Id = std::tuple<std::string, std::string, std::string>;
    std::map<Id, const KernelCounts*> known;
    for (const KernelCounts& each : after.kernels) known[Id(id(each))] = &each;
    for (const KernelCounts& each : before.kernels) {
      const auto found = known.find(Id(id(each)));
      kernel(before.name, each, found == known.end() ? nullptr : found->second);
      if (found != known.end()) known.erase(found);
    }
    for (const auto& [key, each] : known)
      result_.added.push_back(
          fmt::format("{}: {} ({}, {})", before.name, each->kernel, each->target, each->source));
  }

  Row kernel_row(const std::string& benchmark, const KernelCounts& kernel,
                 std::string metric) const {
    return {.benchmark = benchmark,
            .kernel = kernel.kernel,
            .target = kernel.target,
            .source = kernel.source,
            .metric = std::move(metric),
            .exact = true};
  }

  void kernel(const std::string& benchmark, const KernelCounts& before, const KernelCounts* after) {
    if (after == nullptr) {
      Row row = kernel_row(benchmark, before, "kernel");
      if (!options_.metrics.empty()) return;
      decide(row, Verdict::kMissing, "not in the head record");
      result_.rows.push_back(std::move(row));
      return;
    }
    const std::string other_tools = different_tools(before, *after);
    for (const auto& [metric, value] : before.counts) {
      if (!is_wanted(metric)) continue;
      Row row = kernel_row(benchmark, before, metric);
      row.better = better_of(metric);
      row.base = static_cast<double>(value);
      const auto found = after->counts.find(metric);
      if (found == after->counts.end()) {
        decide(row, Verdict::kMissing, "not counted in the head record");
      } else {
        row.head = static_cast<double>(found->second);
        count(row, before, *after, value, found->second, other_tools);
      }
      result_.rows.push_back(std::move(row));
    }
  }

  // What counts depend on besides the kernel: the compiler and, of the software GPU's, this tool.
  std::string different_tools(const KernelCounts& before, const KernelCounts& after) const {
    if (before.producer != after.producer && !options_.ignored.contains("compiler"))
      return fmt::format("the compilers differ: {} / {}",
                         before.producer.empty() ? "unknown" : before.producer,
                         after.producer.empty() ? "unknown" : after.producer);
    if (before.source == kSoftwareGpu && base_.tool != head_.tool &&
        !options_.ignored.contains("tool"))
      return fmt::format("counted by different versions of hipwright: {} / {}", base_.tool,
                         head_.tool);
    return {};
  }

  static bool is_unstable(const KernelCounts& kernel, const std::string& metric) {
    return std::find(kernel.unstable.begin(), kernel.unstable.end(), metric) !=
           kernel.unstable.end();
  }

  static void count(Row& row, const KernelCounts& before, const KernelCounts& after,
                    std::uint64_t base, std::uint64_t head, const std::string& other_tools) {
    if (!other_tools.empty()) return decide(row, Verdict::kIncomparable, other_tools);
    if (is_unstable(before, row.metric) || is_unstable(after, row.metric))
      return decide(row, Verdict::kInconclusive, "differs from run to run of the same program");
    if (base == head) return decide(row, Verdict::kSame);
    const bool is_worse = (head > base) == (row.better == Better::kLower);
    decide(row, is_worse ? Verdict::kRegressed : Verdict::kImproved);
  }

  const Record& base_;
  const Record& head_;
  const CompareOptions& options_;
  Comparison result_;
  std::vector<Pending> pending_;
};

}  // namespace

std::string_view to_string(Verdict verdict) {
  for (const auto& [each, text] : kVerdicts)
    if (each == verdict) return text;
  return {};
}

std::optional<double> Row::ratio() const {
  if (!base || !head || *base == 0) return std::nullopt;
  return *head / *base;
}

unsigned Comparison::count(Verdict verdict) const {
  return static_cast<unsigned>(std::count_if(
      rows.begin(), rows.end(), [&](const Row& row) { return row.verdict == verdict; }));
}

bool Comparison::failed() const {
  return count(Verdict::kRegressed) + count(Verdict::kMissing) > 0;
}

bool Comparison::is_decided() const {
  return count(Verdict::kInconclusive) + count(Verdict::kIncomparable) == 0;
}

Comparison compare(const Record& base, const Record& head, const CompareOptions& options) {
  return Comparing(base, head, options).run();
}

}  // namespace hipwright::perf
