// SPDX-License-Identifier: MIT
#include "verify/program/run.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/process.h"
#include "base/thread_pool.h"
#include "verify/golden/golden.h"
#include "verify/kernel/cell.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFound = "the checks found";
constexpr std::string_view kLacks = "is not implemented by the software GPU";

struct Ran {
  std::string device;
  Finished finished;
  std::map<std::string, Values> captures;
};

std::string last_lines(std::string_view text, std::size_t lines) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t begin = text.size();
  for (std::size_t i = 0; i < lines && begin != std::string_view::npos && begin != 0; ++i)
    begin = text.rfind('\n', begin - 1);
  return std::string(text.substr(begin == std::string_view::npos ? 0 : begin + (begin != 0)));
}

unsigned wave_of(std::string_view device) {
  if (!device.starts_with("soft:")) return 0;
  return device.starts_with("soft:gfx9") ? 64 : 32;
}

class ProgramRuns {
 public:
  ProgramRuns(const ProgramSpec& program, const std::vector<std::string>& arguments,
              const fs::path& executable, const RunOptions& options)
      : program_(program), arguments_(arguments), executable_(executable), options_(options) {}

  Result<std::vector<Check>> checks() {
    for (const std::string& device : options_.devices) {
      HW_TRY(Ran ran, run(device, false));
      judge_run(ran);
      const bool is_over = ran.finished.timed_out;
      ran_.push_back(std::move(ran));
      // With the checks it takes longer.
      if (!device.starts_with("soft:") || is_over) continue;
      HW_TRY(const Ran checked, run(device, true));
      judge_checks(checked);
    }
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

  Result<Ran> run(const std::string& device, bool checks) const {
    Ran ran{.device = device};
    std::string folder = fmt::format("{}-{}", program_.name, device);
    std::replace_if(
        folder.begin(), folder.end(), [](char c) { return c == '/' || c == ':' || c == '#'; }, '-');
    const fs::path captures = options_.scratch / "captures" / folder;
    std::error_code error;
    fs::remove_all(captures, error);
    fs::create_directories(captures, error);
    if (error) return fail("cannot capture to", captures.string(), error.message());
    hipwright::Command command;
    // Where its data files are.
    command.directory = options_.root / fs::path(program_.units[0]).parent_path();
    if (device.starts_with("soft:")) {
      command.argv = {options_.program.string(), "run", "--device", device};
      if (checks) command.argv.emplace_back("--check");
      command.argv.emplace_back("--");
    }
    command.argv.push_back(executable_.string());
    command.argv.insert(command.argv.end(), arguments_.begin(), arguments_.end());
    command.environment.emplace_back("HIPWRIGHT_GOLDEN", captures.string());
    command.timeout = options_.timeout;
    HW_TRY(ran.finished, hipwright::run(command));
    // A program that captures nothing is not compared, and the report says so.
    if (!fs::is_empty(captures, error)) {
      HW_TRY(ran.captures, read_captures(captures));
    }
    return ran;
  }

  void judge_run(const Ran& ran) {
    const Finished& finished = ran.finished;
    Check& check = add(Level::kFunctional, "runs, and is content with its results", ran.device);
    check.seconds = finished.seconds;
    const std::string complaint = complaint_in(finished.out + "\n" + finished.err);
    if (finished.timed_out) {
      check.evidence = fmt::format(
          "it did not end within {} s; give it less to do (runs in "
          "hipwright.toml) or more time (--timeout)",
          options_.timeout.count());
    } else if (const std::size_t lacks = finished.err.find(kLacks); lacks != std::string::npos) {
      const std::size_t line = finished.err.rfind('\n', lacks) + 1;  // npos + 1 is 0
      check.evidence = finished.err.substr(line, lacks + kLacks.size() - line);
    } else if (!finished.ok() || !complaint.empty()) {
      check.verdict = Verdict::kFail;
      check.evidence =
          fmt::format("{}\n{}",
                      !complaint.empty()     ? fmt::format("it says: {}", complaint)
                      : finished.signal != 0 ? fmt::format("signal {} ended it", finished.signal)
                                             : fmt::format("it ended with {}", finished.exit_code),
                      last_lines(finished.err.empty() ? finished.out : finished.err, 30));
    } else {
      check.verdict = Verdict::kPass;
      check.evidence = finished.out.empty() ? "it ended with 0" : last_lines(finished.out, 3);
    }
  }

  // Only what the checks say: how it ends was judged without them.
  void judge_checks(const Ran& ran) {
    const Finished& finished = ran.finished;
    Check& check = add(Level::kFunctional, "runs without a finding of the checks", ran.device);
    check.seconds = finished.seconds;
    if (finished.timed_out) {
      check.evidence = fmt::format(
          "with the checks it did not end within {} s; give it less to do, "
          "or more time (--timeout)",
          options_.timeout.count());
      return;
    }
    // "the checks found 2 errors and 1 warning"; warnings alone are no failure.
    const std::size_t found = finished.err.rfind(kFound);
    const bool finds =
        found != std::string::npos && finished.err.compare(found + kFound.size(), 3, " 0 ") != 0;
    const bool is_whole = finished.err.find(kLacks) == std::string::npos && finished.signal == 0;
    check.verdict = finds ? Verdict::kFail : is_whole ? Verdict::kPass : Verdict::kNotChecked;
    check.evidence = finds      ? last_lines(finished.err, 30)
                     : is_whole ? "none"
                                : "it did not run to its end";
  }

  static void note(Check& check, const std::string& name, const Values* expected,
                   const Values& actual, const Comparison& comparison) {
    check.evidence += fmt::format("{}: {} ", name, comparison.text());
    if (comparison.passes) return;
    check.verdict = Verdict::kFail;
    if (check.picture.empty() && comparison.problem.empty() && expected != nullptr &&
        expected->shape == actual.shape)
      check.picture = heat_map(*expected, actual, comparison);
  }

  Status compare_with_golden() {
    if (program_.golden.empty()) {
      Check& check = add(Level::kNumerical, "gives what the original gave", "");
      check.evidence =
          "there are no golden results: capture them where the original runs (hipwright verify "
          "golden --help)";
      return {};
    }
    HW_TRY(const Golden golden, read_golden(program_.golden));
    if (const Status same = is_of_original(golden); !same) {
      Check& check = add(Level::kNumerical, "gives what the original gave", "");
      check.verdict = Verdict::kFail;
      check.evidence = same.error().message();
      return {};
    }
    for (const Ran& ran : ran_) {
      if (ran.captures.empty() && !ran.finished.ok()) continue;  // told already
      Check& check = add(Level::kNumerical,
                         fmt::format("gives what {} gave", golden.provenance.device), ran.device);
      check.verdict = Verdict::kPass;
      for (const auto& [name, stored] : golden.tensors) {
        const auto actual = ran.captures.find(name);
        if (actual == ran.captures.end()) {
          check.verdict = Verdict::kFail;
          check.evidence += fmt::format("{}: the run has no such capture. ", name);
          continue;
        }
        note(check, name, &stored.values, actual->second,
             compare(stored, actual->second, tolerance_of(actual->second),
                     {wave_of(ran.device), 0}));
      }
    }
    return {};
  }

  Status is_of_original(const Golden& golden) const {
    if (options_.original.empty()) return {};
    std::vector<fs::path> sources;
    for (const std::string& unit : program_.units) sources.push_back(options_.original / unit);
    HW_TRY(const std::string hash, source_hash(sources));
    return check_source(golden, hash, program_.golden.string());
  }

  static Tolerance tolerance_of(const Values& values) {
    // How many terms a result has is not known here; a sum of a thousand is usual.
    return default_tolerance(values.type, Operation::kReduction, 1024);
  }

  void compare_waves() {
    const auto first = [&](unsigned wave) {
      return std::find_if(ran_.begin(), ran_.end(), [&](const Ran& ran) {
        return wave_of(ran.device) == wave && !ran.captures.empty();
      });
    };
    const auto narrow = first(32), wide = first(64);
    if (narrow == ran_.end() || wide == ran_.end()) return;
    Check& check =
        add(Level::kNumerical,
            fmt::format("wave32 ({}) and wave64 ({}) agree", narrow->device, wide->device),
            wide->device);
    check.verdict = Verdict::kPass;
    for (const auto& [name, values] : narrow->captures) {
      const auto other = wide->captures.find(name);
      if (other == wide->captures.end()) {
        check.verdict = Verdict::kFail;
        check.evidence += fmt::format("{}: only one of them has it. ", name);
        continue;
      }
      note(check, name, &values, other->second,
           compare(values, other->second, tolerance_of(values), {64, 0}));
    }
  }

  const ProgramSpec& program_;
  const std::vector<std::string>& arguments_;
  const fs::path& executable_;
  const RunOptions& options_;
  std::vector<Ran> ran_;
  std::vector<Check> checks_;
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9');
}

// "0 mismatches", "failed: 0", "FAILED tests: 0": a count of none, before the word or behind it.
bool counts_none(std::string_view line, std::size_t word, std::size_t after) {
  static const std::regex kBefore(R"((^|[^0-9.])0+\s+([a-z]+\s+)?$)");
  static const std::regex kAfter(R"(^(\s+[a-z]+)?\s*[:=]\s*0+($|[^0-9.]|\.($|[^0-9])))");
  const std::string before(line.substr(0, word)), rest(line.substr(after));
  return std::regex_search(before, kBefore) || std::regex_search(rest, kAfter);
}

}  // namespace

std::string complaint_in(std::string_view output) {
  static constexpr std::array<std::string_view, 8> kWords = {
      "fail", "failed", "failure", "failures", "mismatch", "mismatches", "mismatched", "incorrect"};
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view shown = output.substr(at, end - at);
    at = end + 1;
    std::string line(shown.substr(0, 2000));
    std::ranges::transform(line, line.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const std::string_view word : kWords)
      for (std::size_t found = line.find(word); found != std::string_view::npos;
           found = line.find(word, found + 1)) {
        const bool begins = found == 0 || !is_letter(line[found - 1]);
        const std::size_t after = found + word.size();
        const bool ends = after == line.size() || !is_letter(line[after]);
        const bool is_denied = std::string_view(line).substr(0, found).ends_with("no ") ||
                               std::string_view(line).substr(0, found).ends_with("not ");
        if (begins && ends && !is_denied && !counts_none(line, found, after))
          return std::string(shown);
      }
  }
  return {};
}

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
      continue;
    }
    for (const std::vector<std::string>& arguments : program.runs) {
      HW_TRY(std::vector<Check> more,
             ProgramRuns(program, arguments, executable->second, options).checks());
      std::move(more.begin(), more.end(), std::back_inserter(checks));
    }
  }
  return checks;
}

}  // namespace hipwright::verify
