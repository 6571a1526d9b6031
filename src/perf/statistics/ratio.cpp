// SPDX-License-Identifier: MIT
#include "perf/statistics/ratio.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "base/error.h"

namespace hipwright::perf {

namespace {

constexpr int kResamples = 2000;
constexpr int kSplits = 400;

// The samples of each round.
std::vector<std::vector<double>> rounds_of(std::span<const Sample> samples) {
  std::map<unsigned, std::vector<double>> rounds;
  for (const Sample& each : samples) rounds[each.round].push_back(each.value);
  std::vector<std::vector<double>> list;
  for (auto& [round, values] : rounds) list.push_back(std::move(values));
  return list;
}

struct Pair {
  std::vector<double> base, head;
};

// Rounds that both sides have.
std::vector<Pair> pairs_of(const Sides& sides) {
  std::map<unsigned, Pair> rounds;
  for (const Sample& each : sides.base) rounds[each.round].base.push_back(each.value);
  for (const Sample& each : sides.head) rounds[each.round].head.push_back(each.value);
  std::vector<Pair> pairs;
  for (auto& [round, pair] : rounds)
    if (!pair.base.empty() && !pair.head.empty()) pairs.push_back(std::move(pair));
  return pairs;
}

void append(std::vector<double>& to, const std::vector<double>& values) {
  to.insert(to.end(), values.begin(), values.end());
}

double resampled_median(const std::vector<std::vector<double>>& rounds, Random& random) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rounds.size(); ++i)
    append(values, rounds[random.below(rounds.size())]);
  return median(std::move(values));
}

double resampled_ratio(const std::vector<Pair>& pairs, Random& random) {
  std::vector<double> base, head;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[random.below(pairs.size())];
    append(base, pair.base);
    append(head, pair.head);
  }
  return median(std::move(head)) / median(std::move(base));
}

Interval middle_95(const std::function<double()>& draw) {
  std::vector<double> all;
  all.reserve(kResamples);
  for (int i = 0; i < kResamples; ++i) all.push_back(draw());
  std::sort(all.begin(), all.end());
  constexpr int kTail = kResamples / 40;
  return {all[kTail], all[kResamples - 1 - kTail]};
}

// What 95% of random halves of `values` differ by from the other half, in the logarithm.
double half_difference(std::vector<double> values, Random& random) {
  if (values.size() < 4) return 0;
  std::vector<double> differences;
  const auto half = static_cast<std::ptrdiff_t>(values.size() / 2);
  for (int i = 0; i < kSplits; ++i) {
    for (std::size_t k = values.size() - 1; k > 0; --k)
      std::swap(values[k], values[random.below(k + 1)]);
    differences.push_back(std::abs(median({values.begin(), values.begin() + half}) -
                                   median({values.begin() + half, values.end()})));
  }
  std::sort(differences.begin(), differences.end());
  return differences[differences.size() * 95 / 100];
}

std::vector<double> logarithms(std::span<const Sample> samples) {
  std::vector<double> values;
  for (const Sample& each : by_round(samples)) values.push_back(std::log(each.value));
  return values;
}

double noise_of_one_side(std::span<const Sample> samples, Random& random) {
  const std::vector<double> values = logarithms(samples);
  // Two halves differ by √2 times what two whole sets would.
  double noise = half_difference(values, random) / std::sqrt(2.0);
  const auto half = static_cast<std::ptrdiff_t>(values.size() / 2);
  if (values.size() >= 4)
    noise = std::max(noise, std::abs(median({values.begin(), values.begin() + half}) -
                                     median({values.begin() + half, values.end()})));
  return noise;
}

}  // namespace

Interval ratio_interval(const Sides& sides) {
  Random random(seed_of(sides.base) ^ seed_of(sides.head));
  if (sides.paired) {
    if (const auto pairs = pairs_of(sides); !pairs.empty())
      return middle_95([&] { return resampled_ratio(pairs, random); });
  }
  const auto base = rounds_of(sides.base), head = rounds_of(sides.head);
  return middle_95([&] { return resampled_median(head, random) / resampled_median(base, random); });
}

Interval median_interval(std::span<const Sample> samples) {
  Random random(seed_of(samples));
  const auto rounds = rounds_of(samples);
  const double middle = median(values_of(samples));
  return middle_95([&] { return resampled_median(rounds, random) / middle; });
}

double a_a_noise(const Sides& sides) {
  Random random(seed_of(sides.base) ^ seed_of(sides.head));
  double noise = 0;
  if (sides.paired) {
    std::vector<double> ratios;
    for (const Pair& pair : pairs_of(sides))
      ratios.push_back(std::log(median(pair.head) / median(pair.base)));
    // Both halves are uncertain, and each has half of the samples: twice the error of the whole.
    noise = half_difference(std::move(ratios), random) / 2;
  } else {
    noise = std::max(noise_of_one_side(sides.base, random), noise_of_one_side(sides.head, random));
  }
  return std::expm1(noise);
}

}  // namespace hipwright::perf
