// SPDX-License-Identifier: MIT
#include "perf/statistics/change_points.h"

#include <algorithm>
#include <cmath>

#include "perf/statistics/samples.h"

namespace hipwright::perf {

namespace {

// The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), evaluated
// by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto safe = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / safe(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m <= 300; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d);
    c = safe(1 + even / c);
    value *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d);
    c = safe(1 + odd / c);
    value *= c * d;
    if (std::abs(c * d - 1) < 1e-14) break;
  }
  return value;
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                   : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

struct Part {
  std::size_t begin, end;
};

struct Sums {
  std::vector<double> value{0}, square{0};  // of the first n logarithms

  explicit Sums(std::span<const double> logs) {
    for (const double each : logs) {
      value.push_back(value.back() + each);
      square.push_back(square.back() + each * each);
    }
  }
  double count(Part part) const { return static_cast<double>(part.end - part.begin); }
  double mean(Part part) const { return (value[part.end] - value[part.begin]) / count(part); }
  // The sum of squared distances from the mean.
  double spread(Part part) const {
    const double sum = value[part.end] - value[part.begin];
    return std::max(0.0, square[part.end] - square[part.begin] - sum * sum / count(part));
  }
};

double split_p(const Sums& sums, Part left, Part right) {
  const double n = sums.count(left), m = sums.count(right);
  const double difference = std::abs(sums.mean(left) - sums.mean(right));
  const double variance = (sums.spread(left) + sums.spread(right)) / (n + m - 2);
  // Differences below rounding errors are none; levels without any spread differ for certain.
  if (difference < 1e-9) return 1;
  if (variance < 1e-18) return 0;
  return student_p(difference / std::sqrt(variance * (1 / n + 1 / m)), n + m - 2);
}

// The split that leaves the least spread.
std::size_t best_split(const Sums& sums, Part part, std::size_t shortest) {
  std::size_t best = part.begin + shortest;
  double least = -1;
  for (std::size_t at = part.begin + shortest; at + shortest <= part.end; ++at) {
    const double spread = sums.spread({part.begin, at}) + sums.spread({at, part.end});
    if (least < 0 || spread < least) {
      least = spread;
      best = at;
    }
  }
  return best;
}

double median_of(std::span<const double> values, Part part) {
  return median({values.begin() + static_cast<std::ptrdiff_t>(part.begin),
                 values.begin() + static_cast<std::ptrdiff_t>(part.end)});
}

bool is_change(std::span<const double> values, const Sums& sums, Part left, Part right,
               const ChangeOptions& options) {
  const double before = median_of(values, left), after = median_of(values, right);
  const double ratio = std::max(before, after) / std::min(before, after);
  return ratio > 1 + options.threshold && split_p(sums, left, right) < options.p;
}

}  // namespace

double student_p(double t, double freedom) {
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangeOptions& options) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  const Sums sums(logs);
  const std::size_t shortest = std::max<std::size_t>(options.shortest, 2);
  std::vector<std::size_t> cuts;
  std::vector<Part> open{{0, values.size()}};
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    if (part.end - part.begin < 2 * shortest) continue;
    const std::size_t at = best_split(sums, part, shortest);
    if (!is_change(values, sums, {part.begin, at}, {at, part.end}, options)) continue;
    cuts.push_back(at);
    open.push_back({part.begin, at});
    open.push_back({at, part.end});
  }
  std::sort(cuts.begin(), cuts.end());
  // A cut that was made before its neighbours were known may not be one between them.
  std::vector<ChangePoint> points;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const Part left{begin, cuts[i]},
        right{cuts[i], i + 1 < cuts.size() ? cuts[i + 1] : values.size()};
    if (!is_change(values, sums, left, right, options)) continue;
    points.push_back(
        {cuts[i], median_of(values, left), median_of(values, right), split_p(sums, left, right)});
    begin = cuts[i];
  }
  return points;
}

std::vector<ChangePoint> exact_changes(std::span<const double> values) {
  std::vector<ChangePoint> points;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] != values[i - 1]) points.push_back({i, values[i - 1], values[i], 0});
  return points;
}

}  // namespace hipwright::perf
