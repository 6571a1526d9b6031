// SPDX-License-Identifier: MIT
// Turns the results of a sweep into checks.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/check_report.h"
#include "verify/golden/golden.h"
#include "verify/kernel/reduction.h"
#include "verify/kernel/results.h"
#include "verify/kernel/sweep.h"
#include "verify/kernel/vacuous_results.h"
#include "verify/timeout.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

struct CellRun {
  const Cell* cell;
  CellResult result;
  std::string vacuous;  // why its outputs prove nothing; empty if they are meaningful
  bool is_done() const { return result.stage == Stage::kDone; }
};

class Judge {
 public:
  Judge(const KernelSpec& spec, std::uint64_t seed, std::vector<CellRun> ran)
      : spec_(spec), seed_(seed), ran_(std::move(ran)) {}

  Result<std::vector<Check>> judge() {
    for (CellRun& each : ran_)
      if (each.is_done() && each.cell->device != kReference) {
        HW_TRY(each.vacuous, why_vacuous(spec_, seed_, each.result));
      }
    for (const CellRun& each : ran_) look_at_run(each);
    for (const CellRun& each : ran_)
      if (each.is_done() && each.cell->schedule.starts_with("random")) look_at_schedule(each);
    HW_CHECK(look_at_golden());
    look_at_pairs();
    look_at_other_writes();
    for (const CellRun& each : ran_)
      if (is_plain(each)) HW_CHECK(look_at_invariants(each));
    return std::move(checks_);
  }

 private:
  // Finished, in the default schedule.
  static bool is_plain(const CellRun& ran) {
    return ran.is_done() && !ran.cell->schedule.starts_with("random");
  }

  static std::string kind_of(const CellRun& ran) {
    return ran.cell->device.substr(0, ran.cell->device.find(':'));
  }

  Check& add(Level level, std::string question, const CellRun& ran) {
    const CellResult& result = ran.result;
    Check& check = checks_.emplace_back();
    check.level = level;
    check.subject = fmt::format("kernel {}{}", spec_.label,
                                seed_ == spec_.seed ? "" : fmt::format(", seed {}", seed_));
    check.question = std::move(question);
    check.setting = {result.device, result.compiler, kind_of(ran)};
    check.seconds = result.seconds;
    return check;
  }

  static bool is_random(const CellRun& ran) { return ran.cell->schedule.starts_with("random"); }

  void look_at_build(const CellRun& ran) {
    const CellResult& result = ran.result;
    if (result.stage == Stage::kOtherTarget) {
      if (is_random(ran)) return;  // reported already
      Check& check = add(Level::kBuild, fmt::format("has code for {}", ran.cell->device), ran);
      check.evidence = result.error;
      check.setting = {};  // nothing ran, and nothing was compiled
      return;
    }
    const bool is_refused = result.stage == Stage::kBuild;
    // The same code in another order of waves: reported already.
    if (is_refused && is_random(ran) &&
        std::any_of(ran_.begin(), ran_.end(), [&](const CellRun& each) {
          return !is_random(each) && each.cell->device == ran.cell->device &&
                 each.result.stage == Stage::kBuild;
        }))
      return;
    const bool is_compiled =
        ran.is_done() || result.stage == Stage::kRun || result.stage == Stage::kUnsupported;
    if (!is_refused && (is_random(ran) || !is_compiled)) return;
    Check& check = add(Level::kBuild, fmt::format("compiles for {}", ran.cell->device), ran);
    if (is_refused) {
      check.verdict = Verdict::kFail;
      check.evidence = result.error;
      return;
    }
    check.verdict = Verdict::kPass;
    check.evidence = result.compiler;
    if (!result.resources) {
      if (spec_.limits.empty()) return;
      check.verdict = Verdict::kNotChecked;
      check.evidence = "the spec sets limits, but this code does not record its resources";
      return;
    }
    const std::string over = excess(*result.resources, spec_.limits);
    if (!over.empty()) check.verdict = Verdict::kFail;
    check.evidence = to_string(*result.resources);
    for (const std::string& more : {over, warning_of(*result.resources)})
      if (!more.empty()) check.evidence += "\n" + more;
  }

  // On a device of the same kind, in any schedule: schedules take about the same time.
  std::optional<FinishedRun> fastest_like(const CellRun& ran) const {
    std::optional<FinishedRun> best;
    for (const CellRun& each : ran_)
      if (each.is_done() && kind_of(each) == kind_of(ran) &&
          (!best || each.result.seconds < best->seconds))
        best = {each.cell->schedule.empty()
                    ? each.cell->device
                    : fmt::format("{} ({})", each.cell->device, each.cell->schedule),
                each.result.seconds};
    return best;
  }

  void look_at_run(const CellRun& ran) {
    const CellResult& result = ran.result;
    look_at_build(ran);
    if (result.stage == Stage::kBuild || result.stage == Stage::kOtherTarget) return;
    Check& check =
        add(Level::kFunctional,
            is_random(ran) ? fmt::format("runs on {} ({})", ran.cell->device, ran.cell->schedule)
                           : fmt::format("runs on {}", ran.cell->device),
            ran);
    const std::string errors = result.findings.text("error");
    if (result.stage == Stage::kTimedOut) {
      judge_timeout(check, result.seconds, fastest_like(ran), "sizes in the spec");
      if (!errors.empty()) {
        check.verdict = Verdict::kFail;
        check.evidence += errors;
      }
    } else if (result.stage == Stage::kUnsupported) {
      check.verdict = errors.empty() ? Verdict::kNotChecked : Verdict::kFail;
      check.evidence = result.error + errors;
    } else if (result.stage == Stage::kLost) {
      // A second process lost it again, so the kernel is the cause.
      check.verdict = Verdict::kFail;
      check.evidence = fmt::format("the device was lost twice: {}{}", result.error, errors);
    } else if (!ran.is_done()) {
      check.verdict = Verdict::kFail;
      check.evidence = result.error + errors;
    } else if (!errors.empty()) {
      check.verdict = Verdict::kFail;
      check.evidence = "the software GPU's checks found:" + errors;
    } else {
      check.verdict = Verdict::kPass;
      const std::string warnings = result.findings.text("warning");
      check.evidence = warnings.empty() ? "it finished" : "warnings:" + warnings;
    }
  }

  const CellRun* same_device(const CellRun& random) const {
    const auto found = std::find_if(ran_.begin(), ran_.end(), [&](const CellRun& each) {
      return is_plain(each) && each.cell->device == random.cell->device;
    });
    return found == ran_.end() ? nullptr : &*found;
  }

  void look_at_schedule(const CellRun& random) {
    const CellRun* plain = same_device(random);
    if (plain == nullptr) return;
    compare_outputs(Level::kFunctional,
                    fmt::format("wave order does not matter on {} ({})", random.cell->device,
                                random.cell->schedule),
                    *plain, random);
  }

  bool depends_on_wave(const Argument& argument) const {
    return std::any_of(argument.shape.begin(), argument.shape.end(), [](const Expression& each) {
      return each.text().find("wave") != std::string::npos;
    });
  }

  void compare_outputs(Level level, std::string question, const CellRun& expected,
                       const CellRun& actual) {
    Check& check = add(level, std::move(question), actual);
    for (const Argument& argument : spec_.arguments) {
      if (!argument.is_output) continue;
      const Values& left = expected.result.outputs.at(argument.name);
      const Values& right = actual.result.outputs.at(argument.name);
      if (left.shape != right.shape && depends_on_wave(argument)) {
        check.evidence += fmt::format(
            "{}: not compared, because its shape depends on the wave size. ", argument.name);
        continue;
      }
      note(check, argument, left, right,
           compare(left, right, argument.tolerance, layout_of(actual.result)));
    }
    if (check.verdict == Verdict::kFail) point_at_findings(check, expected, actual);
    if (expected.cell->device != kReference) discount(check, actual);
  }

  static void discount(Check& check, const CellRun& ran) {
    if (check.verdict != Verdict::kPass || ran.vacuous.empty()) return;
    check.verdict = Verdict::kNotChecked;
    check.evidence = ran.vacuous;
  }

  // A written buffer that is not marked as an output may be one, or scratch memory of the kernel.
  void look_at_other_writes() {
    for (const CellRun& ran : ran_) {
      if (!is_plain(ran) || ran.result.also_written.empty()) continue;
      Check& check = add(Level::kNumerical, "every buffer it writes is compared", ran);
      check.evidence = fmt::format(
          "it also writes {}, which the spec does not mark as an output; set output = true to "
          "compare it",
          fmt::join(ran.result.also_written, ", "));
      return;  // the same on other devices
    }
  }

  static Layout layout_of(const CellResult& result) {
    return {result.wave_size, result.block_size};
  }

  static void note(Check& check, const Argument& argument, const Values& expected,
                   const Values& actual, const Comparison& comparison) {
    check.evidence += fmt::format("{}: {} ", argument.name, comparison.text());
    if (comparison.passes) {
      if (check.verdict == Verdict::kNotChecked) check.verdict = Verdict::kPass;
      return;
    }
    check.verdict = Verdict::kFail;
    if (check.picture.empty()) check.picture = picture_of(expected, actual, comparison);
  }

  // A finding of the software GPU's checks is the likely cause.
  static void point_at_findings(Check& check, const CellRun& expected, const CellRun& actual) {
    for (const CellRun* each : {&actual, &expected})
      for (const char* severity : {"error", "warning"})
        if (const std::string found = each->result.findings.text(severity); !found.empty()) {
          check.evidence += fmt::format("\nchecks on {} found:{}", each->cell->device, found);
          return;
        }
  }

  Status look_at_golden() {
    if (spec_.golden.empty() || seed_ != spec_.seed) return {};
    HW_TRY(const Golden golden, read_golden(spec_.golden));
    HW_TRY(const std::string source, source_hash({spec_.golden_source()}));
    HW_CHECK(check_source(golden, source, spec_.golden.string()));
    if (golden.provenance.seed != seed_)
      return fail(
          "cannot compare with the golden results", spec_.golden.string(),
          fmt::format("they use seed {}, but the spec uses {}", golden.provenance.seed, seed_),
          "Capture them again.");
    for (const CellRun& ran : ran_) {
      if (!is_plain(ran)) continue;
      Check& check =
          add(Level::kNumerical,
              fmt::format("{} matches {}", ran.cell->device, golden.provenance.device), ran);
      for (const Argument& argument : spec_.arguments) {
        if (!argument.is_output) continue;
        const auto stored = golden.tensors.find(argument.name);
        if (stored == golden.tensors.end()) {
          check.verdict = Verdict::kFail;
          check.evidence += fmt::format("the golden file has no tensor {}. ", argument.name);
          continue;
        }
        const Values& actual = ran.result.outputs.at(argument.name);
        note(check, argument, stored->second.values, actual,
             compare(stored->second, actual, argument.tolerance, layout_of(ran.result)));
      }
      if (check.verdict == Verdict::kFail) point_at_findings(check, ran, ran);
      discount(check, ran);
    }
    return {};
  }

  // Others are compared with the reference and hardware first, then with CUDA's wave size.
  static int rank(const CellRun& ran) {
    const std::string& device = ran.cell->device;
    if (device == kReference) return 0;
    if (device.starts_with("cuda")) return 1;
    if (device.starts_with("hip")) return 2;
    return ran.result.wave_size <= 32 ? 3 : 4;
  }

  void look_at_pairs() {
    std::vector<const CellRun*> plain;
    for (const CellRun& each : ran_)
      if (is_plain(each)) plain.push_back(&each);
    std::stable_sort(plain.begin(), plain.end(),
                     [](const CellRun* a, const CellRun* b) { return rank(*a) < rank(*b); });
    for (std::size_t i = 0; i < plain.size(); ++i)
      for (std::size_t j = i + 1; j < plain.size(); ++j) {
        const unsigned a = plain[i]->result.wave_size, b = plain[j]->result.wave_size;
        const bool are_waves = a != b && a != 0 && b != 0;
        compare_outputs(Level::kNumerical,
                        are_waves ? fmt::format("wave{} ({}) and wave{} ({}) agree", a,
                                                plain[i]->cell->device, b, plain[j]->cell->device)
                                  : fmt::format("{} and {} agree", plain[i]->cell->device,
                                                plain[j]->cell->device),
                        *plain[i], *plain[j]);
      }
  }

  Status look_at_invariants(const CellRun& ran) {
    if (spec_.invariants.empty()) return {};
    HW_TRY(const auto inputs, initial_values(spec_, std::max(ran.result.wave_size, 1U), seed_));
    const Expression::Tensors tensors = [&](std::string_view function,
                                            std::string_view name) -> Result<double> {
      const auto output = ran.result.outputs.find(std::string(name));
      if (output != ran.result.outputs.end()) return reduced(function, output->second);
      const auto input = inputs.find(std::string(name));
      if (input != inputs.end()) return reduced(function, input->second);
      return fail("cannot compute", fmt::format("{}({})", function, name), "no such argument");
    };
    Sizes sizes = spec_.sizes;
    sizes["wave"] = ran.result.wave_size;
    for (const Expression& each : spec_.invariants) {
      HW_TRY(const double value, each.number(sizes, tensors));
      Check& check =
          add(Level::kNumerical, fmt::format("{} on {}", each.text(), ran.cell->device), ran);
      const bool holds = value != 0 && !std::isnan(value);
      check.verdict = holds ? Verdict::kPass : Verdict::kFail;
      check.evidence = holds ? "holds" : "does not hold";
    }
    return {};
  }

  const KernelSpec& spec_;
  std::uint64_t seed_;
  std::vector<CellRun> ran_;
  std::vector<Check> checks_;
};

Result<std::optional<CellResult>> find_result(const std::vector<fs::path>& folders,
                                              const std::string& id) {
  for (const fs::path& folder : folders) {
    HW_TRY(auto result, read_result(folder, id));
    if (result && result->is_whole) return result;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<Check>> judge(const std::vector<KernelSpec>& specs,
                                 const std::vector<Cell>& cells,
                                 const std::vector<fs::path>& folders) {
  std::vector<Check> checks;
  for (const KernelSpec& spec : specs) {
    std::map<std::uint64_t, std::vector<CellRun>> by_seed;
    for (const Cell& cell : cells) {
      if (cell.label != spec.label) continue;
      HW_TRY(auto result, find_result(folders, cell_id(spec, cell)));
      if (result) {
        by_seed[cell.seed].push_back({&cell, *std::move(result), {}});
        continue;
      }
      checks.push_back({.level = Level::kFunctional,
                        .subject = "kernel " + spec.label,
                        .question = "runs: " + cell.text(),
                        .evidence = "no result; run its shard",
                        .setting = {cell.device, ""}});
    }
    for (auto& [seed, ran] : by_seed) {
      HW_TRY(std::vector<Check> judged, Judge(spec, seed, std::move(ran)).judge());
      std::move(judged.begin(), judged.end(), std::back_inserter(checks));
    }
  }
  return checks;
}

}  // namespace hipwright::verify
