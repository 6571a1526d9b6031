// SPDX-License-Identifier: MIT
#include "perf/statistics/samples.h"

#include <algorithm>
#include <bit>
#include <map>

#include "base/error.h"

namespace hipwright::perf {

double median(std::vector<double> values) {
  HW_ASSERT(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  // Half of each, because their sum may be too large for a double.
  return *std::max_element(values.begin(), middle) / 2 + *middle / 2;
}

std::vector<double> values_of(std::span<const Sample> samples) {
  std::vector<double> values;
  values.reserve(samples.size());
  for (const Sample& each : samples) values.push_back(each.value);
  return values;
}

std::vector<Sample> by_round(std::span<const Sample> samples) {
  std::map<unsigned, std::vector<double>> rounds;
  for (const Sample& each : samples) rounds[each.round].push_back(each.value);
  std::vector<Sample> medians;
  for (const auto& [round, values] : rounds) medians.push_back({median(values), round});
  return medians;
}

// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

std::size_t Random::below(std::size_t limit) {
  return static_cast<std::size_t>((static_cast<unsigned __int128>(next()) * limit) >> 64);
}

std::uint64_t seed_of(std::span<const Sample> samples) {
  std::uint64_t seed = samples.size();
  for (const Sample& each : samples)
    seed = Random(seed ^ std::bit_cast<std::uint64_t>(each.value)).next();
  return seed;
}

}  // namespace hipwright::perf
