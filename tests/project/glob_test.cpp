// SPDX-License-Identifier: MIT
#include "project/glob.h"

#include <string>

#include <gtest/gtest.h>

namespace hipwright::project {
namespace {

TEST(Glob, NamesWhereverTheyAre) {
  EXPECT_TRUE(name_matches("requirements*.txt", "requirements.txt"));
  EXPECT_TRUE(name_matches("requirements*.txt", "a/b/requirements-dev.txt"));
  EXPECT_FALSE(name_matches("requirements*.txt", "requirements/a.txt"));
  EXPECT_TRUE(name_matches("requirements/*.txt", "requirements/a.txt"));
  EXPECT_TRUE(name_matches("requirements/*.txt", "x/requirements/a.txt"));
  EXPECT_FALSE(name_matches("requirements/*.txt", "a.txt"));
  EXPECT_FALSE(name_matches("*", ""));
}

// Patterns that make careless matchers take exponential time.
TEST(Glob, ManyStarsEndSoon) {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "**/*a*/";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(2000, 'a')));
  std::string path;
  for (int i = 0; i < 200; ++i) path += "aa/";
  EXPECT_FALSE(glob_matches(pattern + "b", path + "c"));
}

}  // namespace
}  // namespace hipwright::project
