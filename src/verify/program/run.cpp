// SPDX-License-Identifier: MIT
#include "verify/program/run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/process.h"
#include "base/words.h"
#include "verify/devices.h"
#include "verify/program/agreement.h"
#include "verify/program/once.h"
#include "verify/program/outcome.h"
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
      // A program that does not look for errors would end well without having done anything.
      if (std::string why = why_not_run(options_.archs, device); !why.empty()) {
        add(Level::kFunctional, "runs, and is content with its results", device).evidence =
            std::move(why);
        continue;
      }
      HW_TRY(Ran ran, run(device, {}, false));
      runs_.ran.push_back(std::move(ran));
    }
    HW_CHECK(run_without_kernels());
    for (const Ran& ran : runs_.ran) {
      // With the checks it takes longer.
      if (!is_soft(ran.device) || ran.finished.timed_out) continue;
      HW_TRY(Ran checked, run(ran.device, {}, true));
      runs_.checked.push_back(std::move(checked));
    }
    for (const Ran& ran : runs_.ran) judge_run(ran);
    for (const Ran& checked : runs_.checked) judge_checks(checked);
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

  Result<Ran> run(const std::string& device, const std::string& schedule, bool checks) const {
    return run_once(program_, arguments_, executable_, options_,
                    {.device = device, .schedule = schedule, .checks = checks});
  }

  // What it prints and captures then does not come from its kernels, and proves nothing of them.
  Status run_without_kernels() {
    for (const Ran& ran : runs_.ran) {
      if (!is_soft(ran.device) || ran.finished.timed_out || !failure_of(ran.finished).empty())
        continue;
      RunOptions options = options_;
      // A program may wait for ever for what a kernel should do.
      options.timeout = std::min(options_.timeout,
                                 std::chrono::seconds(10 + 2 * std::lround(ran.finished.seconds)));
      HW_TRY(Ran idle, run_once(program_, arguments_, executable_, options,
                                {.device = ran.device, .kernels = false}));
      const bool ends = !idle.finished.timed_out && failure_of(idle.finished).empty();
      is_content_without_kernels_ |= ends;
      runs_.ignores_kernels |= ends && leave_the_same(idle, ran);
      if (!idle.finished.timed_out) runs_.idle.push_back(std::move(idle));
    }
    return {};
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
      judge_timeout(check, limit(), fastest_of(runs_.ran, ran), kLessToDo);
    } else if (std::string lacks = missing_instruction(finished); !lacks.empty()) {
      check.evidence = std::move(lacks);
    } else if (std::string failure = failure_of(finished); !failure.empty()) {
      const bool asks = runs_nothing(ran.device) &&
                        lowered(finished.out + finished.err).find("usage") != std::string::npos;
      check.verdict = asks ? Verdict::kNotChecked : Verdict::kFail;
      check.evidence = asks ? fmt::format("{}: {}", kNeedsArguments, failure) : failure;
    } else {
      const bool ran_nothing = runs_nothing(ran.device);
      check.verdict = ran_nothing ? Verdict::kNotChecked : Verdict::kPass;
      check.evidence = finished.out.empty() ? "it ended with 0" : last_lines(finished.out, 3);
      if (ran_nothing)
        check.evidence = fmt::format("{} It ended with 0{}{}", kNeedsArguments,
                                     finished.out.empty() ? "" : ":\n", check.evidence);
      else if (is_content_without_kernels_)
        check.evidence +=
            "\nIt ends like this without its kernels, too: it does not look at what "
            "they compute";
    }
  }

  bool runs_nothing(const std::string& device) const {
    return std::any_of(runs_.checked.begin(), runs_.checked.end(),
                       [&](const Ran& ran) { return ran.device == device && ran_nothing(ran); });
  }

  // Only what the checks say: how it ends was judged without them.
  void judge_checks(const Ran& ran) {
    const Finished& finished = ran.finished;
    Check& check = add(Level::kFunctional, "runs without a finding of the checks", ran.device);
    check.seconds = finished.seconds;
    judge_report(check, ran);
    if (finished.timed_out && check.verdict != Verdict::kFail)
      judge_timeout(check, limit(), fastest_of(runs_.checked, ran), kLessToDo);
  }

  // One device of each wave size: what a schedule shows does not depend on more.
  Status vary_schedules() {
    constexpr const char* kQuestion = "the order of waves does not matter";
    std::vector<unsigned> waves;
    for (const Ran& ran : runs_.ran) {
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
    const bool ran_nothing = failure.empty() && runs_nothing(ran.device);
    check.verdict = ran_nothing       ? Verdict::kNotChecked
                    : failure.empty() ? Verdict::kPass
                                      : Verdict::kFail;
    check.evidence = ran_nothing       ? kNeedsArguments
                     : failure.empty() ? "it ended with 0"
                                       : failure + "\n" + again(ran);
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
    discount(check, runs_);
  }

  std::string again(const Ran& ran) const {
    return fmt::format(
        "In this run waves take another order, streams run as late as the program lets them, and "
        "fresh memory holds no zeros. Again: hipwright run --device {} --schedule {} -- {}",
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
  bool is_content_without_kernels_ = false;
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
             ProgramRunner(program, nth, executable->second, options).checks());
      std::move(more.begin(), more.end(), std::back_inserter(checks));
    }
  }
  return checks;
}

}  // namespace hipwright::verify
