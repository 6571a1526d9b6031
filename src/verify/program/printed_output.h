// SPDX-License-Identifier: MIT
// Compares what two runs of a program print.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace hipwright::verify {

struct OutputComparison {
  bool is_same = true;       // except for times and rates
  bool has_number = false;   // among what is the same
  std::string left, right;   // the first lines that differ
  std::string time_of_left;  // the first line that differs only in a time or a rate
};

/**
 * Compares line by line. A number with a unit of time or rate beside it ("0.21 ms", "time (s): 3",
 * "GB/s") is a measurement and may differ; all other numbers are results.
 */
OutputComparison compare_printed(std::string_view left, std::string_view right);

// What a program prints on one device.
struct PrintedOutputs {
  std::string usual, again;  // in two runs
  std::string idle;          // with kernels disabled
};

/**
 * The first pair of lines that can only be different results: their text is equal, their numbers
 * are equal in every run on one device, differ with kernels disabled, and differ between the
 * devices by more than rounding. A factor of two is not reported, because it may count waves. Both
 * empty: there is no such pair.
 */
std::pair<std::string, std::string> different_results(const PrintedOutputs& left,
                                                      const PrintedOutputs& right);

}  // namespace hipwright::verify
