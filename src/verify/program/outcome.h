// SPDX-License-Identifier: MIT
// How a program's run ended, what it produced, and how that compares with another run.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/process.h"
#include "verify/check_report.h"
#include "verify/device_events.h"
#include "verify/golden/golden.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct ProgramRun {
  std::string device, schedule;  // "random:1"; empty: the default order
  Finished finished;
  std::map<std::string, Values> captures;
  CheckReport checks;   // if the run had checks
  DeviceEvents events;  // of the software GPU
};

std::string last_lines(std::string_view text, std::size_t lines);

// How a run ended: by the software GPU's records, by what the program reports, and by its exit code
// or signal. A timeout is for the caller to judge.
Ending ending_of(const ProgramRun& ran);
// Whether what the run left behind can be compared with another run's.
bool has_results(const ProgramRun& ran);
// Whether it was to run on the software GPU and never called it.
bool missed_the_device(const ProgramRun& ran);

// Judges what the checks found. How a program ends is judged in a run without checks.
void judge_report(Check& check, const ProgramRun& ran);
// Whether a run with checks finished without launching a kernel.
bool ran_nothing(const ProgramRun& ran);

Tolerance capture_tolerance(const std::string& name, const Values& values);
// Adds the comparison to the evidence; a difference fails the check.
void note_comparison(Check& check, const std::string& name, const Values& expected,
                     const Values& actual, const Comparison& comparison);

// What the program printed, on either stream.
std::string printed_by(const Finished& finished);

// Whether two runs produced the same captures, bit for bit, or printed the same if they captured
// nothing.
bool leave_the_same(const ProgramRun& left, const ProgramRun& right);

// Compares captures if there are any, otherwise printed output. Printed output proves something
// only if it is equal, since times and device names differ legitimately.
void compare_runs(Check& check, const ProgramRun& expected, const ProgramRun& actual);

}  // namespace hipwright::verify
