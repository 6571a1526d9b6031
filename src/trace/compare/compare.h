// SPDX-License-Identifier: MIT
// Where the difference between two traces comes from.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "trace/analysis/summary.h"

namespace hipwright::trace {

// One side of a pair that is compared; a side that lacks it has count 0.
struct Side {
  std::size_t count = 0;
  Nanoseconds time = 0;
};

struct Step {
  std::string what;  // a category, "launch overhead", "other idle time"
  Nanoseconds a = 0, b = 0;
  Nanoseconds difference() const { return b - a; }
};

struct Pair {
  std::string name, shapes;
  Category category = Category::kOther;
  Side a, b;
  std::string kernel_a, kernel_b;  // the longest of each side
  Nanoseconds difference() const { return b.time - a.time; }
};

struct Comparison {
  std::string file_a, file_b, device_a, device_b;
  Nanoseconds span_a = 0, span_b = 0, busy_a = 0, busy_b = 0;
  std::vector<Step> steps;    // their differences add up to that of the spans
  bool by_operation = false;  // pairs are operations with shapes; else kernels by name
  std::vector<Pair> pairs;    // largest difference first
  std::vector<std::string> notes;
};

Comparison compare(const Trace& a, const Summary& summary_a, const Trace& b,
                   const Summary& summary_b);

std::string comparison_text(const Comparison& comparison, std::size_t rows, bool colour);
Json comparison_json(const Comparison& comparison);
std::string comparison_html(const Comparison& comparison);

}  // namespace hipwright::trace
