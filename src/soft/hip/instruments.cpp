// SPDX-License-Identifier: MIT
#include "soft/hip/instruments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/counted.h"
#include "base/file.h"
#include "base/json.h"
#include "soft/check/report.h"
#include "soft/hip/api.h"
#include "soft/hip/unchecked_launches.h"

namespace hipwright::soft::hip {

namespace {

std::string program_name() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

}  // namespace

Instruments::Instruments(const Config& config) : config_(config) {
  if (config.check() || config.checks.report) checks_ = std::make_unique<Checks>(config.checks);
  if (config.check()) write_report();
}

WatchFactory Instruments::watch() {
  return checks_ ? checks_->watch_factory() : WatchFactory{};
}

StreamRaces* Instruments::stream_races() {
  return checks_ && config_.check() ? checks_->stream_races() : nullptr;
}

void Instruments::add_device(const std::string& target) {
  const std::lock_guard lock(mutex_);
  devices_.push_back(target);
}

std::string Instruments::targets() const {
  return fmt::format("{}", fmt::join(devices_, ", "));
}

void Instruments::after_launch() {
  if (!checks_ || !config_.check()) return;
  const std::lock_guard lock(mutex_);
  const std::vector<CheckFinding> all = checks_->findings().all();
  if (printed_ == all.size()) return;
  std::fflush(stdout);  // what the program printed before comes first
  for (; printed_ < all.size(); ++printed_) say_finding(text_of(all[printed_]) + '\n');
  write_report();
}

Json Instruments::report_json() const {
  return {{"program", program_name()},
          {"target", targets()},
          {"checked", config_.check()},
          {"finished", is_finished_},
          {"findings", checks_->findings().json()},
          {"kernels", checks_->report().json()}};
}

std::string Instruments::take_findings() {
  if (!checks_) return "[]";
  const std::lock_guard lock(mutex_);
  printed_ = 0;
  const std::vector<CheckFinding> findings = checks_->findings().take();
  Json json = json_of(findings);
  for (std::size_t i = 0; i < findings.size(); ++i) json[i]["text"] = text_of(findings[i]);
  return json_text(json);
}

std::string Instruments::kernels_json() const {
  return checks_ ? json_text(checks_->report().json()) : "[]";
}

void Instruments::launch_failed(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (failed_launches_++ == 0) first_failure_ = message.substr(0, message.find('\n'));
}

void Instruments::summarize_checks() {
  after_launch();
  const std::uint64_t errors = checks_->findings().errors();
  const std::uint64_t warnings = checks_->findings().all().size() - errors;
  if (config_.check() && errors + warnings > 0)
    say(fmt::format("the checks found {} and {}", counted(errors, "error"),
                    counted(warnings, "warning")));
}

void Instruments::summarize_failures() {
  const std::lock_guard lock(mutex_);
  if (failed_launches_ == 0 || !config_.fails_exit) return;
  say(failed_launches_ == 1 ? fmt::format("the run failed: {}", first_failure_)
                            : fmt::format("the run failed: {} kernels stopped, the first with {}",
                                          failed_launches_, first_failure_));
}

int Instruments::finish() {
  bool has_errors = false;
  if (checks_) {
    if (config_.check())
      for (const UnseenFailure& failure : unseen_failures())
        checks_->findings().add(
            {.kind = FindingKind::kFailedLaunch, .kernel = failure.kernel, .what = failure.why});
    summarize_checks();
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
    write_report();
    has_errors = config_.check() && checks_->findings().errors() > 0;
  }
  summarize_failures();
  if (has_errors) return kFindingsStatus;
  return config_.fails_exit && failed_launches_ > 0 ? kFailedLaunchStatus : 0;
}

void Instruments::finish_early() {
  if (checks_) summarize_checks();
  summarize_failures();
}

// A program may start others, and each has findings of its own: the first process takes the name,
// the rest a name with their number in it.
const std::string& Instruments::report_file() {
  if (report_process_ == getpid()) return report_file_;
  report_process_ = getpid();
  std::filesystem::path name = config_.report;
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) {
    const std::string ending = name.extension().string();
    name.replace_extension(fmt::format("{}{}", report_process_, ending));
  }
  return report_file_ = name.string();
}

void Instruments::write_report() {
  if (config_.report.empty()) return;
  const std::string content = config_.report.ends_with(".html")
                                  ? report_html(program_name(), targets(), config_.check(),
                                                checks_->findings(), checks_->report())
                                  : json_text(report_json());
  if (const auto written = write_file_atomic(report_file(), content); !written)
    notify({.kind = EventKind::kLimit, .text = written.error().message()});
}

}  // namespace hipwright::soft::hip
