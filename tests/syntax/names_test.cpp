// SPDX-License-Identifier: MIT
#include "syntax/names.h"

#include <gtest/gtest.h>

namespace hipwright::syntax {

namespace {

const Name kFirst("names_test_first");
const Name kSame("names_test_first");
const Name kShort("n1");
const Name kEight("names_t8");
const Name kSixteen("names_test_16_ch");
const Name kLong("names_test_first_of_many_words");

TEST(Names, AreNumberedOnceAndFoundByText) {
  EXPECT_EQ(kFirst.id(), kSame.id());
  EXPECT_NE(kFirst.id(), kShort.id());
  EXPECT_EQ(name_id("names_test_first"), kFirst.id());
  EXPECT_EQ(name_id("n1"), kShort.id());
  EXPECT_EQ(name_text(kShort.id()), "n1");
}

TEST(Names, ThatWereNotRequestedAreZero) {
  for (const char* text : {"", "n", "n2", "names_test_firs", "names_test_first_"})
    EXPECT_EQ(name_id(text), 0) << text;
}

TEST(Names, AreFoundInsideALongerText) {
  for (const Name* name : {&kFirst, &kShort, &kEight, &kSixteen, &kLong}) {
    for (const char behind : {' ', '(', 'x'}) {
      const std::string text = std::string(name->text()) + std::string(20, behind);
      EXPECT_EQ(name_id_within({text.data(), name->text().size()}), name->id()) << text;
      EXPECT_EQ(name_id_within({text.data(), name->text().size() - 1}), 0) << text;
    }
  }
}

}  // namespace

}  // namespace hipwright::syntax
