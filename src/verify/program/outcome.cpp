// SPDX-License-Identifier: MIT
#include "verify/program/outcome.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "verify/devices.h"
#include "verify/program/printed_output.h"
#include "verify/program/run.h"

namespace hipwright::verify {

namespace {

constexpr const char* kCapture =
    "Capture the results with hipwright/golden.h (see docs/commands/verify_golden.md)";

void judge_printed(Check& check, std::string_view expected, std::string_view actual) {
  const OutputComparison printed = compare_printed(expected, actual);
  if (!printed.is_same) {
    check.evidence = fmt::format(
        "nothing was captured, and the printed output differs, possibly in a measurement or a "
        "name: '{}' and '{}'. {}",
        printed.left, printed.right, kCapture);
    return;
  }
  const std::string but =
      printed.time_of_left.empty()
          ? ""
          : fmt::format(" except for times and rates ('{}')", printed.time_of_left);
  if (!printed.has_number) {
    check.evidence = fmt::format("nothing was captured, and no {}number is printed{}. {}",
                                 but.empty() ? "" : "other ", but, kCapture);
    return;
  }
  check.verdict = Verdict::kPass;
  check.evidence =
      fmt::format("nothing was captured; both print the same output, numbers included{}", but);
}

}  // namespace

std::string last_lines(std::string_view text, std::size_t lines) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t begin = text.size();
  for (std::size_t i = 0; i < lines && begin != std::string_view::npos && begin != 0; ++i)
    begin = text.rfind('\n', begin - 1);
  return std::string(text.substr(begin == std::string_view::npos ? 0 : begin + (begin != 0)));
}

Ending ending_of(const ProgramRun& ran) {
  const Finished& finished = ran.finished;
  // A program that ignores errors continues after a kernel fault.
  if (Ending known = ending_of(ran.events); known.verdict != Verdict::kPass) return known;
  const std::string complaint = reported_failure(finished.out + "\n" + finished.err);
  if (finished.ok() && complaint.empty()) return {};
  return {Verdict::kFail,
          fmt::format("{}\n{}",
                      !complaint.empty()     ? fmt::format("it reports: {}", complaint)
                      : finished.signal != 0 ? fmt::format("killed by signal {}", finished.signal)
                                             : fmt::format("exit code {}", finished.exit_code),
                      last_lines(finished.err.empty() ? finished.out : finished.err, 30))};
}

bool has_results(const ProgramRun& ran) {
  return (!ran.captures.empty() || ran.finished.ok()) &&
         ending_of(ran.events).verdict == Verdict::kPass;
}

bool missed_the_device(const ProgramRun& ran) {
  return is_soft(ran.device) && !ran.events.has_start();
}

void judge_report(Check& check, const ProgramRun& ran) {
  if (const std::string errors = ran.checks.findings.text("error"); !errors.empty()) {
    check.verdict = Verdict::kFail;
    check.evidence = "the software GPU's checks found:" + errors;
  } else if (const Ending known = ending_of(ran.events); known.verdict != Verdict::kPass) {
    check.evidence = "it did not finish: " + known.evidence;
  } else if (ran.finished.signal != 0) {
    check.evidence = "it did not finish";
  } else if (ran.checks.is_there && missed_the_device(ran)) {
    check.evidence = "the records of the software GPU are missing";
  } else if (ran.checks.is_there && !ran.checks.is_finished) {
    check.evidence =
        "it ended without running its exit handlers (_exit, exec), so the check results are "
        "unknown";
  } else if (ran.checks.kernels == 0) {
    check.evidence = "no kernel ran";
  } else {
    check.verdict = Verdict::kPass;
    const std::string warnings = ran.checks.findings.text("warning");
    check.evidence = warnings.empty() ? "none" : "warnings:" + warnings;
  }
}

bool ran_nothing(const ProgramRun& ran) {
  const bool is_known = !ran.checks.is_there || ran.checks.is_finished;
  return is_known && ran.finished.signal == 0 && !ran.finished.timed_out &&
         ran.checks.kernels == 0 && ran.checks.findings.empty();
}

Tolerance capture_tolerance(const std::string& name, const Values& values) {
  // The number of terms per result is unknown; a sum of about a thousand is typical.
  Tolerance tolerance = default_tolerance(values.type, Operation::kReduction, 1024);
  tolerance.any_order = is_any_order(name);
  return tolerance;
}

void note_comparison(Check& check, const std::string& name, const Values& expected,
                     const Values& actual, const Comparison& comparison) {
  check.evidence += fmt::format("{}: {} ", name, comparison.text());
  if (comparison.passes) return;
  check.verdict = Verdict::kFail;
  if (check.picture.empty() && expected.shape == actual.shape)
    check.picture = picture_of(expected, actual, comparison);
}

std::string printed_by(const Finished& finished) {
  return finished.err.empty() ? finished.out : finished.out + "\n" + finished.err;
}

bool leave_the_same(const ProgramRun& left, const ProgramRun& right) {
  if (left.captures.empty() && right.captures.empty())
    return compare_printed(printed_by(left.finished), printed_by(right.finished)).is_same;
  return std::ranges::equal(left.captures, right.captures, [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.type == b.second.type &&
           a.second.shape == b.second.shape && a.second.bytes == b.second.bytes;
  });
}

void compare_runs(Check& check, const ProgramRun& expected, const ProgramRun& actual) {
  if (expected.captures.empty() && actual.captures.empty()) {
    judge_printed(check, printed_by(expected.finished), printed_by(actual.finished));
    return;
  }
  check.verdict = Verdict::kPass;
  std::set<std::string> names;
  for (const auto* each : {&expected.captures, &actual.captures})
    for (const auto& [name, values] : *each) names.insert(name);
  for (const std::string& name : names) {
    const auto left = expected.captures.find(name), right = actual.captures.find(name);
    if (left == expected.captures.end() || right == actual.captures.end()) {
      check.verdict = Verdict::kFail;
      check.evidence += fmt::format("{}: captured in only one of the runs. ", name);
      continue;
    }
    note_comparison(check, name, left->second, right->second,
                    compare(left->second, right->second, capture_tolerance(name, left->second),
                            {wave_of(actual.device), 0}));
  }
}

}  // namespace hipwright::verify
