// SPDX-License-Identifier: MIT
// Repeated measurements of one quantity: their median, and how well it is known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hipwright::perf {

struct Sample {
  double value = 0;
  unsigned round = 0;  // the process that measured it; with two sides, both have the same rounds
};

double median(std::vector<double> values);  // of at least one

std::vector<double> values_of(std::span<const Sample> samples);
// The medians of the rounds, in the order of the rounds: samples of one process share its luck.
std::vector<Sample> by_round(std::span<const Sample> samples);

// Random numbers that are the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::size_t below(std::size_t limit);  // of at least 1

 private:
  std::uint64_t state_;
};

// A seed that depends on the samples only, so that the same samples give the same result.
std::uint64_t seed_of(std::span<const Sample> samples);

}  // namespace hipwright::perf
