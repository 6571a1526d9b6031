// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>

#include "perf/statistics/change_points.h"
#include "perf/statistics/mann_whitney.h"
#include "perf/statistics/ratio.h"
#include "perf/statistics/samples.h"

namespace hipwright::perf {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

double uniform(Random& random) {
  return (static_cast<double>(random.next() >> 11) + 0.5) / 9007199254740992.0;
}

double normal(Random& random) {
  return std::sqrt(-2 * std::log(uniform(random))) * std::cos(6.283185307179586 * uniform(random));
}

// By definition: the share of all ways to choose the first set whose rank sum is as far from the
// middle.
double permutation_p(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto u = [&](const std::vector<bool>& is_a) {
    double count = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < all.size(); ++k)
        if (is_a[i] && !is_a[k]) count += all[i] > all[k] ? 1 : all[i] == all[k] ? 0.5 : 0;
    return count;
  };
  std::vector<bool> chosen(all.size(), false);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(a.size()), true);
  const double middle = static_cast<double>(a.size() * b.size()) / 2;
  const double distance = std::abs(u(chosen) - middle);
  double as_far = 0, count = 0;
  do {
    ++count;
    if (std::abs(u(chosen) - middle) >= distance - 1e-9) ++as_far;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return as_far / count;
}

std::vector<Sample> samples_of(const std::vector<double>& values) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < values.size(); ++i)
    samples.push_back({values[i], static_cast<unsigned>(i)});
  return samples;
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddleValues) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({5, 1, 3}), 3);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({1e308, 1e308}), 1e308);
}

TEST(MannWhitney, EqualsTheCountOverAllPermutations) {
  Random random(1);
  for (const auto& [n, m] : std::vector<std::pair<std::size_t, std::size_t>>{
           {1, 1}, {1, 6}, {3, 3}, {4, 5}, {5, 5}, {6, 4}}) {
    for (int i = 0; i < 5; ++i) {
      std::vector<double> a, b;
      for (std::size_t k = 0; k < n; ++k) a.push_back(uniform(random));
      for (std::size_t k = 0; k < m; ++k) b.push_back(uniform(random) + 0.1 * i);
      EXPECT_THAT(mann_whitney_p(a, b), DoubleNear(permutation_p(a, b), 1e-9));
      EXPECT_THAT(mann_whitney_p(a, b), DoubleNear(mann_whitney_p(b, a), 1e-12));
    }
  }
}

TEST(MannWhitney, EqualsTheCountWithTiesToo) {
  Random random(2);
  for (int i = 0; i < 8; ++i) {
    std::vector<double> a, b;
    for (std::size_t k = 0; k < 7; ++k) {
      a.push_back(static_cast<double>(random.below(5)));
      b.push_back(static_cast<double>(random.below(5) + (i % 3)));
    }
    EXPECT_THAT(mann_whitney_p(a, b), DoubleNear(permutation_p(a, b), 1e-9));
  }
}

TEST(MannWhitney, EqualOrEmptySetsDoNotDiffer) {
  const std::vector<double> same(20, 7.0);
  EXPECT_EQ(mann_whitney_p(same, same), 1);
  EXPECT_EQ(mann_whitney_p(same, {}), 1);
}

TEST(MannWhitney, TenAgainstTenCompletelyApartIsTwoOfAllOrders) {
  std::vector<double> a(10), b(10);
  std::iota(a.begin(), a.end(), 0.0);
  std::iota(b.begin(), b.end(), 100.0);
  EXPECT_THAT(mann_whitney_p(a, b), DoubleNear(2.0 / 184756, 1e-12));
}

// 41 values are approximated, 40 are not.
TEST(MannWhitney, TheApproximationContinuesTheExactValues) {
  Random random(8);
  std::vector<double> a, b;
  for (int i = 0; i < 40; ++i) {
    a.push_back(normal(random));
    b.push_back(normal(random) + 0.6);
  }
  const double exact = mann_whitney_p(a, b);
  a.push_back(0.3);
  b.push_back(0.3);
  EXPECT_NEAR(std::log(mann_whitney_p(a, b)), std::log(exact), 0.5);
}

// The normal approximation with its corrections for ties and for continuity, by the textbook's
// formula.
TEST(MannWhitney, TheApproximationCorrectsForTies) {
  std::vector<double> a, b;
  for (int i = 0; i < 41; ++i) {
    a.push_back(i % 4);
    b.push_back(i * i % 4 + (i % 3 == 0 ? 1 : 0));
  }
  EXPECT_NEAR(mann_whitney_p(a, b), 0.01126195, 1e-7);
}

TEST(Holm, CorrectsForTheNumberOfTests) {
  EXPECT_THAT(holm(std::vector<double>{0.01, 0.04, 0.03, 0.005}),
              ElementsAre(DoubleNear(0.03, 1e-12), DoubleNear(0.06, 1e-12), DoubleNear(0.06, 1e-12),
                          DoubleNear(0.02, 1e-12)));
  EXPECT_THAT(holm({}), IsEmpty());
}

// From printed tables of the distribution.
TEST(Student, AgreesWithTables) {
  EXPECT_THAT(student_p(12.7062, 1), DoubleNear(0.05, 1e-5));
  EXPECT_THAT(student_p(2.776445, 4), DoubleNear(0.05, 1e-6));
  EXPECT_THAT(student_p(3.169273, 10), DoubleNear(0.01, 1e-6));
  EXPECT_THAT(student_p(3.290527, 1e7), DoubleNear(0.001, 1e-6));
  EXPECT_THAT(student_p(0, 5), DoubleNear(1, 1e-12));
}

// How far a bootstrap interval is right: it should contain the true ratio in 95% of all cases.
TEST(RatioInterval, ContainsTheTrueRatioAboutAsOftenAsItSays) {
  Random random(3);
  int hits = 0, above = 0, below = 0;
  constexpr int kTries = 200;
  for (int i = 0; i < kTries; ++i) {
    std::vector<double> base, head;
    for (int k = 0; k < 25; ++k) {
      base.push_back(std::exp(0.05 * normal(random)));
      head.push_back(1.1 * std::exp(0.05 * normal(random)));
    }
    const auto a = samples_of(base), b = samples_of(head);
    const Interval interval = ratio_interval({a, b, false});
    hits += interval.low <= 1.1 && 1.1 <= interval.high;
    above += interval.low > 1.1;
    below += interval.high < 1.1;
  }
  EXPECT_GE(hits, kTries * 90 / 100);
  EXPECT_GE(above, 1);
  EXPECT_GE(below, 1);
}

TEST(RatioInterval, IsNarrowerWhenBothSidesShareTheNoise) {
  Random random(4);
  std::vector<double> base, head;
  for (int k = 0; k < 40; ++k) {
    const double shared = std::exp(0.3 * normal(random));
    base.push_back(shared * std::exp(0.01 * normal(random)));
    head.push_back(1.1 * shared * std::exp(0.01 * normal(random)));
  }
  const auto a = samples_of(base), b = samples_of(head);
  const Interval together = ratio_interval({a, b, true}), apart = ratio_interval({a, b, false});
  EXPECT_LT(together.high - together.low, (apart.high - apart.low) / 2);
  EXPECT_LT(together.low, 1.1);
  EXPECT_GT(together.high, 1.1);
}

TEST(RatioInterval, IsTheSameForTheSameSamples) {
  const auto a = samples_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const auto b = samples_of({2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Interval first = ratio_interval({a, b, false}), second = ratio_interval({a, b, false});
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

TEST(Noise, OfSidesThatDriftIsAtLeastTheDrift) {
  std::vector<double> drifting;
  for (int i = 0; i < 20; ++i) drifting.push_back(i < 10 ? 1.0 : 1.2);
  const auto samples = samples_of(drifting);
  EXPECT_GE(a_a_noise({samples, samples, false}), 0.199);
}

// 95% of differences of halves of 40 are within 1.96 · σ · 1.25 · √(1/20 + 1/20), and the whole has
// half of it.
TEST(Noise, OfPairsIsThatOfTheirRatios) {
  Random random(9);
  std::vector<double> base, head;
  for (int k = 0; k < 40; ++k) {
    const double shared = std::exp(0.5 * normal(random));
    base.push_back(shared);
    head.push_back(shared * std::exp(0.05 * normal(random)));
  }
  const auto a = samples_of(base), b = samples_of(head);
  EXPECT_NEAR(a_a_noise({a, b, true}), 0.0195, 0.007);
}

TEST(RatioInterval, IgnoresRoundsOfOneSide) {
  Random random(10);
  std::vector<Sample> base, head;
  for (unsigned k = 0; k < 30; ++k) {
    base.push_back({std::exp(0.01 * normal(random)), k});
    head.push_back({1.1 * std::exp(0.01 * normal(random)), k + 5});
  }
  const Interval interval = ratio_interval({base, head, true});
  EXPECT_GT(interval.low, 1.08);
  EXPECT_LT(interval.high, 1.12);
}

TEST(ChangePoints, AreWhereALevelBegins) {
  Random random(5);
  std::vector<double> values;
  for (int i = 0; i < 40; ++i)
    values.push_back((i < 15 ? 1.0 : i < 30 ? 1.1 : 0.9) * std::exp(0.01 * normal(random)));
  const auto points = change_points(values);
  ASSERT_THAT(points, SizeIs(2));
  EXPECT_EQ(points[0].at, 15U);
  EXPECT_EQ(points[1].at, 30U);
  EXPECT_NEAR(points[0].after / points[0].before, 1.1, 0.02);
}

TEST(ChangePoints, ThreeResultsMakeALevel) {
  const std::vector<double> values{1, 1.001, 0.999, 1.2, 1.201, 1.199};
  ASSERT_THAT(change_points(values), SizeIs(1));
  EXPECT_EQ(change_points(values)[0].at, 3U);
}

TEST(ChangePoints, TheLastLevelMayBeAsShort) {
  std::vector<double> values(10, 1.0);
  values.insert(values.end(), {1.2, 1.2, 1.2});
  const auto points = change_points(values);
  ASSERT_THAT(points, SizeIs(1));
  EXPECT_EQ(points[0].at, 10U);
}

// Student's t with pooled variance, of the logarithms; the p-value by numeric integration.
TEST(ChangePoints, HaveTheProbabilityOfTheTTest) {
  const std::vector<double> values{1, 1.02, 0.98, 1.01, 1.1, 1.12, 1.08, 1.11};
  const auto points = change_points(values);
  ASSERT_THAT(points, SizeIs(1));
  EXPECT_EQ(points[0].at, 4U);
  EXPECT_NEAR(points[0].p, 1.7330519e-4, 1e-7);
}

TEST(ChangePoints, OfNoNoiseAreThoseAboveTheThreshold) {
  std::vector<double> values(20, 1.0);
  for (std::size_t i = 10; i < values.size(); ++i) values[i] = 1.02;
  EXPECT_THAT(change_points(values), IsEmpty());
  EXPECT_THAT(change_points(values, {.threshold = 0.01}), SizeIs(1));
}

TEST(ChangePoints, AreNotOutliersAndNotBelowTheThreshold) {
  std::vector<double> values(30, 1.0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.001 * static_cast<double>(i % 3);
  values[12] = 3;
  EXPECT_THAT(change_points(values), IsEmpty());
  for (std::size_t i = 15; i < values.size(); ++i) values[i] *= 1.02;
  EXPECT_THAT(change_points(values), IsEmpty());
  EXPECT_THAT(change_points({}), IsEmpty());
}

TEST(ChangePoints, AreRareInNoise) {
  Random random(6);
  int alarms = 0;
  for (int series = 0; series < 300; ++series) {
    std::vector<double> values;
    for (int i = 0; i < 60; ++i) values.push_back(std::exp(0.05 * normal(random)));
    alarms += !change_points(values).empty();
  }
  EXPECT_LE(alarms, 9);  // 3%
}

TEST(ChangePoints, EveryDifferenceOfACountIsOne) {
  const auto points = exact_changes(std::vector<double>{3, 3, 4, 4, 3});
  ASSERT_THAT(points, SizeIs(2));
  EXPECT_EQ(points[0].at, 2U);
  EXPECT_EQ(points[1].at, 4U);
}

}  // namespace
}  // namespace hipwright::perf
