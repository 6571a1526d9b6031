// SPDX-License-Identifier: MIT
#include "verify/program/run.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/process.h"
#include "verify/devices.h"
#include "verify/golden/golden.h"
#include "verify/kernel/cell.h"
#include "verify/program/once.h"
#include "verify/program/outcome.h"
#include "verify/timeout.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLessToDo = "runs in hipwright.toml";

class ProgramRuns {
 public:
  ProgramRuns(const ProgramSpec& program, std::size_t nth, const fs::path& executable,
              const RunOptions& options)
      : program_(program),
        arguments_(program.runs[nth]),
        golden_(program.golden_of(nth)),
        executable_(executable),
        options_(options) {}

  Result<std::vector<Check>> checks() {
    for (const std::string& device : options_.devices) {
      // A program that does not look for errors would end well without having done anything.
      if (std::string why = why_not_run(options_.archs, device); !why.empty()) {
        add(Level::kFunctional, "runs, and is content with its results", device).evidence =
            std::move(why);
        continue;
      }
      HW_TRY(Ran ran, run(device, {}, false));
      ran_.push_back(std::move(ran));
    }
    for (const Ran& ran : ran_) {
      // With the checks it takes longer.
      if (!is_soft(ran.device) || ran.finished.timed_out) continue;
      HW_TRY(Ran checked, run(ran.device, {}, true));
      checked_.push_back(std::move(checked));
    }
    for (const Ran& ran : ran_) judge_run(ran);
    for (const Ran& checked : checked_) judge_checks(checked);
    HW_CHECK(vary_schedules());
    if (!options_.compares) return std::move(checks_);
    HW_CHECK(compare_with_golden());
    compare_waves();
    return std::move(checks_);
  }

 private:
  std::string subject() const {
    return fmt::format("program {}{}{}", program_.name, arguments_.empty() ? "" : " ",
                       fmt::join(arguments_, " "));
  }

  Check& add(Level level, std::string question, const std::string& device) {
    Check& check = checks_.emplace_back();
    check.level = level;
    check.subject = subject();
    check.question = std::move(question);
    check.setting = {device, compiler_text("gfx"), device.substr(0, device.find(':'))};
    return check;
  }

  Result<Ran> run(const std::string& device, const std::string& schedule, bool checks) const {
    return run_once(program_, arguments_, executable_, options_,
                    {.device = device, .schedule = schedule, .checks = checks});
  }

  // Of runs of the same kind on a device of the same kind.
  static std::optional<EndedRun> fastest_of(const std::vector<Ran>& all, const Ran& ran) {
    std::optional<EndedRun> best;
    for (const Ran& each : all)
      if (each.finished.ok() && is_soft(each.device) == is_soft(ran.device) &&
          (!best || each.finished.seconds < best->seconds))
        best = {each.device, each.finished.seconds};
    return best;
  }

  double limit() const { return static_cast<double>(options_.timeout.count()); }

  void judge_run(const Ran& ran) {
    const Finished& finished = ran.finished;
    Check& check = add(Level::kFunctional, "runs, and is content with its results", ran.device);
    check.seconds = finished.seconds;
    if (finished.timed_out) {
      judge_timeout(check, limit(), fastest_of(ran_, ran), kLessToDo);
    } else if (std::string lacks = missing_instruction(finished); !lacks.empty()) {
      check.evidence = std::move(lacks);
    } else if (std::string failure = failure_of(finished); !failure.empty()) {
      check.verdict = Verdict::kFail;
      check.evidence = std::move(failure);
    } else {
      const bool ran_nothing = runs_nothing(ran.device);
      check.verdict = ran_nothing ? Verdict::kNotChecked : Verdict::kPass;
      check.evidence = finished.out.empty() ? "it ended with 0" : last_lines(finished.out, 3);
      if (ran_nothing)
        check.evidence = fmt::format(
            "no kernel ran; does it need arguments (runs in "
            "hipwright.toml, --arguments)? It ended with 0{}{}",
            finished.out.empty() ? "" : ":\n", check.evidence);
    }
  }

  bool runs_nothing(const std::string& device) const {
    return std::any_of(checked_.begin(), checked_.end(),
                       [&](const Ran& ran) { return ran.device == device && ran_nothing(ran); });
  }

  // Only what the checks say: how it ends was judged without them.
  void judge_checks(const Ran& ran) {
    const Finished& finished = ran.finished;
    Check& check = add(Level::kFunctional, "runs without a finding of the checks", ran.device);
    check.seconds = finished.seconds;
    judge_report(check, ran);
    if (finished.timed_out && check.verdict != Verdict::kFail)
      judge_timeout(check, limit(), fastest_of(checked_, ran), kLessToDo);
  }

  // One device of each wave size: what a schedule shows does not depend on more.
  Status vary_schedules() {
    constexpr const char* kQuestion = "the order of waves does not matter";
    std::vector<unsigned> waves;
    for (const Ran& ran : ran_) {
      const unsigned wave = wave_of(ran.device);
      if (wave == 0 || std::find(waves.begin(), waves.end(), wave) != waves.end()) continue;
      waves.push_back(wave);
      if (options_.schedules == 0) {
        add(Level::kFunctional, kQuestion, ran.device).evidence =
            "no other order was asked for: --schedules 2 tries two";
      } else if (ran.finished.timed_out || !failure_of(ran.finished).empty()) {
        add(Level::kFunctional, kQuestion, ran.device).evidence =
            "it does not run well in the usual order: see there";
      } else {
        std::vector<Ran> others;
        for (unsigned seed = 1; seed <= options_.schedules; ++seed) {
          HW_TRY(Ran other, run(ran.device, fmt::format("random:{}", seed), false));
          if (judge_schedule(other)) others.push_back(std::move(other));
        }
        compare_schedules(kQuestion, ran, others);
      }
    }
    return {};
  }

  // Whether it ran well.
  bool judge_schedule(const Ran& ran) {
    Check& check =
        add(Level::kFunctional,
            fmt::format("runs, and is content with its results ({})", ran.schedule), ran.device);
    check.seconds = ran.finished.seconds;
    // The usual order has all cores, this one has not: their times say nothing of a hang.
    if (ran.finished.timed_out) {
      judge_timeout(check, limit(), std::nullopt, kLessToDo);
      return false;
    }
    const std::string failure = failure_of(ran.finished);
    check.verdict = failure.empty() ? Verdict::kPass : Verdict::kFail;
    check.evidence = failure.empty() ? "it ended with 0" : failure + "\n" + again(ran);
    return failure.empty();
  }

  // Captures that differ are a race, which no tolerance is for. What is only printed is compared
  // with the numbers.
  void compare_schedules(const std::string& question, const Ran& usual,
                         const std::vector<Ran>& others) {
    const bool has_captures = !usual.captures.empty() ||
                              std::any_of(others.begin(), others.end(),
                                          [](const Ran& ran) { return !ran.captures.empty(); });
    if (others.empty() || (!has_captures && !options_.compares)) return;
    Check& check =
        add(has_captures ? Level::kFunctional : Level::kNumerical, question, usual.device);
    for (const Ran& other : others) {
      Check one;
      compare_runs(one, usual, other);
      check.evidence +=
          fmt::format("{}{}: {}", check.evidence.empty() ? "" : "\n", other.schedule, one.evidence);
      check.verdict = one.verdict;
      if (one.verdict == Verdict::kPass) continue;
      if (one.verdict == Verdict::kFail) check.evidence += "\n" + again(other);
      check.picture = one.picture;
      return;
    }
  }

  std::string again(const Ran& ran) const {
    return fmt::format("Again: hipwright run --device {} --schedule {} -- {}", ran.device,
                       ran.schedule, as_typed());
  }

  std::string as_typed() const {
    std::vector<std::string> words = {"./" + fs::path(program_.name).filename().string()};
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    return shell_quoted(words);
  }

  Status compare_with_golden() {
    if (golden_.empty()) {
      Check& check = add(Level::kNumerical, "gives what the original gave", "");
      check.evidence =
          "there are no golden results: capture them where the original runs (hipwright verify "
          "golden --help)";
      return {};
    }
    HW_TRY(const Golden golden, read_golden(golden_));
    HW_TRY(const bool is_of_it, check_sources(golden));
    if (!is_of_it) return {};
    for (const Ran& ran : ran_) compare_with_golden(golden, ran);
    std::set<std::string> unknown;
    for (const Ran& ran : ran_)
      for (const auto& [name, values] : ran.captures)
        if (!golden.tensors.contains(name)) unknown.insert(name);
    if (unknown.empty()) return {};
    Check& check = add(Level::kNumerical, "all that it captures has a golden result", "");
    check.evidence = fmt::format("{} does not have {}: make it again where the original runs",
                                 golden_.filename().string(), fmt::join(unknown, ", "));
    return {};
  }

  void compare_with_golden(const Golden& golden, const Ran& ran) {
    Check& check = add(
        Level::kNumerical,
        fmt::format("gives what {} gave",
                    golden.provenance.device.empty() ? "the original" : golden.provenance.device),
        ran.device);
    if (ran.captures.empty() && !ran.finished.ok()) {
      check.evidence = "it did not run to its end";
      return;
    }
    check.verdict = Verdict::kPass;
    for (const auto& [name, stored] : golden.tensors) {
      const auto actual = ran.captures.find(name);
      if (actual == ran.captures.end()) {
        check.verdict = Verdict::kFail;
        check.evidence += fmt::format("{}: the run has no such capture. ", name);
        continue;
      }
      note_comparison(check, name, stored.values, actual->second,
                      compare(stored, actual->second, capture_tolerance(name, actual->second),
                              {wave_of(ran.device), 0}));
    }
    if (check.verdict == Verdict::kFail && program_.runs.size() > 1 && program_.goldens.size() == 1)
      check.evidence +=
          "\nThese golden results stand for all runs; each can have its own: golden = [\"one\", "
          "\"two\"] in hipwright.toml.";
  }

  // Whether the golden results are of what this is a port of, as far as that can be known.
  Result<bool> check_sources(const Golden& golden) {
    const bool knows = !options_.original.empty();
    std::vector<fs::path> sources;
    for (const std::string& unit : program_.units)
      sources.push_back((knows ? options_.original : options_.root) / unit);
    HW_TRY(const std::string hash, source_hash(sources));
    const Status same = check_source(golden, hash, golden_.string());
    if (same) return true;
    Check& check = add(
        Level::kNumerical,
        knows ? "gives what the original gave" : "the golden results are of the original's sources",
        "");
    if (knows) {
      check.verdict = Verdict::kFail;
      check.evidence = same.error().message();
    } else {
      check.evidence = "where the original is was not said: --original FOLDER";
    }
    return !knows;
  }

  static bool has_results(const Ran& ran) { return !ran.captures.empty() || ran.finished.ok(); }

  void compare_waves() {
    const auto first = [&](unsigned wave) -> const Ran* {
      for (const Ran& ran : ran_)
        if (wave_of(ran.device) == wave && has_results(ran)) return &ran;
      return nullptr;
    };
    const Ran *narrow = first(32), *wide = first(64);
    if (narrow != nullptr && wide != nullptr) {
      Check& check =
          add(Level::kNumerical,
              fmt::format("wave32 ({}) and wave64 ({}) agree", narrow->device, wide->device),
              wide->device);
      compare_runs(check, *narrow, *wide);
      if (check.verdict == Verdict::kFail) point_at_findings(check);
    } else {
      say_no_waves(narrow == nullptr ? 32 : 64);
    }
    compare_others(narrow, wide);
  }

  void say_no_waves(unsigned lacking) {
    const bool was_tried = std::any_of(
        ran_.begin(), ran_.end(), [&](const Ran& ran) { return wave_of(ran.device) == lacking; });
    Check& check = add(Level::kNumerical, "wave32 and wave64 agree", "");
    check.evidence =
        was_tried ? fmt::format("with waves of {} lanes it did not run to its end", lacking)
                  : fmt::format(
                        "nothing ran with waves of {} lanes: --device soft:gfx942,soft:gfx1100 "
                        "--arch gfx942,gfx1100 has both",
                        lacking);
  }

  // More devices than one of each wave size, hardware above all: each with the first.
  void compare_others(const Ran* narrow, const Ran* wide) {
    const Ran* base = narrow != nullptr ? narrow : wide;
    for (const Ran& ran : ran_) {
      if (!has_results(ran) || &ran == narrow || &ran == wide) continue;
      if (base == nullptr) {
        base = &ran;
        continue;
      }
      Check& check = add(Level::kNumerical,
                         fmt::format("{} and {} agree", base->device, ran.device), ran.device);
      compare_runs(check, *base, ran);
    }
  }

  // Where the software GPU saw something, that is the likely cause.
  void point_at_findings(Check& check) const {
    for (const Ran& ran : checked_)
      if (const std::string errors = findings_text(ran.checks.findings, "error"); !errors.empty()) {
        check.evidence += fmt::format("\nThe checks of {} saw:{}", ran.device, errors);
        return;
      }
  }

  const ProgramSpec& program_;
  const std::vector<std::string>& arguments_;
  const fs::path golden_;
  const fs::path& executable_;
  const RunOptions& options_;
  std::vector<Ran> ran_, checked_;
  std::vector<Check> checks_;
};

}  // namespace

Result<std::vector<Check>> run_programs(const std::vector<ProgramSpec>& programs,
                                        const std::map<std::string, fs::path>& executables,
                                        const RunOptions& options) {
  std::vector<Check> checks;
  Progress progress("running", programs.size(), "programs", options.progress);
  for (const ProgramSpec& program : programs) {
    const auto executable = executables.find(program.name);
    progress.advance(1, program.name);
    if (executable == executables.end()) {
      checks.push_back({.level = Level::kFunctional,
                        .subject = "program " + program.name,
                        .question = "runs, and is content with its results",
                        .evidence = "it was not built"});
      if (options.compares)
        checks.push_back({.level = Level::kNumerical,
                          .subject = "program " + program.name,
                          .question = "gives what the original gave",
                          .evidence = "it was not built"});
      continue;
    }
    for (std::size_t nth = 0; nth < program.runs.size(); ++nth) {
      HW_TRY(std::vector<Check> more,
             ProgramRuns(program, nth, executable->second, options).checks());
      std::move(more.begin(), more.end(), std::back_inserter(checks));
    }
  }
  return checks;
}

}  // namespace hipwright::verify
