// SPDX-License-Identifier: MIT
#include "verify/kernel/expression.h"

#include <gtest/gtest.h>

namespace hipwright::verify {
namespace {

std::int64_t integer(const char* text, const Sizes& sizes = {}) {
  const auto parsed = Expression::parse(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().message();
  const auto value = parsed->integer(sizes);
  EXPECT_TRUE(value) << text << ": " << value.error().message();
  return value.value_or(-1);
}

std::string parse_error(const char* text) {
  const auto parsed = Expression::parse(text);
  return parsed ? "" : parsed.error().why;
}

std::string value_error(const char* text) {
  const auto value = Expression::parse(text)->integer({{"n", 5}});
  return value ? "" : value.error().why;
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(integer("1 + 2 * 3"), 7);
  EXPECT_EQ(integer("(1 + 2) * 3"), 9);
  EXPECT_EQ(integer("10 - 4 - 3"), 3);
  EXPECT_EQ(integer("100 / 10 / 2"), 5);
  EXPECT_EQ(integer("-3 + 5"), 2);
  EXPECT_EQ(integer("- -7 % 4"), 3);
}

TEST(Expression, CountsBlocks) {
  EXPECT_EQ(integer("(n + 255) / 256", {{"n", 1000}}), 4);
  EXPECT_EQ(integer("ceil_div(n, 256)", {{"n", 1024}}), 4);
  EXPECT_EQ(integer("ceil_div(n, 256)", {{"n", 1025}}), 5);
  EXPECT_EQ(integer("min(n, 64) * max(2, wave)", {{"n", 100}, {"wave", 32}}), 2048);
}

TEST(Expression, SaysWhatItCannotRead) {
  EXPECT_EQ(parse_error("1 +"), "unexpected end (column 4)");
  EXPECT_EQ(parse_error("(1"), "missing ')' (column 3)");
  EXPECT_EQ(parse_error("1 2"), "unexpected '2' (column 3)");
  EXPECT_EQ(parse_error("$"), "unexpected '$' (column 1)");
  EXPECT_EQ(parse_error("sum(1)"), "sum takes the name of a tensor (column 7)");
  EXPECT_NE(parse_error(std::string(1000, '(').c_str()), "");
  EXPECT_NE(parse_error(std::string(1000, '-').c_str()), "");
}

TEST(Expression, SaysWhatItCannotCompute) {
  EXPECT_EQ(value_error("m + 1"), "no size named m");
  EXPECT_EQ(value_error("1 / (n - 5)"), "division by zero");
  EXPECT_EQ(value_error("9007199254740992 * 9007199254740992"), "the result is too large");
  EXPECT_EQ(value_error("0.5 * n"), "sizes must be integers");
  EXPECT_EQ(value_error("sum(x)"), "unknown function sum of sizes");
}

TEST(Expression, JudgesTensors) {
  const Expression::Tensors tensors = [](std::string_view function,
                                         std::string_view name) -> Result<double> {
    if (function == "sum" && name == "y") return 2.5;
    if (function == "max" && name == "y") return 1.5;
    return fail("cannot compute", std::string(function), "unknown");
  };
  const auto holds = [&](const char* text) {
    return Expression::parse(text)->number({{"n", 2}}, tensors).value_or(-1);
  };
  EXPECT_EQ(holds("sum(y) / n >= 1.25"), 1);
  EXPECT_EQ(holds("sum(y) > 2.5 || max(y) == 1.5"), 1);
  EXPECT_EQ(holds("sum(y) > 2.5 && max(y) == 1.5"), 0);
  EXPECT_EQ(holds("max(n, 3) == 3"), 1);
  EXPECT_EQ(holds("median(y) > 0"), -1);
}

}  // namespace
}  // namespace hipwright::verify
