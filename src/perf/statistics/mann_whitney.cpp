// SPDX-License-Identifier: MIT
#include "perf/statistics/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hipwright::perf {

namespace {

// Larger sets are approximated well by the normal distribution.
constexpr std::size_t kLargestExact = 40;

// Values of both sets that are equal.
struct Ties {
  std::size_t count = 0;       // in both sets
  std::size_t of_a = 0;        // in the first
  std::size_t rank_twice = 0;  // twice their middle rank, which may end in a half
};

std::vector<Ties> tie_groups(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> all;
  all.reserve(a.size() + b.size());
  for (const double value : a) all.emplace_back(value, true);
  for (const double value : b) all.emplace_back(value, false);
  std::sort(all.begin(), all.end());
  std::vector<Ties> groups;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    Ties group;
    for (; end < all.size() && all[end].first == all[begin].first; ++end)
      group.of_a += all[end].second;
    group.count = end - begin;
    group.rank_twice = begin + end + 1;
    groups.push_back(group);
  }
  return groups;
}

std::size_t rank_sum_twice(const std::vector<Ties>& groups) {
  std::size_t sum = 0;
  for (const Ties& each : groups) sum += each.of_a * each.rank_twice;
  return sum;
}

// The share of all ways to choose the first set whose rank sum is as far from the middle as this
// one. Counts the ways by their number of values and their rank sum, group by group.
double exact_p(const std::vector<Ties>& groups, std::size_t n, std::size_t m) {
  const std::size_t largest = (n + m) * (n + m + 1);
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(largest + 1, 0.0));
  ways[0][0] = 1;
  std::size_t chosen = 0, reached = 0;
  for (const Ties& group : groups) {
    reached += group.count * group.rank_twice;
    for (std::size_t i = std::min(n, chosen + group.count); i > 0; --i) {
      double choices = 1;  // of k values of the group
      for (std::size_t k = 1; k <= std::min(i, group.count); ++k) {
        choices *= static_cast<double>(group.count - k + 1) / static_cast<double>(k);
        for (std::size_t sum = k * group.rank_twice; sum <= reached; ++sum)
          ways[i][sum] += choices * ways[i - k][sum - k * group.rank_twice];
      }
    }
    chosen += group.count;
  }
  const auto distance = [&](std::size_t sum) {
    const std::size_t middle = n * (n + m + 1);  // twice the mean rank sum
    return sum > middle ? sum - middle : middle - sum;
  };
  const std::size_t seen = distance(rank_sum_twice(groups));
  double all = 0, as_far = 0;
  for (std::size_t sum = 0; sum <= largest; ++sum) {
    all += ways[n][sum];
    if (distance(sum) >= seen) as_far += ways[n][sum];
  }
  return as_far / all;
}

double approximate_p(const std::vector<Ties>& groups, double n, double m) {
  double tie_term = 0;
  for (const Ties& each : groups) {
    const double count = static_cast<double>(each.count);
    tie_term += count * count * count - count;
  }
  const double all = n + m;
  const double variance = n * m / 12 * ((all + 1) - tie_term / (all * (all - 1)));
  if (!(variance > 0)) return 1;  // all values are equal
  const double u = static_cast<double>(rank_sum_twice(groups)) / 2 - n * (n + 1) / 2;
  const double z = (std::abs(u - n * m / 2) - 0.5) / std::sqrt(variance);
  return z <= 0 ? 1 : std::erfc(z / std::sqrt(2.0));
}

}  // namespace

double mann_whitney_p(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 1;
  const std::vector<Ties> groups = tie_groups(a, b);
  if (a.size() <= kLargestExact && b.size() <= kLargestExact)
    return exact_p(groups, a.size(), b.size());
  return approximate_p(groups, static_cast<double>(a.size()), static_cast<double>(b.size()));
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> corrected(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double factor = static_cast<double>(order.size() - i);
    largest = std::max(largest, std::min(1.0, factor * p_values[order[i]]));
    corrected[order[i]] = largest;
  }
  return corrected;
}

}  // namespace hipwright::perf
