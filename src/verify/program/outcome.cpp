// SPDX-License-Identifier: MIT
#include "verify/program/outcome.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "verify/devices.h"
#include "verify/program/printed.h"
#include "verify/program/run.h"

namespace hipwright::verify {

namespace {

constexpr std::string_view kFault = "hipwright: error: ";
constexpr std::string_view kLacks = "is not implemented by the software GPU";
constexpr const char* kCapture =
    "Capture its results with hipwright/golden.h (docs/commands/verify_golden.md says how)";

void judge_printed(Check& check, std::string_view expected, std::string_view actual) {
  const Printed printed = compare_printed(expected, actual);
  if (!printed.is_same) {
    check.evidence = fmt::format(
        "nothing was captured, and what is printed differs, which may be a measurement or a name: "
        "'{}' and '{}'. {}",
        printed.left, printed.right, kCapture);
    return;
  }
  const std::string but =
      printed.time_of_left.empty()
          ? ""
          : fmt::format(" but for times and rates ('{}')", printed.time_of_left);
  if (!printed.has_number) {
    check.evidence = fmt::format("nothing was captured, and no {}number is printed{}. {}",
                                 but.empty() ? "" : "other ", but, kCapture);
    return;
  }
  check.verdict = Verdict::kPass;
  check.evidence =
      fmt::format("nothing was captured; both print the same, with numbers in it{}", but);
}

}  // namespace

std::string last_lines(std::string_view text, std::size_t lines) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t begin = text.size();
  for (std::size_t i = 0; i < lines && begin != std::string_view::npos && begin != 0; ++i)
    begin = text.rfind('\n', begin - 1);
  return std::string(text.substr(begin == std::string_view::npos ? 0 : begin + (begin != 0)));
}

// A program that looks at no error goes on after a fault of its kernel.
std::string fault_in(std::string_view err) {
  for (std::size_t at = 0; at < err.size();) {
    const std::size_t end = std::min(err.find('\n', at), err.size());
    if (err.substr(at, end - at).starts_with(kFault)) return std::string(err.substr(at, end - at));
    at = end + 1;
  }
  return {};
}

std::string failure_of(const Finished& finished) {
  std::string complaint = complaint_in(finished.out + "\n" + finished.err);
  if (complaint.empty()) complaint = fault_in(finished.err);
  if (finished.ok() && complaint.empty()) return {};
  return fmt::format("{}\n{}",
                     !complaint.empty()     ? fmt::format("it says: {}", complaint)
                     : finished.signal != 0 ? fmt::format("signal {} ended it", finished.signal)
                                            : fmt::format("it ended with {}", finished.exit_code),
                     last_lines(finished.err.empty() ? finished.out : finished.err, 30));
}

std::string missing_instruction(const Finished& finished) {
  const std::size_t lacks = finished.err.find(kLacks);
  if (lacks == std::string::npos) return {};
  const std::size_t line = finished.err.rfind('\n', lacks) + 1;  // npos + 1 is 0
  return finished.err.substr(line, lacks + kLacks.size() - line);
}

void judge_report(Check& check, const Ran& ran) {
  if (const std::string errors = findings_text(ran.checks.findings, "error"); !errors.empty()) {
    check.verdict = Verdict::kFail;
    check.evidence = "the software GPU's checks found" + errors;
  } else if (!missing_instruction(ran.finished).empty() || ran.finished.signal != 0) {
    check.evidence = "it did not run to its end";
  } else if (ran.checks.is_there && !ran.checks.is_finished) {
    check.evidence =
        "it ended without its exit handlers (_exit, exec): what the checks saw is not known";
  } else if (ran.checks.kernels == 0) {
    check.evidence = "no kernel ran";
  } else {
    check.verdict = Verdict::kPass;
    const std::string warnings = findings_text(ran.checks.findings, "warning");
    check.evidence = warnings.empty() ? "none" : "warnings:" + warnings;
  }
}

bool ran_nothing(const Ran& ran) {
  const bool is_known = !ran.checks.is_there || ran.checks.is_finished;
  return is_known && ran.finished.signal == 0 && !ran.finished.timed_out &&
         ran.checks.kernels == 0 && ran.checks.findings.empty();
}

Tolerance capture_tolerance(const std::string& name, const Values& values) {
  // How many terms a result has is not known here; a sum of a thousand is usual.
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
  std::string text = finished.out;
  for (std::size_t at = 0; at < finished.err.size();) {
    const std::size_t end = std::min(finished.err.find('\n', at), finished.err.size());
    const std::string_view line = std::string_view(finished.err).substr(at, end - at);
    if (!line.starts_with("hipwright: ")) text.append("\n").append(line);
    at = end + 1;
  }
  return text;
}

bool leave_the_same(const Ran& left, const Ran& right) {
  if (left.captures.empty() && right.captures.empty())
    return compare_printed(printed_by(left.finished), printed_by(right.finished)).is_same;
  return std::ranges::equal(left.captures, right.captures, [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.type == b.second.type &&
           a.second.shape == b.second.shape && a.second.bytes == b.second.bytes;
  });
}

void compare_runs(Check& check, const Ran& expected, const Ran& actual) {
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
      check.evidence += fmt::format("{}: only one of them has it. ", name);
      continue;
    }
    note_comparison(check, name, left->second, right->second,
                    compare(left->second, right->second, capture_tolerance(name, left->second),
                            {wave_of(actual.device), 0}));
  }
}

}  // namespace hipwright::verify
