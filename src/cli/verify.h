// SPDX-License-Identifier: MIT
// The parts of `hipwright verify`, each with options of its own.
#pragma once

#include <functional>

#include "cli/command.h"
#include "verify/pyramid.h"
#include "verify/verdict.h"

namespace hipwright::cli {

// How a pyramid is shown: every part has these options.
struct VerifyOutput {
  std::string format = "text";
  std::filesystem::path html, markdown;

  void define(App app);
  // Before the work: can its files be written?
  Status check() const;
  // Prints and writes. The exit code is kFindings when something failed, and kNotChecked when
  // nothing did but `is_checked` is false.
  int show(const verify::Pyramid& pyramid, bool is_checked) const;
};

// Options of what is verified, of `hipwright verify` and of `hipwright port --verify`.
struct VerifyRuns {
  std::vector<std::string> archs, devices;
  std::string arguments;
  unsigned timeout = 120, schedules = 2;

  void define(App app);
  void apply(verify::PyramidOptions& pyramid) const;
  // An option that was given and has no meaning unless something is run; nullptr: none was.
  const char* only_for_runs() const;
};

// A subcommand, and what to do when it was called.
struct VerifyPart {
  App app;
  std::function<int()> run;
};
VerifyPart define_verify_kernel(App app);
VerifyPart define_verify_cell(App app);  // internal: one process of a sweep
VerifyPart define_verify_merge(App app);
VerifyPart define_verify_golden(App app);
VerifyPart define_verify_tolerances(App app);
VerifyPart define_verify_triton(App app);

// The running executable, which starts itself for cells and compilers.
std::filesystem::path own_program();

}  // namespace hipwright::cli
