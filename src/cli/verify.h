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

  void define(CLI::App& app);
  // Prints and writes; the exit code is kFindings when something failed.
  int show(const verify::Pyramid& pyramid) const;
};

// Options of what is verified, of `hipwright verify` and of `hipwright port --verify`.
struct VerifyRuns {
  std::vector<std::string> archs, devices;
  std::string arguments;
  unsigned timeout = 120, schedules = 2;

  void define(CLI::App& app);
  void apply(verify::PyramidOptions& pyramid) const;
  // An option that was given and has no meaning unless something is run; nullptr: none was.
  const char* only_for_runs() const;
};

// Each adds a subcommand and returns what to do when it was called.
using Action = std::function<int()>;
Action define_verify_kernel(CLI::App& app);
Action define_verify_cell(CLI::App& app);  // not for people: a process of a sweep
Action define_verify_merge(CLI::App& app);
Action define_verify_golden(CLI::App& app);
Action define_verify_tolerances(CLI::App& app);

// The running executable, which starts itself for cells and compilers.
std::filesystem::path own_program();

}  // namespace hipwright::cli
