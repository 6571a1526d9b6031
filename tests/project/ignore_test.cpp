// SPDX-License-Identifier: MIT
#include "project/ignore.h"

#include <gtest/gtest.h>

namespace hipwright::project {
namespace {

struct Case {
  const char* patterns;
  const char* path;
  bool is_ignored;
};

// "x/" at the end of a path: a folder. The answers are those of `git check-ignore`.
class Ignore : public testing::TestWithParam<Case> {};

TEST_P(Ignore, AsGitDoes) {
  std::string_view path = GetParam().path;
  const bool is_folder = path.ends_with('/');
  if (is_folder) path.remove_suffix(1);
  EXPECT_EQ(IgnorePatterns(GetParam().patterns).ignores(path, is_folder), GetParam().is_ignored)
      << GetParam().patterns << " and " << GetParam().path;
}

INSTANTIATE_TEST_SUITE_P(
    Patterns, Ignore,
    testing::Values(
        Case{"*.o", "a/b.o", true}, Case{"*.o", "a/b.oo", false}, Case{"build", "build/", true},
        Case{"build", "a/build", true}, Case{"build/", "a/build/", true},
        Case{"build/", "a/build", false}, Case{"/build", "build/", true},
        Case{"/build", "a/build/", false}, Case{"a/b", "a/b", true}, Case{"a/b", "x/a/b", false},
        Case{"a/*", "a/b", true}, Case{"a/*", "a/b/c", false}, Case{"a/*/c", "a/b/c", true},
        Case{"a/*/c", "a/c", false}, Case{"**/c", "c", true}, Case{"**/c", "a/b/c", true},
        Case{"**/b/c", "b/c", true}, Case{"**/b/c", "a/b/c", true}, Case{"a/**", "a/b/c", true},
        Case{"a/**", "a/", false}, Case{"a/**/c", "a/c", true}, Case{"a/**/c", "a/x/y/c", true},
        Case{"a/**/c/**/d", "a/1/c/2/c/3/d", true}, Case{"a/**/c", "b/a/c", false},
        Case{"a**c", "abbc", true}, Case{"a**c", "ab/c", false}));

INSTANTIATE_TEST_SUITE_P(Lines, Ignore,
                         testing::Values(Case{"*.o\n!keep.o", "keep.o", false},
                                         Case{"!keep.o\n*.o", "keep.o", true},
                                         Case{"# a\n\n  \n", "# a", false},
                                         Case{"\\#a", "#a", true}, Case{"\\!a", "!a", true},
                                         Case{"a  ", "a", true}, Case{"a\\ ", "a ", true},
                                         Case{"a\r\nb\r\n", "b", true},
                                         Case{"\xEF\xBB\xBF"
                                              "a",
                                              "a", true},
                                         Case{"/", "a", false}, Case{"", "a", false}));

INSTANTIATE_TEST_SUITE_P(
    Globs, Ignore,
    testing::Values(Case{"?.c", "a.c", true}, Case{"?.c", "ab.c", false},
                    Case{"[ab].c", "b.c", true}, Case{"[ab].c", "c.c", false},
                    Case{"[!ab].c", "c.c", true}, Case{"[^ab].c", "a.c", false},
                    Case{"[a-c]x", "bx", true}, Case{"[a-c]x", "dx", false},
                    Case{"[]]x", "]x", true}, Case{"[[:digit:]]x", "7x", true},
                    Case{"[[:digit:]]x", "ax", false}, Case{"[a", "[a", false},
                    Case{"a[/]b", "a/b", false}, Case{"*a*b*", "xxaxxbxx", true},
                    Case{"*a*b*", "xxbxxaxx", false}, Case{"\\*", "*", true},
                    Case{"\\*", "a", false}, Case{"v[0-9]*.so", "v12.so", true}));

TEST(IgnorePatterns, HaveNoOpinionOnUnmatchedPaths) {
  const IgnorePatterns patterns("*.o\n!a.o\n");
  EXPECT_EQ(patterns.decides("b.o", false), true);
  EXPECT_EQ(patterns.decides("a.o", false), false);
  EXPECT_EQ(patterns.decides("c.c", false), std::nullopt);
}

}  // namespace
}  // namespace hipwright::project
