// SPDX-License-Identifier: MIT
// How one run of a program ended, what it left, and how that compares with another run.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/process.h"
#include "verify/findings.h"
#include "verify/golden/golden.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct Ran {
  std::string device, schedule;  // "random:1"; empty: the usual one
  Finished finished;
  std::map<std::string, Values> captures;
  CheckReport checks;  // of a run with them
};

std::string last_lines(std::string_view text, std::size_t lines);

// Why a run that ended was not a good one: it says so, or ended so. Empty: it was.
std::string failure_of(const Finished& finished);
// The software GPU's line about an instruction that it does not have; empty: none was met.
std::string missing_instruction(const Finished& finished);

// What the checks of a run with them say; how it ended was judged without them.
void judge_report(Check& check, const Ran& ran);
// Such a run came to its end without a kernel.
bool ran_nothing(const Ran& ran);

Tolerance capture_tolerance(const std::string& name, const Values& values);
// Adds to the evidence; what differs is a failure.
void note_comparison(Check& check, const std::string& name, const Values& expected,
                     const Values& actual, const Comparison& comparison);

// What the program printed: without the software GPU's own words.
std::string printed_by(const Finished& finished);

// Whether two runs left the same: captures, bit for bit; without any, what they printed.
bool leave_the_same(const Ran& left, const Ran& right);

// Captures, where there are some. Else what was printed: that proves something only when it is the
// same, since times and names of devices differ as well.
void compare_runs(Check& check, const Ran& expected, const Ran& actual);

}  // namespace hipwright::verify
