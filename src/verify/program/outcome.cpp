// SPDX-License-Identifier: MIT
#include "verify/program/outcome.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "verify/devices.h"
#include "verify/program/run.h"

namespace hipwright::verify {

namespace {

constexpr std::string_view kFound = "the checks found";
constexpr std::string_view kLacks = "is not implemented by the software GPU";
constexpr const char* kCapture =
    "Capture its results with hipwright/golden.h (docs/commands/verify_golden.md says how)";

void compare_printed(Check& check, std::string_view expected, std::string_view actual) {
  const bool has_number = expected.find_first_of("0123456789") != std::string_view::npos;
  if (expected == actual && has_number) {
    check.verdict = Verdict::kPass;
    check.evidence = "nothing was captured; both print the same, with numbers in it";
    return;
  }
  if (expected == actual) {
    check.evidence = fmt::format("nothing was captured, and no number is printed. {}", kCapture);
    return;
  }
  const auto [left, right] =
      std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end());
  const auto line = [](std::string_view text, std::size_t at) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    return text.substr(begin, std::min(text.find('\n', begin) - begin, std::size_t{200}));
  };
  check.evidence = fmt::format(
      "nothing was captured, and what is printed differs, which may be a time or a name: '{}' and "
      "'{}'. {}",
      line(expected, static_cast<std::size_t>(left - expected.begin())),
      line(actual, static_cast<std::size_t>(right - actual.begin())), kCapture);
}

}  // namespace

std::string last_lines(std::string_view text, std::size_t lines) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t begin = text.size();
  for (std::size_t i = 0; i < lines && begin != std::string_view::npos && begin != 0; ++i)
    begin = text.rfind('\n', begin - 1);
  return std::string(text.substr(begin == std::string_view::npos ? 0 : begin + (begin != 0)));
}

std::string failure_of(const Finished& finished) {
  const std::string complaint = complaint_in(finished.out + "\n" + finished.err);
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

std::string first_finding(const Finished& finished) {
  // "the checks found 2 errors and 1 warning"; warnings alone are no failure.
  const std::string& err = finished.err;
  const std::size_t found = err.rfind(kFound);
  if (found == std::string::npos || err.compare(found + kFound.size(), 3, " 0 ") == 0) return {};
  const std::size_t begin = err.find("error: ");
  if (begin == std::string::npos) return err.substr(found);
  const std::size_t end = std::min(err.find("\nerror: ", begin), found);
  return last_lines(err.substr(begin, std::min<std::size_t>(end - begin, 2000)), 30);
}

Tolerance capture_tolerance(const Values& values) {
  // How many terms a result has is not known here; a sum of a thousand is usual.
  return default_tolerance(values.type, Operation::kReduction, 1024);
}

void note_comparison(Check& check, const std::string& name, const Values& expected,
                     const Values& actual, const Comparison& comparison) {
  check.evidence += fmt::format("{}: {} ", name, comparison.text());
  if (comparison.passes) return;
  check.verdict = Verdict::kFail;
  if (check.picture.empty() && comparison.problem.empty() && expected.shape == actual.shape)
    check.picture = heat_map(expected, actual, comparison);
}

void compare_runs(Check& check, const Ran& expected, const Ran& actual) {
  if (expected.captures.empty() && actual.captures.empty()) {
    compare_printed(check, expected.finished.out, actual.finished.out);
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
                    compare(left->second, right->second, capture_tolerance(left->second),
                            {wave_of(actual.device), 0}));
  }
}

}  // namespace hipwright::verify
