// SPDX-License-Identifier: MIT
#include "port/change.h"

#include <gtest/gtest.h>

namespace hipwright::port {
namespace {

constexpr std::string_view kText = "f(cudaA, cudaB);";

Change change(std::size_t begin, std::size_t end, std::string replacement) {
  return {.edit = {{begin, end}, std::move(replacement)}, .code = "HP201"};
}

TEST(Changes, AreAppliedByPlaceWhateverTheOrder) {
  Changes changes;
  EXPECT_TRUE(changes.add(change(9, 14, "hipB")));
  EXPECT_TRUE(changes.add(change(2, 7, "hipA")));
  EXPECT_EQ(changes.apply(kText), "f(hipA, hipB);");
  EXPECT_EQ(changes.text_of(kText, {2, 7}), "hipA");
  EXPECT_EQ(changes.text_of(kText, {0, 2}), "f(");
}

TEST(Changes, OneThatCoversOthersTakesTheirPlace) {
  Changes changes;
  changes.add(change(2, 7, "hipA"));
  changes.add(change(9, 14, "hipB"));
  EXPECT_TRUE(changes.add(change(0, 15, "g(" + changes.text_of(kText, {2, 7}) + ")")));
  EXPECT_EQ(changes.apply(kText), "g(hipA);");
  EXPECT_EQ(changes.list().size(), 1U);
}

TEST(Changes, TheFirstOfTwoThatOverlapStays) {
  Changes changes;
  EXPECT_TRUE(changes.add(change(0, 7, "x")));
  EXPECT_FALSE(changes.add(change(2, 14, "y")));
  EXPECT_FALSE(changes.add(change(3, 5, "inside")));
  EXPECT_EQ(changes.apply(kText), "x, cudaB);");
}

TEST(Changes, WhatIsInsertedAtAnEdgeStays) {
  Changes changes;
  EXPECT_TRUE(changes.add(change(2, 2, "/* first */ ")));
  EXPECT_TRUE(changes.add(change(2, 7, "hipA")));
  EXPECT_TRUE(changes.add(change(7, 7, "[0]")));
  EXPECT_FALSE(changes.add(change(7, 7, "[1]")));
  EXPECT_EQ(changes.apply(kText), "f(/* first */ hipA[0], cudaB);");
  EXPECT_TRUE(changes.add(change(9, 14, "hipB")));
  EXPECT_TRUE(changes.add(change(9, 9, "&")));
  EXPECT_EQ(changes.apply(kText), "f(/* first */ hipA[0], &hipB);");
}

TEST(Changes, KnowWhatTheyTouch) {
  Changes changes;
  changes.add(change(2, 7, "hipA"));
  EXPECT_TRUE(changes.touches({0, 3}));
  EXPECT_TRUE(changes.touches({6, 9}));
  EXPECT_FALSE(changes.touches({0, 2}));
  EXPECT_FALSE(changes.touches({7, 16}));
}

TEST(Changes, OneSetAfterAnotherIsOne) {
  const std::string text = "abcdefgh";
  const auto change = [](std::size_t begin, std::size_t end, const char* by) {
    return Change{.edit = {{begin, end}, by}, .code = "HP201"};
  };
  Changes first;
  ASSERT_TRUE(first.add(change(1, 3, "XYZ")));  // aXYZdefgh
  ASSERT_TRUE(first.add(change(5, 5, "++")));   // aXYZde++fgh
  const auto both = [&](const std::vector<Change>& list) {
    Changes next;
    for (const Change& each : list) EXPECT_TRUE(next.add(each));
    const Changes all = first.then(text, next);
    EXPECT_EQ(all.apply(text), next.apply(first.apply(text)));
    return all.list().size();
  };
  EXPECT_EQ(both({}), 2U);
  EXPECT_EQ(both({change(9, 10, "G")}), 3U);                      // apart
  EXPECT_EQ(both({change(2, 3, "y")}), 2U);                       // inside of the first
  EXPECT_EQ(both({change(0, 2, "")}), 2U);                        // across its begin
  EXPECT_EQ(both({change(3, 7, "...")}), 1U);                     // from the first to the second
  EXPECT_EQ(both({change(0, 0, "<"), change(11, 11, ">")}), 4U);  // at both ends of the text
  EXPECT_EQ(both({change(4, 4, "|"), change(6, 8, "-")}), 2U);    // touching
  EXPECT_EQ(first.then(text, Changes()).list().begin()->edit.span, (Span{1, 3}));
}

}  // namespace
}  // namespace hipwright::port
