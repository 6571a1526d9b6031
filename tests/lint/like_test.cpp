// SPDX-License-Identifier: MIT
#include "lint/like/like.h"

#include <gmock/gmock.h>

#include "lint/tree.h"

namespace hipwright::lint::like {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Like : public TreeTest {
 protected:
  Found search(const std::string& origin, bool everywhere = false) {
    Request request{.lint = options(), .origin = *parse_origin(origin)};
    request.lint.select = select;
    request.all_platforms = everywhere;
    auto found = find_like(request);
    EXPECT_TRUE(found) << found.error().message();
    return found ? *std::move(found) : Found{};
  }
  static std::vector<std::string> where(const Found& found) {
    std::vector<std::string> list;
    for (const Place& place : found.places)
      list.push_back(place.path + ":" + std::to_string(place.position.line));
    return list;
  }
  std::vector<std::string> select = {"HW003"};
};

TEST_F(Like, NamesBlanksAndLineBreaksDoNotCount) {
  file("a.py", "x = fetch_pages(first, count=n)\n");
  file("b.py", "pages=fetch_pages( begin ,\n    count = total)  # more\n");
  file("c.py", "y = fetch_books(first)\n");
  EXPECT_THAT(where(search("a.py:1")), ElementsAre("b.py:1"));
}

TEST_F(Like, AVariableThatOccursTwiceIsTheSameOne) {
  file("a.cu", "void f() {\n  total = clamp_sum(total, value);\n}\n");
  file("b.cu", "void g() {\n  sum = clamp_sum(rest, part);\n  all = clamp_sum(all, part);\n}\n");
  EXPECT_THAT(where(search("a.cu:2")), ElementsAre("b.cu:3", "b.cu:2"));
}

TEST_F(Like, SaysWhatDiffers) {
  file("a.cu", "void f() {\n  unsigned mask = vote_all(p);\n}\n");
  file("b.cu", "void g() {\n  unsigned lanes = vote_all(p);\n}\n");
  const Found found = search("a.cu:2");
  ASSERT_EQ(found.places.size(), 1U);
  ASSERT_EQ(found.places[0].differences.size(), 1U);
  EXPECT_EQ(found.places[0].differences[0].in_shape, "mask");
  EXPECT_EQ(found.places[0].differences[0].here, "lanes");
  EXPECT_THAT(text_output(found, false), HasSubstr("b.cu:2:3: like "));
  EXPECT_THAT(text_output(found, false), HasSubstr("mask is lanes"));
  EXPECT_THAT(json_output(found), HasSubstr("\"pattern\": \"unsigned $mask = vote_all($p)\""));
}

TEST_F(Like, CodeHiddenFromAmdIsCounted) {
  file("a.cu", "void f() {\n  unsigned mask = vote_all(p);\n}\n");
  file("b.cu", "#ifdef USE_ROCM\n#else\nvoid g() { unsigned m = vote_all(q); }\n#endif\n");
  file("c.cu", "void g() { unsigned m = vote_all(q); }\n");
  file("CMakeLists.txt", "if(NOT USE_ROCM)\n  add_library(x c.cu)\nendif()\n");
  const Found found = search("a.cu:2");
  EXPECT_THAT(where(found), IsEmpty());
  EXPECT_EQ(found.unreachable, 2U);
  EXPECT_THAT(where(search("a.cu:2", true)), testing::UnorderedElementsAre("b.cu:3", "c.cu:1"));
}

TEST_F(Like, FindingsOfTheSameRuleComeFirst) {
  select = {"HW101"};
  file("a.cu", kBad);
  file("b.cu", std::string("\n\n") + kBad);
  const Found found = search("a.cu:1");
  EXPECT_THAT(found.codes, ElementsAre("HW101"));
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].path, "b.cu");
  EXPECT_THAT(where(found), IsEmpty()) << "it is among the findings";
}

TEST_F(Like, OnlyTheLinesOfALongStatementMatter) {
  file("a.py", "run_it(\n    alpha,\n    beta,\n    policy=make_policy(1),\n    gamma,\n)\n");
  file("b.py", "start(other, things, policy=make_policy(1))\n");
  file("c.py", "run_it(\n    alpha,\n    beta,\n    policy=None,\n    gamma,\n)\n");
  const std::vector<std::string> places = where(search("a.py:4"));
  ASSERT_FALSE(places.empty());
  EXPECT_EQ(places[0], "b.py:1");
}

TEST_F(Like, APatchOfABuildFileNamesItsRuleAndUnreadFiles) {
  file("CMakeLists.txt", "set(TARGETS gfx90a gfx942 gfx950)\n");
  file("tools/CMakeLists.txt", "set(TARGETS gfx90a gfx942)\n");
  file("notes.txt", "new\n");
  const std::string text =
      "--- a/CMakeLists.txt\n+++ b/CMakeLists.txt\n@@ -1 +1 @@\n-set(TARGETS gfx90a gfx942)\n"
      "+set(TARGETS gfx90a gfx942 gfx950)\n"
      "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1 @@\n-old\n+new\n";
  const auto patch = read_patch(text, "p");
  ASSERT_TRUE(patch) << patch.error().message();
  Request request{.lint = options(), .patch = *patch};
  request.lint.select = {"HW503"};
  const auto found = find_like(request);
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_EQ(found->findings.size(), 1U);
  EXPECT_EQ(found->findings[0].path, "tools/CMakeLists.txt");
  EXPECT_THAT(found->not_read, ElementsAre("notes.txt"));
  EXPECT_THAT(text_output(*found, false), HasSubstr("notes.txt"));
}

TEST_F(Like, InvalidQueriesAreRejected) {
  file("a.cu", "\n// a comment\nint x;\n");
  file("a.txt", "x\n");
  const auto error = [&](const std::string& origin) {
    const auto parsed = parse_origin(origin);
    if (!parsed) return parsed.error().message();
    const auto found = find_like({.lint = options(), .origin = *parsed});
    return found ? std::string() : found.error().message();
  };
  EXPECT_THAT(error("a.cu"), HasSubstr("missing line number"));
  EXPECT_THAT(error("a.cu:0"), HasSubstr("invalid line range"));
  EXPECT_THAT(error("a.cu:3-2"), HasSubstr("invalid line range"));
  EXPECT_THAT(error("a.cu:2"), HasSubstr("no code"));
  EXPECT_THAT(error("a.cu:99"), HasSubstr("fewer lines"));
  EXPECT_THAT(error("a.txt:1"), HasSubstr("not a C++"));
  EXPECT_THAT(error("no.cu:1"), HasSubstr("No such file"));
}

}  // namespace
}  // namespace hipwright::lint::like
