// SPDX-License-Identifier: MIT
#include "verify/program/agreement.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/devices.h"
#include "verify/golden/golden.h"
#include "verify/kernel/cell.h"
#include "verify/program/printed_output.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

class GoldenComparison {
 public:
  GoldenComparison(const ProgramSpec& program, const ProgramRuns& runs, const RunOptions& options,
                   std::vector<Check>& checks)
      : program_(program), runs_(runs), options_(options), checks_(checks) {}

  void compare() {
    if (runs_.golden.empty()) {
      Check& check = add("matches the original", "");
      check.evidence =
          "no golden results; capture them where the original runs (see hipwright verify golden "
          "--help)";
      return;
    }
    const auto golden = read_golden(runs_.golden);
    if (!golden) {
      Check& check = add("matches the original", "");
      check.verdict = Verdict::kFail;
      check.evidence = golden.error().message();
      return;
    }
    if (golden->tensors.empty()) {
      add("matches the original", "").evidence =
          fmt::format("{} is empty", runs_.golden.filename().string());
      return;
    }
    if (!check_sources(*golden)) return;
    for (const ProgramRun& ran : runs_.ran) compare_run(*golden, ran);
    std::set<std::string> unknown;
    for (const ProgramRun& ran : runs_.ran)
      for (const auto& [name, values] : ran.captures)
        if (!golden->tensors.contains(name)) unknown.insert(name);
    if (unknown.empty()) return;
    Check& check = add("every capture has a golden result", "");
    check.evidence = fmt::format("{} lacks {}; recreate it where the original runs",
                                 runs_.golden.filename().string(), fmt::join(unknown, ", "));
  }

 private:
  Check& add(std::string question, const std::string& device) {
    return checks_.emplace_back(
        check_of(runs_.subject, Level::kNumerical, std::move(question), device));
  }

  void compare_run(const Golden& golden, const ProgramRun& ran) {
    Check& check =
        add(fmt::format("matches {}", golden.provenance.device.empty() ? "the original"
                                                                       : golden.provenance.device),
            ran.device);
    if (!has_results(ran)) {
      check.evidence = "it did not finish";
      return;
    }
    check.verdict = Verdict::kPass;
    for (const auto& [name, stored] : golden.tensors) {
      const auto actual = ran.captures.find(name);
      if (actual == ran.captures.end()) {
        check.verdict = Verdict::kFail;
        check.evidence += fmt::format("{}: missing from this run's captures. ", name);
        continue;
      }
      note_comparison(
          check, name, stored.values, actual->second,
          verify::compare(stored, actual->second, capture_tolerance(name, actual->second),
                          {wave_of(ran.device), 0}));
    }
    discount(check, runs_);
    if (check.verdict == Verdict::kFail && program_.runs.size() > 1 && program_.goldens.size() == 1)
      check.evidence +=
          "\nThese golden results apply to every run; to give each run its own, set golden = "
          "[\"one\", \"two\"] in hipwright.toml.";
  }

  // Whether the golden results belong to the original's sources, if these are known.
  bool check_sources(const Golden& golden) {
    const bool knows = !options_.original.empty();
    std::vector<fs::path> sources;
    for (const std::string& unit : program_.units)
      sources.push_back((knows ? options_.original : options_.root) / unit);
    const auto hash = source_hash(sources);
    const Status same =
        hash ? check_source(golden, *hash, runs_.golden.string()) : std::unexpected(hash.error());
    if (same) return true;
    Check& check = add(
        knows ? "matches the original" : "the golden results belong to the original's sources", "");
    if (knows) {
      check.verdict = Verdict::kFail;
      check.evidence = same.error().message();
    } else {
      check.evidence = "the original's sources are unknown; pass --original DIR";
    }
    return !knows;
  }

  const ProgramSpec& program_;
  const ProgramRuns& runs_;
  const RunOptions& options_;
  std::vector<Check>& checks_;
};

class DeviceComparison {
 public:
  DeviceComparison(const ProgramRuns& runs, std::vector<Check>& checks)
      : runs_(runs), checks_(checks) {}

  void compare() {
    const auto first = [&](unsigned wave) -> const ProgramRun* {
      for (const ProgramRun& ran : runs_.ran)
        if (wave_of(ran.device) == wave && has_results(ran)) return &ran;
      return nullptr;
    };
    const ProgramRun *narrow = first(32), *wide = first(64);
    if (narrow != nullptr && wide != nullptr) {
      Check& check =
          add(fmt::format("wave32 ({}) and wave64 ({}) agree", narrow->device, wide->device),
              wide->device);
      compare_runs(check, *narrow, *wide);
      compare_results(check, *narrow, *wide);
      discount(check, runs_);
      if (check.verdict == Verdict::kFail) point_at_findings(check);
    } else {
      say_no_waves(narrow == nullptr ? 32 : 64);
    }
    compare_others(narrow, wide);
  }

 private:
  Check& add(std::string question, const std::string& device) {
    return checks_.emplace_back(
        check_of(runs_.subject, Level::kNumerical, std::move(question), device));
  }

  // Without captures, a printed line may still be unmistakably a result.
  void compare_results(Check& check, const ProgramRun& left, const ProgramRun& right) const {
    if (check.verdict != Verdict::kNotChecked || !left.captures.empty() || !right.captures.empty())
      return;
    const auto [a, b] = different_results(prints_of(left), prints_of(right));
    if (a.empty()) return;
    check.verdict = Verdict::kFail;
    check.evidence = fmt::format(
        "{} prints '{}' and {} prints '{}' in every run, and neither with kernels disabled",
        left.device, a, right.device, b);
  }

  PrintedOutputs prints_of(const ProgramRun& ran) const {
    const auto of = [&](const std::vector<ProgramRun>& all) {
      const auto found = std::ranges::find(all, ran.device, &ProgramRun::device);
      return found == all.end() ? std::string() : printed_by(found->finished);
    };
    return {printed_by(ran.finished), of(runs_.checked), of(runs_.idle)};
  }

  void say_no_waves(unsigned lacking) {
    const bool was_tried =
        std::any_of(runs_.ran.begin(), runs_.ran.end(),
                    [&](const ProgramRun& ran) { return wave_of(ran.device) == lacking; });
    Check& check = add("wave32 and wave64 agree", "");
    check.evidence = was_tried ? fmt::format("it did not finish with {}-lane waves", lacking)
                               : fmt::format(
                                     "nothing ran with {}-lane waves; --device "
                                     "soft:gfx942,soft:gfx1100 --arch gfx942,gfx1100 runs both",
                                     lacking);
  }

  // Compares every further device, such as hardware, with the first one.
  void compare_others(const ProgramRun* narrow, const ProgramRun* wide) {
    const ProgramRun* base = narrow != nullptr ? narrow : wide;
    for (const ProgramRun& ran : runs_.ran) {
      if (!has_results(ran) || &ran == narrow || &ran == wide) continue;
      if (base == nullptr) {
        base = &ran;
        continue;
      }
      Check& check = add(fmt::format("{} and {} agree", base->device, ran.device), ran.device);
      compare_runs(check, *base, ran);
      discount(check, runs_);
    }
  }

  // A finding of the software GPU's checks is the likely cause.
  void point_at_findings(Check& check) const {
    for (const ProgramRun& ran : runs_.checked)
      if (const std::string errors = ran.checks.findings.text("error"); !errors.empty()) {
        check.evidence += fmt::format("\nchecks on {} found:{}", ran.device, errors);
        return;
      }
  }

  const ProgramRuns& runs_;
  std::vector<Check>& checks_;
};

}  // namespace

Check check_of(const std::string& subject, Level level, std::string question,
               const std::string& device) {
  return {.level = level,
          .subject = subject,
          .question = std::move(question),
          .setting = {device, compiler_text("gfx"), device.substr(0, device.find(':'))}};
}

void discount(Check& check, const ProgramRuns& runs) {
  if (!runs.ignores_kernels || check.verdict != Verdict::kPass) return;
  check.verdict = Verdict::kNotChecked;
  check.evidence =
      "the output is the same with kernels disabled (hipwright run --no-kernels), so it proves "
      "nothing about their results. " +
      check.evidence;
}

void compare_with_golden(const ProgramSpec& program, const ProgramRuns& runs,
                         const RunOptions& options, std::vector<Check>& checks) {
  GoldenComparison(program, runs, options, checks).compare();
}

void compare_devices(const ProgramRuns& runs, std::vector<Check>& checks) {
  DeviceComparison(runs, checks).compare();
}

}  // namespace hipwright::verify
