// SPDX-License-Identifier: MIT
#include "ci/doctor/doctor.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/embedded.h"
#include "base/json.h"
#include "base/table.h"
#include "base/terminal.h"

namespace hipwright {
// The files below src/ci/scripts.
extern const EmbeddedFile ci_scripts[];
extern const unsigned ci_scripts_count;
}  // namespace hipwright

namespace hipwright::ci {

namespace {

constexpr CheckStatus kOrder[] = {CheckStatus::kFail, CheckStatus::kUnknown, CheckStatus::kWarn,
                                  CheckStatus::kPass};

Colour colour_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kPass:
      return Colour::kGreen;
    case CheckStatus::kFail:
      return Colour::kRed;
    default:
      return Colour::kYellow;
  }
}

std::string summary(const Examination& examination) {
  return fmt::format(
      "{}: {} passed, {}, {} failed, {} unknown\n", counted(examination.results.size(), "result"),
      examination.count(CheckStatus::kPass),
      counted(examination.count(CheckStatus::kWarn), "warning"),
      examination.count(CheckStatus::kFail), examination.count(CheckStatus::kUnknown));
}

std::string_view script(std::string_view name) {
  for (unsigned i = 0; i < ci_scripts_count; ++i)
    if (name == ci_scripts[i].path) return ci_scripts[i].content();
  bug("a script that is not embedded", __FILE__, __LINE__);
}

}  // namespace

std::size_t Examination::count(CheckStatus status) const {
  return static_cast<std::size_t>(std::ranges::count(results, status, &CheckResult::status));
}

CheckStatus Examination::worst() const {
  for (const CheckStatus status : kOrder)
    if (count(status) > 0) return status;
  return CheckStatus::kPass;
}

Result<Examination> examine(const HostFacts& facts, const Profile& profile) {
  if (!profile.os.empty() && profile.os != facts.os)
    return fail("cannot check", facts.host,
                fmt::format("profile {} is for {}, and the facts are of {}", profile.name,
                            profile.os, facts.os),
                facts.os == "windows" ? "Use --profile windows-runner or developer."
                                      : "Use --profile linux-runner or developer.");
  Examination examination;
  for (const Check& check : all_checks()) {
    if (!check.os.empty() && check.os != facts.os) continue;
    if (check.only_runners && !profile.is_runner) continue;
    Checkup checkup(check.name, facts, profile, examination.results);
    check.run(checkup);
  }
  return examination;
}

std::string examination_text(const Examination& examination, const HostFacts& facts,
                             const Profile& profile, bool colour) {
  std::string text = fmt::format("{}: {}, as {}\n", facts.host.empty() ? "host" : facts.host,
                                 facts.os_name.empty() ? facts.os : facts.os_name, profile.name);
  std::size_t width = 0;
  for (const CheckResult& result : examination.results)
    width = std::max(width, result.check.size());
  for (const CheckResult& result : examination.results) {
    text += fmt::format(
        "{}  {:<{}}  {}\n",
        paint(fmt::format("{:<7}", to_string(result.status)), colour_of(result.status), colour),
        result.check, width, result.evidence);
    if (!result.fix.empty()) text += fmt::format("{:{}}fix: {}\n", "", width + 11, result.fix);
  }
  return text + summary(examination);
}

Json examination_json(const Examination& examination, const HostFacts& facts,
                      const Profile& profile) {
  Json json = {{"host", facts.host}, {"time", facts.time}, {"profile", profile.name}};
  json["summary"] = Json::object();
  for (const CheckStatus status : kOrder)
    json["summary"][to_string(status)] = examination.count(status);
  json["results"] = Json::array();
  for (const CheckResult& result : examination.results)
    json["results"].push_back({{"check", result.check},
                               {"status", to_string(result.status)},
                               {"evidence", result.evidence},
                               {"fix", result.fix}});
  return json;
}

std::string checks_text(bool colour) {
  Table table({"check", "system", "question"});
  for (const Check& check : all_checks())
    table.add({std::string(check.name),
               fmt::format("{}{}", check.os.empty() ? "any" : check.os,
                           check.only_runners ? ", runners" : ""),
               std::string(check.title)});
  return table.text(colour);
}

std::string_view windows_probe_script() {
  return script("probe.ps1");
}

std::vector<Hook> job_hooks() {
  std::vector<Hook> hooks;
  for (const char* name : {"job-started.sh", "job-completed.sh"})
    hooks.push_back({name, std::string(script(name))});
  return hooks;
}

}  // namespace hipwright::ci
