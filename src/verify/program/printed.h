// SPDX-License-Identifier: MIT
// What two runs of a program print, held against each other.
#pragma once

#include <string>
#include <string_view>

namespace hipwright::verify {

struct Printed {
  bool is_same = true;       // but for times and rates
  bool has_number = false;   // in what is the same
  std::string left, right;   // the first lines that differ
  std::string time_of_left;  // the first line that differs in a time or a rate alone
};

/**
 * Compares line by line. Two lines that differ in numbers alone and have a unit of time or of a
 * rate
 * ("0.21 ms", "(s)", "GB/s") are taken for a measurement, which is another one in every run.
 */
Printed compare_printed(std::string_view left, std::string_view right);

}  // namespace hipwright::verify
