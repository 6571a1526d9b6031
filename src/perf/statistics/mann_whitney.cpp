// SPDX-License-Identifier: MIT
#include "perf/statistics/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hipwright::perf {

namespace {

// Larger sets are approximated well by the normal distribution.
constexpr std::size_t kLargestExact = 40;

struct Ranks {
  double of_a = 0;      // the sum of the ranks of the first set
  double tie_term = 0;  // the sum of t³ - t over groups of t equal values
  bool has_ties = false;
};

Ranks rank(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> all;
  all.reserve(a.size() + b.size());
  for (const double value : a) all.emplace_back(value, true);
  for (const double value : b) all.emplace_back(value, false);
  std::sort(all.begin(), all.end());
  Ranks ranks;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].first == all[begin].first) ++end;
    const double count = static_cast<double>(end - begin);
    const double middle = static_cast<double>(begin + end + 1) / 2;
    for (std::size_t i = begin; i < end; ++i)
      if (all[i].second) ranks.of_a += middle;
    ranks.tie_term += count * count * count - count;
    ranks.has_ties = ranks.has_ties || end - begin > 1;
  }
  return ranks;
}

// The chance of U <= u when both sets come from one distribution without ties. Counts orders by
// the set that the largest value belongs to: f(n, m, u) = f(n-1, m, u-m) + f(n, m-1, u).
double exact_tail(std::size_t n, std::size_t m, std::size_t u) {
  std::vector<std::vector<double>> row(m + 1, std::vector<double>(u + 1, 0.0));
  for (auto& counts : row) counts[0] = 1;  // no values in the first set
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = 0; j <= m; ++j) {
      std::vector<double> counts(u + 1, 0.0);
      for (std::size_t k = 0; k <= u; ++k) {
        if (j == 0) {
          counts[k] = k == 0 ? 1 : 0;
        } else {
          counts[k] = row[j - 1][k];
          if (k >= j) counts[k] += row[j][k - j];
        }
      }
      row[j] = std::move(counts);
    }
  }
  const double count = std::accumulate(row[m].begin(), row[m].end(), 0.0);
  const double a = static_cast<double>(n), b = static_cast<double>(m);
  return count / std::exp(std::lgamma(a + b + 1) - std::lgamma(a + 1) - std::lgamma(b + 1));
}

}  // namespace

double mann_whitney_p(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 1;
  const double n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const Ranks ranks = rank(a, b);
  const double u = ranks.of_a - n * (n + 1) / 2;
  const double least = std::min(u, n * m - u);
  if (!ranks.has_ties && a.size() <= kLargestExact && b.size() <= kLargestExact)
    return std::min(1.0, 2 * exact_tail(a.size(), b.size(), static_cast<std::size_t>(least)));
  const double all = n + m;
  const double variance = n * m / 12 * ((all + 1) - ranks.tie_term / (all * (all - 1)));
  if (!(variance > 0)) return 1;  // all values are equal
  const double z = (n * m / 2 - least - 0.5) / std::sqrt(variance);
  return z <= 0 ? 1 : std::erfc(z / std::sqrt(2.0));
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
