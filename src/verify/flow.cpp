// SPDX-License-Identifier: MIT
#include "verify/flow.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text_edit.h"
#include "lint/fix.h"
#include "port/isolation/isolation.h"
#include "port/output/in_place.h"
#include "port/output/output.h"
#include "port/rename.h"
#include "port/report/report.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

// Among the static checks: what NVIDIA's tools see of the port.
Result<Check> check_isolation(const fs::path& before, const fs::path& after) {
  Check check{.level = Level::kStatic,
              .subject = before.string(),
              .question = "NVIDIA compilers see the same tokens as before the port"};
  HW_TRY(const port::Isolation isolation,
         port::check_isolation({.before = before, .after = after}));
  check.verdict = !isolation.leaks.empty() ? Verdict::kFail
                  : isolation.is_proven()  ? Verdict::kPass
                                           : Verdict::kNotChecked;
  check.evidence = fmt::format("{} files unchanged, {} changed for AMD only, {} new",
                               isolation.same_bytes, isolation.same_view, isolation.added.size());
  for (const port::IsolationLeak& leak : isolation.leaks)
    check.evidence +=
        fmt::format("\n{}:{}: {}\n{}", leak.path, leak.line_after, leak.what, leak.diff);
  if (!isolation.not_read.empty())
    check.evidence +=
        fmt::format("\n{} could not be read: {}", counted(isolation.not_read.size(), "file"),
                    isolation.not_read[0]);
  return check;
}

bool has_failure(const Pyramid& pyramid) {
  return std::any_of(pyramid.checks.begin(), pyramid.checks.end(),
                     [](const Check& check) { return check.verdict == Verdict::kFail; });
}

Status apply_fixes(const fs::path& tree, Round& round) {
  lint::Options options;
  options.root = tree;
  HW_TRY(const lint::FixResult fixed, lint::fix(options, lint::FixKind::kSafe));
  for (const lint::FixedFile& file : fixed.files)
    round.fixes += unified_diff(file.path, file.before, file.after);
  round.fixed = fixed.applied;
  return lint::write_fixes(options, fixed);
}

// One run of the stages over one set of objects.
class Stages {
 public:
  Stages(const FlowOptions& options, fs::path scratch)
      : options_(options),
        scratch_(std::move(scratch)),
        compiler_(options.pyramid.archs, scratch_ / "objects") {}

  Result<Flow> run() {
    HW_TRY(flow_.ported, port::port(options_.port));
    // What is written or compiled as a whole must have been read as a whole.
    if (options_.compiles || options_.verifies || options_.in_place || !options_.out.empty())
      HW_CHECK(flow_.ported.tree.is_complete());
    if (options_.compiles || options_.verifies) {
      auto compiled = port::compile_and_repair(
          flow_.ported,
          {.mode = options_.port.mode, .progress = options_.pyramid.progress, .ignore = ignored()},
          compiler_);
      // What the port itself found is known; nothing is written.
      if (stop_requested()) return std::move(flow_);
      HW_TRY(flow_.compiled, std::move(compiled));
    }
    if (options_.renames) port::rename_to_hip(flow_.ported);
    HW_CHECK(write());
    if (options_.verifies && flow_.merged.conflicts.empty()) HW_CHECK(verify());
    return std::move(flow_);
  }

 private:
  // By the project's rules and by the options.
  std::vector<std::string> ignored() const {
    std::vector<std::string> all = options_.port.rules.ignore;
    all.insert(all.end(), options_.port.ignore.begin(), options_.port.ignore.end());
    return all;
  }

  fs::path tree() const { return options_.out.empty() ? scratch_ / "port" : options_.out; }

  Status write() {
    if (options_.in_place) {
      flow_.hard_links = port::hard_links_in(flow_.ported);
      HW_TRY(flow_.written_in_place,
             port::write_in_place(flow_.ported, {.force = options_.force, .before_step = {}}));
      return {};
    }
    if (options_.out.empty() && !options_.verifies) return {};
    HW_TRY(flow_.merged, port::write_tree(flow_.ported, tree()));
    return {};
  }

  // Once, and once more when fixes were applied.
  Status verify() {
    HW_CHECK(verify_round());
    if (!options_.fixes || stop_requested() || !has_failure(*flow_.proven())) return {};
    HW_CHECK(apply_fixes(tree(), flow_.rounds.back()));
    return flow_.rounds.back().fixed == 0 ? Status() : verify_round();
  }

  Status verify_round() {
    PyramidOptions pyramid = options_.pyramid;
    pyramid.path = tree();
    pyramid.original = flow_.ported.tree.root;
    pyramid.rules = options_.port.rules;
    pyramid.rules->ignore = ignored();
    pyramid.compiler = &compiler_;
    HW_TRY(Pyramid verified, verify_tree(pyramid));
    verified.subject = options_.port.path.string();
    for (Check& check : verified.checks)
      if (check.subject == tree().string()) check.subject = verified.subject;
    if (options_.port.mode == port::Mode::kDual) {
      HW_TRY(Check isolation, check_isolation(flow_.ported.tree.root, tree()));
      verified.checks.insert(verified.checks.begin(), std::move(isolation));
    }
    flow_.rounds.push_back({.pyramid = std::move(verified)});
    return {};
  }

  const FlowOptions& options_;
  const fs::path scratch_;
  toolchain::UnitCompiler compiler_;
  Flow flow_;
};

}  // namespace

bool Flow::succeeded() const {
  return merged.conflicts.empty() && port::summarise(ported).errors == 0 &&
         (!compiled || compiled->failing() == 0) && (rounds.empty() || !has_failure(*proven()));
}

bool Flow::is_checked() const {
  return (!compiled || compiled->not_checked() == 0) &&
         (rounds.empty() || verify::is_checked(*proven(), Level::kStatic, Level::kFunctional));
}

Status check(const FlowOptions& options) {
  if (options.port.mode == port::Mode::kDual && options.port.style == port::Style::kHipify)
    return fail("`--style hipify` requires `--mode hip`", "",
                "hipify-clang writes HIP only, and nothing for both platforms", "Add --mode hip.");
  if (options.port.mode == port::Mode::kDual && options.port.launches == port::LaunchSyntax::kHip)
    return fail("`--hip-kernel-execution-syntax` requires `--mode hip`", "",
                "with `--mode dual` nvcc compiles the same launches", "Add --mode hip.");
  if (options.renames && options.port.mode == port::Mode::kDual)
    return fail("`--rename-hip` requires `--mode hip`", "",
                "with `--mode dual` nvcc compiles the same files", "Add --mode hip.");
  if (options.verifies && options.in_place)
    return fail("`--verify` cannot be combined with `--in-place`", "",
                "the fixes of `--fix` could not be undone",
                "Use --out DIR, or run `hipwright verify` after the port.");
  if (options.fixes && !options.verifies)
    return fail("`--fix` requires `--verify`", "", "it repairs what verification finds",
                "Add --verify.");
  if (options.out.empty()) return {};
  return port::check_output(options.port.path, options.out);
}

Result<Flow> run_flow(const FlowOptions& options) {
  HW_CHECK(check(options));
  HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
  return Stages(options, scratch.path()).run();
}

}  // namespace hipwright::verify
