// SPDX-License-Identifier: MIT
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/report/report.h"

namespace hipwright::verify {

namespace {

std::set<std::string> devices_of(const Pyramid& pyramid) {
  std::set<std::string> devices;
  for (const Check& check : pyramid.checks)
    if (check.verdict != Verdict::kNotChecked && !check.setting.device.empty())
      devices.insert(check.setting.device);
  return devices;
}

std::string counts_text(const Pyramid& pyramid, Level level) {
  const auto [all, pass, fail, open] = counts_of(pyramid, level);
  return fmt::format("{} of {} checks passed, {} failed, {} not checked", pass, all, fail, open);
}

// Passes if both pass, fails if either fails.
Verdict both(Verdict a, Verdict b) {
  if (a == Verdict::kFail || b == Verdict::kFail) return Verdict::kFail;
  return a == Verdict::kPass && b == Verdict::kPass ? Verdict::kPass : Verdict::kNotChecked;
}

}  // namespace

std::vector<ChecklistItem> checklist(const Pyramid& pyramid) {
  const auto person = [](std::string item, std::string what) {
    return ChecklistItem{std::move(item), Verdict::kNotChecked, std::move(what)};
  };
  std::vector<ChecklistItem> items;
  items.push_back(person("Root cause: the fix addresses the bug, not its symptoms",
                         "for a reviewer to decide"));
  items.push_back({"Completeness: no other instance of the bug remains",
                   verdict_of(pyramid, Level::kStatic), counts_text(pyramid, Level::kStatic)});
  items.push_back(
      {"Tests pass",
       both(verdict_of(pyramid, Level::kFunctional), verdict_of(pyramid, Level::kNumerical)),
       fmt::format("functional: {}; numerical: {}", counts_text(pyramid, Level::kFunctional),
                   counts_text(pyramid, Level::kNumerical))});
  items.push_back(person("CI is green", "see the repository's CI"));
  items.push_back(person("No duplicates: no other pull request does the same",
                         "search the repository's pull requests"));
  ChecklistItem hardware{"Hardware validation: ran on an AMD GPU", Verdict::kNotChecked,
                         "not verified on hardware"};
  std::set<std::string> amd;
  for (const Check& check : pyramid.checks) {
    if (check.setting.kind != "hip" || check.verdict == Verdict::kNotChecked) continue;
    amd.insert(check.setting.device);
    hardware.verdict = hardware.verdict == Verdict::kFail || check.verdict == Verdict::kFail
                           ? Verdict::kFail
                           : Verdict::kPass;
  }
  if (!amd.empty()) hardware.evidence = fmt::format("ran on {}", fmt::join(amd, ", "));
  items.push_back(std::move(hardware));
  const std::set<std::string> devices = devices_of(pyramid);
  items.push_back(
      {"Description: lists devices, versions and results",
       devices.empty() ? Verdict::kNotChecked : Verdict::kPass,
       devices.empty() ? "nothing ran" : fmt::format("this report: {}", fmt::join(devices, ", "))});
  return items;
}

}  // namespace hipwright::verify
