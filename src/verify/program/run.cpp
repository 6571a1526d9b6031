// SPDX-License-Identifier: MIT
#include "verify/program/run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/process.h"
#include "base/stop.h"
#include "base/words.h"
#include "verify/devices.h"
#include "verify/program/agreement.h"
#include "verify/program/outcome.h"
#include "verify/program/single_run.h"
#include "verify/timeout.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLessToDo = "runs in hipwright.toml";
constexpr const char* kNeedsArguments =
    "no kernel ran; does it need arguments (runs in hipwright.toml, --arguments)?";

class ProgramRunner {
 public:
  ProgramRunner(const ProgramSpec& program, std::size_t nth, const fs::path& executable,
                const RunOptions& options)
      : program_(program),
        arguments_(program.runs[nth]),
        executable_(executable),
        options_(options) {
    runs_.subject = fmt::format("program {}{}{}", program.name, arguments_.empty() ? "" : " ",
                                fmt::join(arguments_, " "));
    runs_.golden = program.golden_of(nth);
  }

  Result<std::vector<Check>> checks() {
    for (const std::string& device : options_.devices) {
      // A program that ignores errors would succeed without having run anything.
      if (std::string why = why_not_run(options_.archs, device); !why.empty()) {
        Check& check = add(Level::kFunctional, "runs and reports success", device);
        check.evidence = std::move(why);
        check.is_declined = !options_.names_devices;  // by --arch
        continue;
      }
      HW_TRY(ProgramRun ran, run(device, {}, false));
      runs_.ran.push_back(std::move(ran));
    }
    HW_CHECK(run_without_kernels());
    for (const ProgramRun& ran : runs_.ran) {
      // With checks it takes even longer.
      if (!is_soft(ran.device) || ran.finished.timed_out) continue;
      HW_TRY(ProgramRun checked, run(ran.device, {}, true));
      runs_.checked.push_back(std::move(checked));
    }
    for (const ProgramRun& ran : runs_.ran) judge_run(ran);
    for (const ProgramRun& checked : runs_.checked) judge_checks(checked);
    HW_CHECK(vary_schedules());
    if (!options_.compares) return std::move(checks_);
    compare_with_golden(program_, runs_, options_, checks_);
    compare_devices(runs_, checks_);
    return std::move(checks_);
  }

 private:
  Check& add(Level level, std::string question, const std::string& device) {
    return checks_.emplace_back(check_of(runs_.subject, level, std::move(question), device));
  }

  Result<ProgramRun> run(const std::string& device, const std::string& schedule,
                         bool checks) const {
    return run_once(program_, arguments_, executable_, options_,
                    {.device = device, .schedule = schedule, .checks = checks});
  }

  static bool passes(const ProgramRun& ran) { return ending_of(ran).verdict == Verdict::kPass; }

  // Output that is the same with kernels disabled proves nothing about them.
  Status run_without_kernels() {
    for (const ProgramRun& ran : runs_.ran) {
      if (!is_soft(ran.device) || ran.finished.timed_out || !passes(ran)) continue;
      RunOptions options = options_;
      // A program may wait forever for what a kernel should do.
      options.timeout = std::min(options_.timeout,
                                 std::chrono::seconds(10 + 2 * std::lround(ran.finished.seconds)));
      HW_TRY(ProgramRun idle, run_once(program_, arguments_, executable_, options,
                                       {.device = ran.device, .kernels = false}));
      const bool ends = !idle.finished.timed_out && passes(idle);
      succeeds_without_kernels_ |= ends;
      runs_.ignores_kernels |= ends && leave_the_same(idle, ran);
      if (!idle.finished.timed_out) runs_.idle.push_back(std::move(idle));
    }
    return {};
  }

  // The fastest run of the same kind on a device of the same kind.
  static std::optional<FinishedRun> fastest_of(const std::vector<ProgramRun>& all,
                                               const ProgramRun& ran) {
    std::optional<FinishedRun> best;
    for (const ProgramRun& each : all)
      if (each.finished.ok() && is_soft(each.device) == is_soft(ran.device) &&
          (!best || each.finished.seconds < best->seconds))
        best = {each.device, each.finished.seconds};
    return best;
  }

  double limit() const { return static_cast<double>(options_.timeout.count()); }

  void judge_run(const ProgramRun& ran) {
    const Finished& finished = ran.finished;
    Check& check = add(Level::kFunctional, "runs and reports success", ran.device);
    check.seconds = finished.seconds;
    if (finished.timed_out && ending_of(ran.events).verdict == Verdict::kPass) {
      judge_timeout(check, limit(), fastest_of(runs_.ran, ran), kLessToDo);
    } else if (const Ending ending = ending_of(ran); ending.verdict != Verdict::kPass) {
      const bool asks = runs_nothing(ran) &&
                        lowered(finished.out + finished.err).find("usage") != std::string::npos;
      check.verdict = asks ? Verdict::kNotChecked : ending.verdict;
      check.evidence =
          asks ? fmt::format("{}: {}", kNeedsArguments, ending.evidence) : ending.evidence;
    } else {
      const bool ran_nothing = runs_nothing(ran);
      check.verdict = ran_nothing ? Verdict::kNotChecked : Verdict::kPass;
      check.evidence = finished.out.empty() ? "exit code 0" : last_lines(finished.out, 3);
      if (ran_nothing)
        check.evidence = fmt::format("{} Exit code 0{}{}", kNeedsArguments,
                                     finished.out.empty() ? "" : ":\n", check.evidence);
      else if (succeeds_without_kernels_)
        check.evidence +=
            "\nit also reports success with kernels disabled, so it does not check what they "
            "compute";
    }
  }

  bool runs_nothing(const ProgramRun& ran) const {
    return missed_the_device(ran) ||
           std::any_of(runs_.checked.begin(), runs_.checked.end(), [&](const ProgramRun& checked) {
             return checked.device == ran.device && ran_nothing(checked);
           });
  }

  // Judges only the findings: how the program ends is judged in the run without checks.
  void judge_checks(const ProgramRun& ran) {
    const Finished& finished = ran.finished;
    Check& check = add(Level::kFunctional, "runs without check findings", ran.device);
    check.seconds = finished.seconds;
    judge_report(check, ran);
    if (finished.timed_out && check.verdict != Verdict::kFail &&
        ending_of(ran.events).verdict == Verdict::kPass)
      judge_timeout(check, limit(), fastest_of(runs_.checked, ran), kLessToDo);
  }

  // One device of each wave size is enough: schedules depend on nothing else.
  Status vary_schedules() {
    constexpr const char* kQuestion = "wave order does not matter";
    std::vector<unsigned> waves;
    for (const ProgramRun& ran : runs_.ran) {
      const unsigned wave = wave_of(ran.device);
      if (wave == 0 || std::find(waves.begin(), waves.end(), wave) != waves.end()) continue;
      waves.push_back(wave);
      if (options_.schedules == 0) {
        Check& check = add(Level::kFunctional, kQuestion, ran.device);
        check.evidence = "no other order was requested; --schedules 2 tries two";
        check.is_declined = true;
      } else if (ran.finished.timed_out || !passes(ran)) {
        add(Level::kFunctional, kQuestion, ran.device).evidence =
            "it does not succeed in the default order; see that check";
      } else {
        std::vector<ProgramRun> others;
        for (unsigned seed = 1; seed <= options_.schedules; ++seed) {
          HW_TRY(ProgramRun other, run(ran.device, fmt::format("random:{}", seed), false));
          if (judge_schedule(other)) others.push_back(std::move(other));
        }
        compare_schedules(kQuestion, ran, others);
      }
    }
    return {};
  }

  // Whether the run succeeded.
  bool judge_schedule(const ProgramRun& ran) {
    Check& check = add(Level::kFunctional,
                       fmt::format("runs and reports success ({})", ran.schedule), ran.device);
    check.seconds = ran.finished.seconds;
    // Random orders do not use all cores, so a comparison of times cannot prove a hang.
    if (ran.finished.timed_out && ending_of(ran.events).verdict == Verdict::kPass) {
      judge_timeout(check, limit(), std::nullopt, kLessToDo);
      return false;
    }
    const Ending ending = ending_of(ran);
    const bool succeeds = ending.verdict == Verdict::kPass;
    const bool ran_nothing = succeeds && runs_nothing(ran);
    check.verdict = ran_nothing ? Verdict::kNotChecked : ending.verdict;
    check.evidence = ran_nothing ? kNeedsArguments : succeeds ? "exit code 0" : ending.evidence;
    if (check.verdict == Verdict::kFail) check.evidence += "\n" + again(ran);
    return succeeds;
  }

  // Captures that differ reveal a race, which no tolerance excuses. Printed output is compared at
  // the numerical level.
  void compare_schedules(const std::string& question, const ProgramRun& usual,
                         const std::vector<ProgramRun>& others) {
    const bool has_captures = !usual.captures.empty() ||
                              std::any_of(others.begin(), others.end(), [](const ProgramRun& ran) {
                                return !ran.captures.empty();
                              });
    if (others.empty() || (!has_captures && !options_.compares)) return;
    Check& check =
        add(has_captures ? Level::kFunctional : Level::kNumerical, question, usual.device);
    for (const ProgramRun& other : others) {
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
    discount(check, runs_);
  }

  std::string again(const ProgramRun& ran) const {
    return fmt::format(
        "This run shuffles the order of waves, delays streams as far as the program allows, and "
        "hands out memory that is not zeroed. To reproduce: hipwright run --device {} --schedule "
        "{} -- {}",
        ran.device, ran.schedule, as_typed());
  }

  std::string as_typed() const {
    std::vector<std::string> words = {"./" + fs::path(program_.name).filename().string()};
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    return shell_quoted(words);
  }

  const ProgramSpec& program_;
  const std::vector<std::string>& arguments_;
  const fs::path& executable_;
  const RunOptions& options_;
  ProgramRuns runs_;
  bool succeeds_without_kernels_ = false;
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
                        .question = "runs and reports success",
                        .evidence = "not built"});
      if (options.compares)
        checks.push_back({.level = Level::kNumerical,
                          .subject = "program " + program.name,
                          .question = "matches the original",
                          .evidence = "not built"});
      continue;
    }
    for (std::size_t nth = 0; nth < program.runs.size(); ++nth) {
      auto more = ProgramRunner(program, nth, executable->second, options).checks();
      if (!more && stop_requested()) return checks;
      if (!more) return std::unexpected(more.error());
      std::move(more->begin(), more->end(), std::back_inserter(checks));
    }
  }
  return checks;
}

}  // namespace hipwright::verify
