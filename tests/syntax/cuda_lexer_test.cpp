// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

const Name kBallot("__ballot");
const Name kNobodyUses("cuda_lexer_test_nobody_uses");

std::vector<std::string> spellings(const File& file) {
  std::vector<std::string> all;
  for (TokenIndex at = 0; at + 1 < file.tokens().size(); ++at) all.push_back(file.spelling(at));
  return all;
}

struct Case {
  const char* text;
  std::vector<std::string> tokens;
};

TEST(CudaLexer, SplitsTextAsTheLanguageDoes) {
  const Case cases[] = {
      {"a+++b->c->*d", {"a", "++", "+", "b", "->", "c", "->*", "d"}},
      {"x<<=1;y>>=2;z<=>w", {"x", "<<=", "1", ";", "y", ">>=", "2", ";", "z", "<=>", "w"}},
      {"f(T... t)", {"f", "(", "T", "...", "t", ")"}},
      {"v<::a::b> q", {"v", "<", "::", "a", "::", "b", ">", "q"}},
      {"1'000'000+0x1.8p-3+1e+5f-0xe+1",
       {"1'000'000", "+", "0x1.8p-3", "+", "1e+5f", "-", "0xe", "+", "1"}},
      {".5f+x.y", {".5f", "+", "x", ".", "y"}},
      {"12_km \"a\"_s \"%\"PRIu64 'x'", {"12_km", "\"a\"_s", "\"%\"", "PRIu64", "'x'"}},
      {"u8\"a\" L'b' uR\"(c)\" U\"d\" a\"e\"",
       {"u8\"a\"", "L'b'", "uR\"(c)\"", "U\"d\"", "a", "\"e\""}},
      {"R\"x(a)\" \\ \n)x\" b", {"R\"x(a)\" \\ \n)x\"", "b"}},
      {"R\"\"\"(a)\" b)\"\"\" c", {"R\"\"\"(a)\" b)\"\"\"", "c"}},
      {"\"a\\\"b\\\\\" c", {"\"a\\\"b\\\\\"", "c"}},
      {"'\\'' '\"'", {"'\\''", "'\"'"}},
      {"a/*b\nc*/d//e\nf", {"a", "d", "f"}},
      {"a//b\\\nc\nd", {"a", "d"}},
      {"a//b\\ \r\nc\r\nd", {"a", "d"}},
      {"na\\\nme \"st\\\nr\" 1\\\n2 <\\\n= (\\\n)", {"name", "\"str\"", "12", "<=", "(", ")"}},
      {"a\\\n b", {"a", "b"}},
      {"/\\\n/ comment\nx", {"x"}},
      {"a @ b ` \\ c", {"a", "@", "b", "`", "\\", "c"}},
      {"größe = 1", {"größe", "=", "1"}},
      {"a ## b # c", {"a", "##", "b", "#", "c"}},
  };
  for (const Case& each : cases) {
    const File file(each.text);
    EXPECT_THAT(spellings(file), ElementsAreArray(each.tokens)) << each.text;
    EXPECT_THAT(file.problems(), IsEmpty()) << each.text;
  }
}

TEST(CudaLexer, TellsLaunchesFromTemplates) {
  const Case cases[] = {
      {"k<<<g, b>>>(x)", {"k", "<<<", "g", ",", "b", ">>>", "(", "x", ")"}},
      {"k<A<1>><<<g,b>>>()",
       {"k", "<", "A", "<", "1", ">>", "<<<", "g", ",", "b", ">>>", "(", ")"}},
      {"v<v<v<int>>> a; b>>>c",
       {"v", "<", "v", "<", "v", "<", "int", ">>", ">", "a", ";", "b", ">>", ">", "c"}},
      {"k<<<f(v<v<v<int>>>()), b>>>(x)",
       {"k",  "<<<", "f", "(", "v", "<", "v", "<",   "v", "<", "int",
        ">>", ">",   "(", ")", ")", ",", "b", ">>>", "(", "x", ")"}},
      {"operator<<<T>(a)", {"operator", "<<", "<", "T", ">", "(", "a", ")"}},
      {"k<<<a; v<v<v<int>>> x;",
       {"k", "<<<", "a", ";", "v", "<", "v", "<", "v", "<", "int", ">>", ">", "x", ";"}},
      {"k<<<a,\n#define X v<v<v<int>>>\nb>>>()",
       {"k", "<<<", "a", ",",   "#",  "define", "X", "v",   "<", "v",
        "<", "v",   "<", "int", ">>", ">",      "b", ">>>", "(", ")"}},
  };
  for (const Case& each : cases) {
    const File file(each.text);
    EXPECT_THAT(spellings(file), ElementsAreArray(each.tokens)) << each.text;
  }
}

TEST(CudaLexer, MarksDirectivesAndMacroBodies) {
  const File file("int a;\n # define F(x) \\\n  ((x) + 1) // c\nint b; # c\n%:define G /*\n*/ 2\n");
  std::string in_directive;
  std::string in_body;
  for (TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if ((file.tokens()[at].flags & kInDirective) != 0) in_directive += file.text(at);
    if ((file.tokens()[at].flags & kInMacroBody) != 0) in_body += file.text(at);
  }
  EXPECT_EQ(in_directive, "#defineF(x)((x)+1)%:defineG2");
  EXPECT_EQ(in_body, "((x)+1)2");
}

TEST(CudaLexer, KeepsHeaderNamesWhole) {
  const File file("#include <a/b-c.h> // x\n#include \"d\\e.h\"\n#include M(x)\nif (a < b)\n");
  EXPECT_THAT(spellings(file),
              ElementsAre("#", "include", "<a/b-c.h>", "#", "include", "\"d\\e.h\"", "#", "include",
                          "M", "(", "x", ")", "if", "(", "a", "<", "b", ")"));
  EXPECT_EQ(file.tokens()[2].kind, Kind::kString);
}

TEST(CudaLexer, ReportsWhereParsingFailed) {
  struct {
    const char* text;
    const char* what;
    std::vector<std::string> tokens;
  } const cases[] = {
      {"a \"b c\nd", "unterminated string literal", {"a", "\"b c", "d"}},
      {"a 'b\r\nd", "unterminated character literal", {"a", "'b", "d"}},
      {"a /* b\nc", "unterminated comment", {"a"}},
      {"a R\"x(b\nc", "unterminated raw string literal", {"a", "R\"x(b\nc"}},
      {"#include <a\nb", "unterminated header name", {"#", "include", "<a", "b"}},
  };
  for (const auto& each : cases) {
    const File file(each.text);
    EXPECT_THAT(spellings(file), ElementsAreArray(each.tokens)) << each.text;
    ASSERT_EQ(file.problems().size(), 1U) << each.text;
    EXPECT_EQ(file.problems()[0].what, each.what);
  }
  EXPECT_THAT(File("#error don't\n# warning it's\nint x;").problems(), IsEmpty());
}

TEST(CudaLexer, FindsNamesAlsoInMacrosButNotInTextOfOthers) {
  const File file(
      "__ballot(1); // __ballot\n\"__ballot\"; __ballot2;\n#define X __bal\\\nlot(2)\n");
  const auto found = file.occurrences(kBallot);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], 0U);
  EXPECT_EQ(file.spelling(found[1]), "__ballot");
  EXPECT_TRUE(file.is(found[1], kBallot));
  EXPECT_FALSE(file.has(kNobodyUses));
}

TEST(CudaLexer, ComparesPunctuatorsWhole) {
  const File file("< << <<= <<< <: %: %:%: ->* <\\\n<");
  EXPECT_TRUE(file.is(0, "<"));
  EXPECT_FALSE(file.is(0, "<<"));
  EXPECT_TRUE(file.is(1, "<<"));
  EXPECT_FALSE(file.is(2, "<<"));
  EXPECT_TRUE(file.is(2, "<<="));
  EXPECT_FALSE(file.is(3, "<<"));
  EXPECT_TRUE(file.is(3, "<<<"));
  EXPECT_TRUE(file.is(4, "["));
  EXPECT_TRUE(file.is(5, "#"));
  EXPECT_TRUE(file.is(6, "##"));
  EXPECT_TRUE(file.is(7, "->*"));
  EXPECT_FALSE(file.is(7, "->"));
  EXPECT_TRUE(file.is(8, "<<"));
  EXPECT_FALSE(file.is(8, "<"));
  EXPECT_FALSE(file.is(kNoToken, "<"));
}

TEST(CudaLexer, CommentsKnowTheFollowingToken) {
  const File file("a; // one\n/* two */ b\n// three");
  ASSERT_EQ(file.comments().size(), 3U);
  EXPECT_EQ(file.text().substr(file.comments()[0].span.begin, file.comments()[0].span.size()),
            "// one");
  EXPECT_EQ(file.text(file.comments()[1].next), "b");
  EXPECT_EQ(file.comments()[2].next + 1, file.tokens().size());
}

TEST(CudaLexer, ReadsTextThatIsNotCode) {
  std::string all;
  for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  EXPECT_EQ(File(all + all).tokens().back().kind, Kind::kEnd);
  EXPECT_EQ(File("").tokens().size(), 1U);
  EXPECT_EQ(File("\\").tokens().size(), 2U);
  EXPECT_EQ(File("\"\\").tokens().size(), 2U);
}

}  // namespace

}  // namespace hipwright::syntax::cuda
