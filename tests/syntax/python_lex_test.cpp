// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/python/file.h"

namespace hipwright::syntax::python {

namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// "n:x o:( s:'a' /" : every token with its kind; a line break is a slash.
std::vector<std::string> tokens_of(std::string_view text) {
  const File file(text);
  std::vector<std::string> seen;
  for (TokenIndex at = 0; at < file.tokens().size(); ++at) {
    const std::string text_of(file.text(at));
    switch (file.tokens()[at].kind) {
      case Kind::kName:
        seen.push_back("n:" + text_of);
        break;
      case Kind::kNumber:
        seen.push_back("#:" + text_of);
        break;
      case Kind::kString:
        seen.push_back("s:" + text_of);
        break;
      case Kind::kOp:
        seen.push_back("o:" + text_of);
        break;
      case Kind::kNewline:
        seen.emplace_back("/");
        break;
      case Kind::kEnd:
        seen.emplace_back(".");
        break;
    }
  }
  return seen;
}

struct LexCase {
  const char* text;
  std::vector<std::string> expected;
};

TEST(PythonLex, ReadsWhatPythonReads) {
  const LexCase cases[] = {
      {"", {"."}},
      {"\n\n  \n# c\n", {"."}},
      {"x", {"n:x", "/", "."}},
      {"x=1\n", {"n:x", "o:=", "#:1", "/", "."}},
      {"a\r\nb\rc\n", {"n:a", "/", "n:b", "/", "n:c", "/", "."}},
      {"f(a,\n  b)\n", {"n:f", "o:(", "n:a", "o:,", "n:b", "o:)", "/", "."}},
      {"x = 1 + \\\n 2\n", {"n:x", "o:=", "#:1", "o:+", "#:2", "/", "."}},
      {"a := b ** c // d << e >> f -> ...",
       {"n:a", "o::=", "n:b", "o:**", "n:c", "o://", "n:d", "o:<<", "n:e", "o:>>", "n:f", "o:->",
        "o:...", "/", "."}},
      {"a **= b //= c <<= d >>= e @= f != g <= h",
       {"n:a", "o:**=", "n:b", "o://=", "n:c", "o:<<=", "n:d", "o:>>=", "n:e", "o:@=", "n:f",
        "o:!=", "n:g", "o:<=", "n:h", "/", "."}},
      {"0xFF_fe 0b1_0 0o17 1_000.5e-3j .5 1. 1e5 1..real",
       {"#:0xFF_fe", "#:0b1_0", "#:0o17", "#:1_000.5e-3j", "#:.5", "#:1.", "#:1e5", "#:1.", "o:.",
        "n:real", "/", "."}},
      {"1if x else 2", {"#:1", "n:if", "n:x", "n:else", "#:2", "/", "."}},
      {"größe = π", {"n:größe", "o:=", "n:π", "/", "."}},
      {"'a' \"b\" r'\\'' b'x'\n", {"s:'a'", "s:\"b\"", "s:r'\\''", "s:b'x'", "/", "."}},
      {"Rb'y' bR'z' u'w' F'v' t'u' rT'x' FR'y'\n",
       {"s:Rb'y'", "s:bR'z'", "s:u'w'", "s:F'v'", "s:t'u'", "s:rT'x'", "s:FR'y'", "/", "."}},
      {"xr'a' fb'b'", {"n:xr", "s:'a'", "n:fb", "s:'b'", "/", "."}},
      {"'''a\n'b''c\n''' + \"\"\"\\\"\"\"\"",
       {"s:'''a\n'b''c\n'''", "o:+", "s:\"\"\"\\\"\"\"\"", "/", "."}},
      {"'a\\\nb' c", {"s:'a\\\nb'", "n:c", "/", "."}},
      {"'a\\\r\nb' c", {"s:'a\\\r\nb'", "n:c", "/", "."}},
      {"'\\\\' x", {"s:'\\\\'", "n:x", "/", "."}},
      {"x\f\ny", {"n:x", "/", "n:y", "/", "."}},
      {"\xEF\xBB\xBFx", {"n:x", "/", "."}},
  };
  for (const LexCase& c : cases)
    EXPECT_THAT(tokens_of(c.text), ElementsAreArray(c.expected)) << c.text;
}

TEST(PythonLex, FormattedStringsEndWherePythonEndsThem) {
  for (const char* text : {
           R"(f"{x}")",
           R"(f"{x!r:>{width}}")",
           R"(f"{d["key"]}")",
           R"(f"{d['key']}")",
           R"(f'{f"{f'{1}'}"}')",
           R"(f"{{}} {x} {{")",
           R"(f"}}")",
           R"(f"{x:{"a"}}")",
           R"(f"{ {'a': 1}['a'] }")",
           R"(f"{x[1:2]}:{y}")",
           R"(f"{(lambda x: x)(1)}")",
           R"(f"\N{BULLET} '{x}'")",
           R"(rf"\{x}")",
           R"(f"\"{x}\"")",
           R"(f"{x:%H:%M}")",
           R"(f"{a != b}")",
           R"(f"it's {x}")",
           "f\"\"\"\n{x\n}\n\"a\" {'''b'''}\"\"\"",
           "f\"{\n x  # it's\n}\"",
           R"(t"{x["a"]}")",
           R"(f"{'#'}")",
           R"(f"{x:\"^5}")",
       }) {
    EXPECT_THAT(tokens_of(text), ElementsAre("s:" + std::string(text), "/", ".")) << text;
    EXPECT_THAT(tokens_of(text + std::string(" + y\n")),
                ElementsAre("s:" + std::string(text), "o:+", "n:y", "/", "."))
        << text;
  }
}

TEST(PythonLex, BrokenTextIsReadAndReported) {
  const LexCase cases[] = {
      {"x = 'abc\ny", {"n:x", "o:=", "s:'abc", "/", "n:y", "/", "."}},
      {"x = f\"{a\ndef g(): pass",
       {"n:x", "o:=", "s:f\"{a", "/", "n:def", "n:g", "o:(", "o:)", "o::", "n:pass", "/", "."}},
      {"x = f'{a' + b", {"n:x", "o:=", "s:f'{a'", "o:+", "n:b", "/", "."}},
      {"\"\"\"doc\nx = 1", {"s:\"\"\"doc", "/", "n:x", "o:=", "#:1", "/", "."}},
      {"f(a,\ndef g", {"n:f", "o:(", "n:a", "o:,", "/", "n:def", "n:g", "/", "."}},
      {"a) b\nc", {"n:a", "o:)", "n:b", "/", "n:c", "/", "."}},
      {"(a]\nb", {"o:(", "n:a", "o:]", "n:b", "/", "."}},
      {"a ? b", {"n:a", "o:?", "n:b", "/", "."}},
      {"a \\ b", {"n:a", "o:\\", "n:b", "/", "."}},
      {"'", {"s:'", "/", "."}},
      {"'\\", {"s:'\\", "/", "."}},
      {"f'{", {"s:f'{", "/", "."}},
  };
  for (const LexCase& c : cases) {
    EXPECT_THAT(tokens_of(c.text), ElementsAreArray(c.expected)) << c.text;
    EXPECT_FALSE(File(c.text).problems().empty()) << c.text;
  }
  EXPECT_TRUE(File("x = f(a,\n      b)  # c\n").problems().empty());
}

TEST(PythonLex, CommentsAndLineStartsAreKept) {
  const File file("# one\nx = (1,  # two\n     2)\r\n# three");
  std::vector<std::string> comments;
  for (const Comment& comment : file.comments())
    comments.emplace_back(file.text().substr(comment.span.begin, comment.span.size()));
  EXPECT_THAT(comments, ElementsAre("# one", "# two", "# three"));
  EXPECT_EQ(file.text(file.comments()[0].next), "x");
  EXPECT_EQ(file.text(file.comments()[1].next), "2");
  EXPECT_TRUE(file.tokens()[file.comments()[1].next].flags & kFirstOnLine);
  EXPECT_TRUE(file.tokens()[0].flags & kFirstOnLine);
  EXPECT_FALSE(file.tokens()[1].flags & kFirstOnLine);
}

TEST(PythonLex, StringValues) {
  const struct {
    const char* literal;
    std::string_view value;
  } cases[] = {
      {"'a'", "a"},
      {"\"\"\"a\nb\"\"\"", "a\nb"},
      {"r'\\n'", "\\n"},
      {R"('\n\t\\\'\x41\101\u00e9\U0001F600')", "\n\t\\'AA\xC3\xA9\xF0\x9F\x98\x80"},
      {R"(b'\xe9\u00e9')", "\xE9\\u00e9"},
      {"'a\\\nb'", "ab"},
      {"'''a\r\nb'''", "a\nb"},
      {R"('\d\x4')", "\\d\\x4"},
      {"f'{x}\\n'", "{x}\n"},
      {"''", ""},
      {"''''''", ""},
      {"'abc", "abc"},
  };
  for (const auto& c : cases) EXPECT_EQ(File(c.literal).string_value(0), c.value) << c.literal;
}

const Name kTorch("torch");
const Name kCuda("cuda");
const Name kAbsent("python_lex_test_absent");

TEST(PythonLex, NamesAreFoundByOccurrence) {
  const File file("import torch\nx = torch.cuda.device('torch', f'{torch}')  # torch\n");
  std::vector<std::size_t> at;
  for (const TokenIndex token : file.occurrences(kTorch)) at.push_back(file.span(token).begin);
  EXPECT_THAT(at, ElementsAre(7, 17));
  EXPECT_TRUE(file.has(kCuda));
  EXPECT_FALSE(file.has(kAbsent));
  EXPECT_FALSE(File("x = 1").has(kTorch));
}

TEST(PythonLex, DottedNamesAreWhole) {
  const File file("y = torch . cuda.is_available(f(x).shape.a)\nfrom .a import b\n");
  const auto whole = [&](std::string_view name) {
    for (TokenIndex at = 0; at < file.tokens().size(); ++at)
      if (file.text(at) == name) return file.compact(file.dotted(at));
    return std::string();
  };
  EXPECT_EQ(whole("torch"), "torch.cuda.is_available");
  EXPECT_EQ(whole("cuda"), "torch.cuda.is_available");
  EXPECT_EQ(whole("is_available"), "torch.cuda.is_available");
  EXPECT_EQ(whole("shape"), ".shape.a");
  EXPECT_EQ(whole("x"), "x");
  EXPECT_EQ(whole("b"), "b");
  EXPECT_EQ(whole("a"), ".shape.a");
}

TEST(PythonLex, BracketsFindTheirPartnersAndContents) {
  const File file("f(a, [1, 2], k=g(x), *r, **{'a': 1},)\nh()\nu(1, (2\n");
  const auto find = [&](std::string_view name) {
    for (TokenIndex at = 0; at < file.tokens().size(); ++at)
      if (file.text(at) == name) return at;
    return kNoToken;
  };
  const TokenIndex open = find("f") + 1;
  EXPECT_EQ(file.text(file.partner(open)), ")");
  EXPECT_EQ(file.partner(file.partner(open)), open);
  EXPECT_EQ(file.enclosing(find("a")), open);
  EXPECT_EQ(file.text(file.enclosing(find("x")) - 1), "g");
  EXPECT_EQ(file.enclosing(find("h")), kNoToken);
  std::vector<std::string> arguments;
  for (const TokenRange& range : file.arguments(open)) arguments.push_back(file.compact(range));
  EXPECT_THAT(arguments, ElementsAre("a", "[1,2]", "k=g(x)", "*r", "**{'a':1}"));
  EXPECT_EQ(file.compact(file.keyword_argument(open, "k").value()), "g(x)");
  EXPECT_FALSE(file.keyword_argument(open, "x"));
  EXPECT_EQ(file.positional_arguments(open).size(), 4U);
  EXPECT_TRUE(file.arguments(find("h") + 1).empty());
  const TokenIndex unclosed = find("u") + 1;
  EXPECT_EQ(file.partner(unclosed), kNoToken);
  EXPECT_EQ(file.arguments(unclosed).size(), 2U);
}

TEST(PythonLex, ContentsOfAnUnclosedBracketBelongToTheEnclosingPair) {
  const File file("f(a, [b, c)\nd\n");
  EXPECT_EQ(file.enclosing(7), 1U);
  EXPECT_EQ(file.text(7), "c");
  EXPECT_EQ(file.enclosing(10), kNoToken);
  EXPECT_EQ(file.text(10), "d");
}

}  // namespace

}  // namespace hipwright::syntax::python
