// SPDX-License-Identifier: MIT
#include "verify/program/printed_output.h"

#include <gtest/gtest.h>

namespace hipwright::verify {
namespace {

bool same(std::string_view left, std::string_view right) {
  return compare_printed(left, right).is_same;
}

TEST(OutputComparison, MeasurementsAreOthersInEveryRun) {
  EXPECT_TRUE(same("time: 0.21 ms\n", "time:  12.5 ms\n"));
  EXPECT_TRUE(same("Average time of kernels: 7.7e-05 (s)\n", "Average time of kernels: 1 (s)\n"));
  EXPECT_TRUE(same("took 3s", "took 12s"));
  EXPECT_TRUE(same("copy 1024: 12.5 GB/s, 3 us", "copy 1024: 99.0 GB/s, 4 us"));
  EXPECT_TRUE(same("212.5 GFLOP/s", "3 GFLOP/s"));
  EXPECT_TRUE(same("time (ms): 3", "time (ms): 4"));
  EXPECT_TRUE(same("Elapsed [s] = 3", "Elapsed [s] = 4"));
  EXPECT_TRUE(same("Bandwidth, GB/s: 3.5", "Bandwidth, GB/s: 4"));
  EXPECT_TRUE(same("sum 5 in 3 ms", "sum 5 in 4 ms"));
  EXPECT_EQ(compare_printed("sum 5\n1 ms\n", "sum 5\n2 ms\n").time_of_left, "1 ms");
}

TEST(OutputComparison, ResultsAreNot) {
  EXPECT_FALSE(same("sum: 5\n", "sum: 6\n"));
  EXPECT_FALSE(same("simulated time: 5\n", "simulated time: 6\n"));
  EXPECT_FALSE(same("5 steps\n", "6 steps\n"));
  EXPECT_FALSE(same("items 5\n", "items 6\n"));
  EXPECT_FALSE(same("5 ms on a\n", "5 ms on b\n"));
  EXPECT_FALSE(same("a\n5 ms\n", "a\n"));
  EXPECT_FALSE(same("x1: 5 ms\n", "x2: 5 ms\n"));
  // A result beside a measurement stays a result.
  EXPECT_FALSE(same("sum 5 in 3 ms\n", "sum 6 in 4 ms\n"));
  EXPECT_FALSE(same("took 3 ms, sum 5\n", "took 3 ms, sum 6\n"));
  EXPECT_FALSE(same("time (ms): 3, sum: 5\n", "time (ms): 4, sum: 6\n"));
  EXPECT_FALSE(same("the block's sum 5\n", "the block's sum 6\n"));
  EXPECT_FALSE(same("ns::sum = 5\n", "ns::sum = 6\n"));
  EXPECT_FALSE(same("a  5\n", "a 5\n"));
  const OutputComparison found = compare_printed("a 1\n2 ms\nb 3\n", "a 1\n3 ms\nb 4\n");
  EXPECT_EQ(found.left, "b 3");
  EXPECT_EQ(found.right, "b 4");
}

TEST(OutputComparison, ResultsDifferWhereNothingElseCanBeMeant) {
  const auto differ = [](const PrintedOutputs& left, const PrintedOutputs& right) {
    return different_results(left, right);
  };
  const PrintedOutputs left{"device A\ncount 500\n1 ms\n", "device A\ncount 500\n2 ms\n",
                            "device A\ncount 0\n1 ms\n"};
  PrintedOutputs right{"device B\ncount 256\n3 ms\n", "device B\ncount 256\n4 ms\n",
                       "device B\ncount 0\n1 ms\n"};
  EXPECT_EQ(differ(left, right), std::pair(std::string("count 500"), std::string("count 256")));
  right.usual = right.again = "device B\ncount 250\n3 ms\n";  // may count waves
  EXPECT_EQ(differ(left, right).first, "");
  right.usual = right.again = "device B\ncount 501\n3 ms\n";  // may be a rounding
  EXPECT_EQ(differ(left, right).first, "");
  right.usual = "device B\ncount 256\n3 ms\n";  // another one in every run
  right.again = "device B\ncount 257\n3 ms\n";
  EXPECT_EQ(differ(left, right).first, "");
  right.again = right.usual;
  right.idle = right.usual;  // a property of the device
  EXPECT_EQ(differ(left, right).first, "");
}

TEST(OutputComparison, ANumberCountsWhereItIsTheSame) {
  EXPECT_TRUE(compare_printed("sum: 5\nPASS\n", "sum: 5\nPASS\n").has_number);
  EXPECT_FALSE(compare_printed("PASS\n", "PASS\n").has_number);
  EXPECT_FALSE(compare_printed("PASS\n1 ms\n", "PASS\n2 ms\n").has_number);
  EXPECT_TRUE(compare_printed("", "").is_same);
}

}  // namespace
}  // namespace hipwright::verify
