// SPDX-License-Identifier: MIT
#include "verify/program/printed.h"

#include <gtest/gtest.h>

namespace hipwright::verify {
namespace {

bool same(std::string_view left, std::string_view right) {
  return compare_printed(left, right).is_same;
}

TEST(Printed, MeasurementsAreOthersInEveryRun) {
  EXPECT_TRUE(same("time: 0.21 ms\n", "time:  12.5 ms\n"));
  EXPECT_TRUE(same("Average time of kernels: 7.7e-05 (s)\n", "Average time of kernels: 1 (s)\n"));
  EXPECT_TRUE(same("took 3s", "took 12s"));
  EXPECT_TRUE(same("copy 1024: 12.5 GB/s, 3 us", "copy 1024: 99.0 GB/s, 4 us"));
  EXPECT_TRUE(same("212.5 GFLOP/s", "3 GFLOP/s"));
  EXPECT_EQ(compare_printed("sum 5\n1 ms\n", "sum 5\n2 ms\n").time_of_left, "1 ms");
}

TEST(Printed, ResultsAreNot) {
  EXPECT_FALSE(same("sum: 5\n", "sum: 6\n"));
  EXPECT_FALSE(same("simulated time: 5\n", "simulated time: 6\n"));
  EXPECT_FALSE(same("5 steps\n", "6 steps\n"));
  EXPECT_FALSE(same("items 5\n", "items 6\n"));
  EXPECT_FALSE(same("5 ms on a\n", "5 ms on b\n"));
  EXPECT_FALSE(same("a\n5 ms\n", "a\n"));
  EXPECT_FALSE(same("x1: 5 ms\n", "x2: 5 ms\n"));
  const Printed found = compare_printed("a 1\n2 ms\nb 3\n", "a 1\n3 ms\nb 4\n");
  EXPECT_EQ(found.left, "b 3");
  EXPECT_EQ(found.right, "b 4");
}

TEST(Printed, ANumberCountsWhereItIsTheSame) {
  EXPECT_TRUE(compare_printed("sum: 5\nPASS\n", "sum: 5\nPASS\n").has_number);
  EXPECT_FALSE(compare_printed("PASS\n", "PASS\n").has_number);
  EXPECT_FALSE(compare_printed("PASS\n1 ms\n", "PASS\n2 ms\n").has_number);
  EXPECT_TRUE(compare_printed("", "").is_same);
}

}  // namespace
}  // namespace hipwright::verify
