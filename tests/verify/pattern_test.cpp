// SPDX-License-Identifier: MIT
#include "verify/numeric/pattern.h"

#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright::verify {

namespace {

using ::testing::HasSubstr;

struct Case {
  const char* says;
  Shape shape;
  Layout layout;
  std::function<bool(std::size_t)> is_wrong;
};

std::vector<bool> wrong_of(const Shape& shape, const std::function<bool(std::size_t)>& is_wrong) {
  std::size_t count = 1;
  for (const std::int64_t dimension : shape) count *= static_cast<std::size_t>(dimension);
  std::vector<bool> wrong(count);
  for (std::size_t i = 0; i < count; ++i) wrong[i] = is_wrong(i);
  return wrong;
}

const Case kCases[] = {
    {"every lane >= 32 is wrong", {4096}, {64, 256}, [](auto i) { return i % 64 >= 32; }},
    {"every lane < 32 is wrong", {4096}, {64, 256}, [](auto i) { return i % 64 < 32; }},
    {"every odd lane is wrong", {4096}, {32, 128}, [](auto i) { return i % 2 == 1; }},
    {"every even lane is wrong", {4096}, {32, 0}, [](auto i) { return i % 2 == 0; }},
    {"lanes 16-31 of every wave are wrong",
     {4096},
     {64, 256},
     [](auto i) { return i % 64 / 16 == 1; }},
    {"lane 63 of every wave is wrong", {4096}, {64, 256}, [](auto i) { return i % 64 == 63; }},
    {"every lane but lane 0 is wrong", {100 * 32}, {32, 256}, [](auto i) { return i % 32 != 0; }},
    {"every lane with lane % 8 >= 4 is wrong",
     {4096},
     {64, 256},
     [](auto i) { return i % 8 >= 4; }},
    {"every lane with lane % 4 == 3 is wrong",
     {4096},
     {64, 256},
     [](auto i) { return i % 4 == 3; }},
    {"lanes 3, 17 of every wave are wrong",
     {4096},
     {64, 256},
     [](auto i) { return i % 64 == 3 || i % 64 == 17; }},
    // Blocks of 96 threads: the second wave of 64 has 32 lanes only.
    {"every lane >= 48 is wrong", {960}, {64, 96}, [](auto i) { return i % 96 % 64 >= 48; }},
    {"every thread >= 64 is wrong", {2560}, {64, 256}, [](auto i) { return i % 256 >= 64; }},
    {"the first block is wrong", {2560}, {64, 256}, [](auto i) { return i < 256; }},
    {"the last block is wrong", {2570}, {64, 256}, [](auto i) { return i >= 2560; }},
    {"every block but the first block is wrong",
     {2560},
     {64, 256},
     [](auto i) { return i >= 256; }},
    {"every block >= 4 is wrong", {2560}, {64, 256}, [](auto i) { return i >= 1024; }},
    {"every odd block is wrong", {2560}, {64, 256}, [](auto i) { return i / 256 % 2 == 1; }},
    {"column 7 is wrong", {40, 30}, {}, [](auto i) { return i % 30 == 7; }},
    {"every row >= 25 is wrong", {40, 30}, {}, [](auto i) { return i / 30 >= 25; }},
    {"row 3 is wrong", {40, 30}, {}, [](auto i) { return i / 30 == 3; }},
    {"every odd column is wrong", {40, 30}, {}, [](auto i) { return i % 2 == 1; }},
    {"row 2 (dimension 1) is wrong", {5, 6, 7}, {}, [](auto i) { return i / 7 % 6 == 2; }},
    {"the last 17 elements are wrong", {10000}, {}, [](auto i) { return i >= 9983; }},
    {"the first 100 elements are wrong", {10000}, {}, [](auto i) { return i < 100; }},
    {"elements 300 to 555 are wrong", {10000}, {}, [](auto i) { return i >= 300 && i < 556; }},
    {"every index >= 32 of every 64 is wrong", {10000}, {}, [](auto i) { return i % 64 >= 32; }},
    {"every odd index is wrong", {10000}, {}, [](auto i) { return i % 2 == 1; }},
    {"all elements are wrong", {100}, {64, 64}, [](auto) { return true; }},
    {"", {100}, {64, 64}, [](auto) { return false; }},
    {"", {10000}, {64, 256}, [](auto i) { return i == 4711; }},
};

TEST(Pattern, SaysWhatIsWrong) {
  for (const Case& each : kCases)
    EXPECT_EQ(pattern_of(wrong_of(each.shape, each.is_wrong), {}, each.shape, each.layout),
              each.says);
}

TEST(Pattern, HoldsWithSomeThatAreRightByChance) {
  std::mt19937 random(1);
  const auto wrong =
      wrong_of({100000}, [&](std::size_t i) { return i % 64 >= 32 && random() % 50 != 0; });
  EXPECT_EQ(pattern_of(wrong, {}, {100000}, {64, 256}), "every lane >= 32 is wrong");
  const auto more =
      wrong_of({100000}, [&](std::size_t i) { return i % 64 >= 32 || random() % 100 == 0; });
  EXPECT_EQ(pattern_of(more, {}, {100000}, {64, 256}), "every lane >= 32 is wrong");
}

TEST(Pattern, NamesTheHalfOfTheWavesThatAloneIsWrong) {
  // A third of the upper lanes is right by chance.
  std::vector<bool> wrong(2048);
  for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] = i % 64 >= 32 && i * i % 7 > 1;
  const auto count = std::count(wrong.begin(), wrong.end(), true);
  EXPECT_EQ(pattern_of(wrong, {}, {2048}, {64, 256}),
            "only lanes >= 32 are wrong: " + std::to_string(count) + " of their 1024 elements");
  wrong[5] = true;
  EXPECT_EQ(pattern_of(wrong, {}, {2048}, {64, 256}), "");
}

TEST(Pattern, IsSilentWhereThereIsNone) {
  std::mt19937 random(2);
  for (const unsigned one_in : {2U, 3U, 10U, 100U, 1000U})
    for (const Shape& shape : {Shape{64}, Shape{4096}, Shape{37, 53}, Shape{8, 9, 10}}) {
      const auto wrong = wrong_of(shape, [&](std::size_t) { return random() % one_in == 0; });
      EXPECT_EQ(pattern_of(wrong, {}, shape, {64, 256}), "") << one_in;
    }
}

TEST(Pattern, IsSilentWhereItWouldBeHalfTrue) {
  // Half of the lanes above 32, and as many of the others.
  const auto wrong =
      wrong_of({4096}, [](std::size_t i) { return (i * 2654435761U >> 7) % 2 == 0; });
  EXPECT_EQ(pattern_of(wrong, {}, {4096}, {64, 256}), "");
}

TEST(Pattern, OfASampleIsThatOfTheWhole) {
  std::mt19937 random(3);
  std::vector<std::int64_t> indices;
  std::vector<bool> wrong;
  for (std::int64_t i = 0; i < 1'000'000; i += 1 + static_cast<std::int64_t>(random() % 200)) {
    indices.push_back(i);
    wrong.push_back(i % 64 >= 32);
  }
  EXPECT_EQ(pattern_of(wrong, indices, {1'000'000}, {64, 256}), "every lane >= 32 is wrong");
}

TEST(Pattern, AFactorIsNamed) {
  Values expected = zeros(DataType::kF8E4M3, {10}), actual = expected;
  for (std::size_t i = 0; i < 10; ++i) {
    store(expected, i, static_cast<double>(i));
    store(actual, i, static_cast<double>(i) / 2);
  }
  const Comparison result = compare(expected, actual, {.relative = 1e-3});
  EXPECT_THAT(result.pattern, HasSubstr("0.5 times the expected one"));
  EXPECT_THAT(result.pattern, HasSubstr("fnuz"));
  store(actual, 9, 1);
  EXPECT_EQ(compare(expected, actual, {.relative = 1e-3}).pattern.find("times"), std::string::npos);
}

}  // namespace

}  // namespace hipwright::verify
