// SPDX-License-Identifier: MIT
// Two records, metric by metric: what got faster, what got slower, and what cannot be said.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perf/record/record.h"
#include "perf/statistics/ratio.h"

namespace hipwright::perf {

enum class Verdict { kImproved, kSame, kRegressed, kInconclusive, kIncomparable, kMissing };
std::string_view to_string(Verdict verdict);

struct CompareOptions {
  double threshold = 0.03;  // changes below it do not matter
  double p = 0.002;         // of the Mann-Whitney test, corrected for the number of metrics
  unsigned min_samples = 10;
  unsigned min_rounds = 2;
  std::set<std::string, std::less<>> ignored;  // facts of the machine that may differ
  std::set<std::string, std::less<>> metrics;  // only these; empty: all
};

// One metric of one benchmark, or of one of its kernels.
struct Row {
  std::string benchmark, kernel, target;  // the last two are empty for measurements
  std::string source;                     // of kernel counts
  std::string metric, unit;
  Better better = Better::kLower;
  Verdict verdict = Verdict::kSame;
  std::string reason;                // of verdicts other than improved, same and regressed
  std::optional<double> base, head;  // medians or counts
  bool exact = false;                // a count: any difference is real
  // Of measurements that could be compared.
  std::optional<Interval> interval;  // of head / base
  double p = 1;                      // corrected
  double threshold = 0;              // the change that had to be exceeded: 0.03

  std::optional<double> ratio() const;  // head / base; nothing if base is 0
};

struct RecordIdentity {
  std::string label, made, tool;
  Machine machine;
};

struct Comparison {
  RecordIdentity base, head;
  bool paired = false;
  // Facts of the machines that differ: "os_kernel: 6.1 / 6.5".
  std::vector<std::string> mismatches;
  std::vector<Row> rows;
  std::vector<std::string> added;  // benchmarks and kernels that the base lacks

  unsigned count(Verdict verdict) const;
  bool failed() const;      // something regressed or is missing
  bool is_decided() const;  // nothing is inconclusive or incomparable
};

Comparison compare(const Record& base, const Record& head, const CompareOptions& options = {});

}  // namespace hipwright::perf
