// SPDX-License-Identifier: MIT
// What to do next, from what was measured. Each advice has the figure that it rests on, the kernels
// behind it, what it can save at most, and the next command.
#pragma once

#include <string>
#include <vector>

#include "trace/analysis/summary.h"
#include "trace/trace.h"

namespace hipwright::trace {

struct Advice {
  std::string code;                   // "graph-capture"
  std::string title;                  // imperative
  std::string step;                   // of the method: "capture a graph"
  Nanoseconds bound = 0;              // of the span: what is saved if the remedy is perfect
  Nanoseconds expected = 0;           // what such a remedy usually saves; the order of the list
  double speedup = 1;                 // Amdahl: span / (span - bound)
  std::string figures;                // the measurement in a sentence
  std::vector<std::string> evidence;  // kernels and operations
  std::string next;                   // what to run or change
};

// What is said instead of an empty list.
std::string why_no_advice(const Summary& summary);

// Most expected gain first. Advice that would save less than 1% of the span is not given.
std::vector<Advice> advise(const Trace& trace, const Summary& summary);

}  // namespace hipwright::trace
