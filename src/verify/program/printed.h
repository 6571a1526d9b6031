// SPDX-License-Identifier: MIT
// What two runs of a program print, held against each other.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace hipwright::verify {

struct Printed {
  bool is_same = true;       // but for times and rates
  bool has_number = false;   // in what is the same
  std::string left, right;   // the first lines that differ
  std::string time_of_left;  // the first line that differs in a time or a rate alone
};

/**
 * Compares line by line. A number that differs and has a unit of time or of a rate beside it
 * ("0.21 ms", "time (s): 3", "GB/s") is a measurement, which is another one in every run; other
 * numbers of the line are results.
 */
Printed compare_printed(std::string_view left, std::string_view right);

// What a program prints on one device.
struct Prints {
  std::string usual, again;  // in two runs
  std::string idle;          // while its kernels do nothing
};

/**
 * The first lines that give different results, and that cannot be anything else: the same text, in
 * every run on a device the same numbers, others when the kernels do nothing, and others on the
 * other device by more than a rounding. Twice as much may count waves. Both empty: there are none.
 */
std::pair<std::string, std::string> different_results(const Prints& left, const Prints& right);

}  // namespace hipwright::verify
