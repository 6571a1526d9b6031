// SPDX-License-Identifier: MIT
#include "verify/flow.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text_edit.h"
#include "lint/fix.h"
#include "port/isolation/isolation.h"
#include "port/output/output.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

// Among the static checks: what NVIDIA's tools see of the port.
Result<Check> check_isolation(const fs::path& before, const fs::path& after) {
  Check check{.level = Level::kStatic,
              .subject = before.string(),
              .question = "NVIDIA's tools see what they saw before the port, token for token"};
  HW_TRY(const port::Isolation isolation,
         port::check_isolation({.before = before, .after = after}));
  if (!isolation.not_read.empty()) {
    check.evidence = fmt::format("{} files could not be read: {}", isolation.not_read.size(),
                                 isolation.not_read[0]);
    return check;
  }
  check.verdict = isolation.holds() ? Verdict::kPass : Verdict::kFail;
  check.evidence =
      fmt::format("{} files are as they were, {} differ but not for NVIDIA, {} are new",
                  isolation.same_bytes, isolation.same_view, isolation.added.size());
  for (const port::Leak& leak : isolation.leaks)
    check.evidence +=
        fmt::format("\n{}:{}: {}\n{}", leak.path, leak.line_after, leak.what, leak.diff);
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

}  // namespace

Result<Flow> port_and_verify(const FlowOptions& options) {
  Flow flow;
  HW_TRY(flow.ported, port::port(options.port));
  port::VerifyOptions compile;
  compile.mode = options.port.mode;
  compile.archs = options.pyramid.archs;
  compile.progress = options.pyramid.progress;
  HW_TRY(flow.compiled, port::compile_and_repair(flow.ported, compile));
  HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
  const fs::path tree = options.out.empty() ? scratch.path() / "port" : options.out;
  HW_CHECK(port::write_tree(flow.ported, tree));

  PyramidOptions pyramid = options.pyramid;
  pyramid.path = tree;
  pyramid.original = flow.ported.tree.root;
  for (int round = 0; round < 2; ++round) {
    HW_TRY(Pyramid verified, verify_tree(pyramid));
    verified.subject = options.port.path.string();
    for (Check& check : verified.checks)
      if (check.subject == tree.string()) check.subject = verified.subject;
    if (options.port.mode == port::Mode::kDual) {
      HW_TRY(Check isolation, check_isolation(flow.ported.tree.root, tree));
      verified.checks.insert(verified.checks.begin(), std::move(isolation));
    }
    flow.rounds.push_back({.pyramid = std::move(verified)});
    if (round != 0 || !options.fixes || !has_failure(flow.proven())) break;
    HW_CHECK(apply_fixes(tree, flow.rounds.back()));
    if (flow.rounds.back().fixed == 0) break;
  }
  return flow;
}

}  // namespace hipwright::verify
