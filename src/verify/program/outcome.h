// SPDX-License-Identifier: MIT
// How a program's run ended, what it produced, and how that compares with another run.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/process.h"
#include "verify/check_report.h"
#include "verify/golden/golden.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct ProgramRun {
  std::string device, schedule;  // "random:1"; empty: the default order
  Finished finished;
  std::map<std::string, Values> captures;
  CheckReport checks;  // if the run had checks
};

std::string last_lines(std::string_view text, std::size_t lines);

// Why a finished run failed: it reports a failure, or its exit code or signal does. Empty: it
// succeeded.
std::string failure_of(const Finished& finished);
// The software GPU's message about an unimplemented instruction; empty: it met none.
std::string missing_instruction(const Finished& finished);

// Judges what the checks found. How a program ends is judged in a run without checks.
void judge_report(Check& check, const ProgramRun& ran);
// Whether a run with checks finished without launching a kernel.
bool ran_nothing(const ProgramRun& ran);

Tolerance capture_tolerance(const std::string& name, const Values& values);
// Adds the comparison to the evidence; a difference fails the check.
void note_comparison(Check& check, const std::string& name, const Values& expected,
                     const Values& actual, const Comparison& comparison);

// What the program printed, without the software GPU's own messages.
std::string printed_by(const Finished& finished);

// Whether two runs produced the same captures, bit for bit, or printed the same if they captured
// nothing.
bool leave_the_same(const ProgramRun& left, const ProgramRun& right);

// Compares captures if there are any, otherwise printed output. Printed output proves something
// only if it is equal, since times and device names differ legitimately.
void compare_runs(Check& check, const ProgramRun& expected, const ProgramRun& actual);

}  // namespace hipwright::verify
