// SPDX-License-Identifier: MIT
// Small text things: errors, positions, diagnostics, tables, JSON, hashes, colour.
#include <unistd.h>

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/diagnostic.h"
#include "base/edit_distance.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/source.h"
#include "base/table.h"
#include "base/terminal.h"

namespace hipwright {
namespace {

using testing::HasSubstr;

TEST(Error, ReadsAsASentence) {
  EXPECT_EQ((Error{"cannot read", "a.co", "it is empty", "Compile it again."}.message()),
            "cannot read 'a.co': it is empty. Compile it again.");
  EXPECT_EQ((Error{"cannot read", "", "", ""}.message()), "cannot read");
}

TEST(LineIndex, FindsLinesColumnsAndTheEnd) {
  const LineIndex lines("ab\r\nc\n");
  EXPECT_EQ(lines.line_count(), 2U);
  EXPECT_EQ(lines.position(0), (Position{1, 1}));
  EXPECT_EQ(lines.position(4), (Position{2, 1}));
  EXPECT_EQ(lines.position(999), (Position{2, 3}));
  EXPECT_EQ(lines.line(1), (Span{0, 2}));
  EXPECT_EQ(lines.line(2), (Span{4, 5}));
  EXPECT_EQ(lines.line(3), (Span{}));
  EXPECT_EQ(LineIndex("").position(0), (Position{1, 1}));
}

TEST(Diagnostic, ShowsTheLineWithACaretUnderTheColumn) {
  const Diagnostic diagnostic{.code = "HW101",
                              .path = "k.cu",
                              .position = {2, 2},
                              .message = "32-bit mask",
                              .why = "waves have 64 lanes",
                              .fixes = {{"use 64 bits", true, {}}}};
  EXPECT_EQ(render(diagnostic, "a\n\tx = 1;\n", false),
            "k.cu:2:2: warning: 32-bit mask [HW101]\n  \tx = 1;\n  \t^\n  why: waves have 64 "
            "lanes\n  fix: use 64 bits\n");
}

TEST(Diagnostic, JsonHasTheAgreedKeys) {
  const Json json = json_of(Diagnostic{.code = "HW1",
                                       .severity = Severity::kError,
                                       .path = "p",
                                       .position = {3, 4},
                                       .message = "m",
                                       .fixes = {{"d", true, {{{1, 2}, "r"}}}}});
  EXPECT_EQ(json["line"], 3);
  EXPECT_EQ(json["severity"], "error");
  EXPECT_EQ(json["fix"]["edits"][0]["text"], "r");
}

TEST(EditDistance, CountsTypingMistakes) {
  EXPECT_EQ(edit_distance("gfx942", "gfx942"), 0U);
  EXPECT_EQ(edit_distance("gfx924", "gfx942"), 1U);  // neighbours swapped
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("inspct", "inspect"), 1U);
}

TEST(Table, AlignsColumnsAndCountsCharactersNotBytes) {
  Table table({"name", ">CUs"});
  table.add({"MI300X", "304"});
  table.add({"µ", "8"});
  EXPECT_EQ(table.text(false), "name    CUs\nMI300X  304\nµ         8\n");
}

TEST(Json, BadBytesAndBadTextAreHandled) {
  EXPECT_THAT(json_text({{"k", "\xff"}}), HasSubstr("\uFFFD"));
  const auto parsed = parse_json("{\n  \"a\": oops}", "x.json");
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.error().message(), HasSubstr("x.json:2:"));
  const auto large = parse_json("[9e999]", "y.json");
  ASSERT_FALSE(large);
  EXPECT_THAT(large.error().message(), HasSubstr("out of range"));
}

TEST(Hash, FieldsAreKeptApart) {
  Hasher first, second;
  first.field("ab").field("c");
  second.field("a").field("bc");
  EXPECT_NE(first.finish(), second.finish());
  EXPECT_EQ(hash128("x").hex().size(), 32U);
  EXPECT_NE(hash128("x"), hash128("y"));
}

TEST(Colour, RespectsNoColor) {
  EXPECT_EQ(paint("x", Colour::kRed, false), "x");
  EXPECT_THAT(paint("x", Colour::kRed, true), HasSubstr("\x1b["));
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_TRUE(wants_colour(STDOUT_FILENO));
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(wants_colour(STDOUT_FILENO));
  unsetenv("CLICOLOR_FORCE");
  unsetenv("NO_COLOR");
}

}  // namespace
}  // namespace hipwright
