// SPDX-License-Identifier: MIT
#include "syntax/yaml/yaml.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright::syntax::yaml {
namespace {

using testing::HasSubstr;

// The tree in a short form: {key: value, key: [a, b]}.
std::string shown(const File& file, const Node& node) {
  std::string text;
  switch (node.kind) {
    case Kind::kNull:
      return "~";
    case Kind::kScalar:
      return node.value;
    case Kind::kAlias:
      return "*" + node.value;
    case Kind::kMapping:
      for (const Entry& entry : node.entries)
        text += (text.empty() ? "" : ", ") + file.node(entry.key).value + ": " +
                shown(file, file.node(entry.value));
      return "{" + text + "}";
    case Kind::kSequence:
      for (const NodeIndex item : node.items)
        text += (text.empty() ? "" : ", ") + shown(file, file.node(item));
      return "[" + text + "]";
  }
  return text;
}

std::string read(std::string_view text) {
  const File file(text);
  if (!file.problems().empty()) {
    const Position at = LineIndex(text).position(file.problems().front().span.begin);
    return std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
           file.problems().front().what;
  }
  return shown(file, file.root());
}

TEST(Yaml, ReadsWhatWorkflowsUse) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "~"},
      {"# only a comment\n", "~"},
      {"---\na: 1\n...\n", "{a: 1}"},
      {"on:\n  push:\n    branches: [main, 'rel/*']\n", "{on: {push: {branches: [main, rel/*]}}}"},
      {"a:\n- 1\n- 2\nb: x\n", "{a: [1, 2], b: x}"},
      {"- a: 1\n  b: 2\n- c\n-\n- - x\n  - y\n", "[{a: 1, b: 2}, c, ~, [x, y]]"},
      {"a: {b: 1, c: [x, {d: e}], \"f\": , g}\n", "{a: {b: 1, c: [x, {d: e}], f: ~, g: ~}}"},
      {"a: [\n  x, # one\n  y\n]\n", "{a: [x, y]}"},
      {"a: x # comment\nb: x#y\nc: http://z\n", "{a: x, b: x#y, c: http://z}"},
      {"a: one\n  two\n\n  three\n", "{a: one two\nthree}"},
      {"a: 'it''s'\nb: \"t\\tn\\x41\\u00e9\"\n", "{a: it's, b: t\tnA\xC3\xA9}"},
      {"a: \"one\n  two \\\n  three\"\n", "{a: one two three}"},
      {"a: &x {k: v}\nb: *x\n", "{a: {k: v}, b: *x}"},
      {"a: !tag x\n? b\n", "2:1 expected a key and ':'"},
      {"\"a b\" : c\n'd': e\n", "{a b: c, d: e}"},
      {"a: ${{ x.y }}\n", "{a: ${{ x.y }}}"},
      {"a:\r\n  b: c\r\n", "{a: {b: c}}"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(read(text), expected) << text;
}

TEST(Yaml, ReadsBlockScalars) {
  const std::pair<const char*, const char*> cases[] = {
      {"a: |\n  x\n   y\n\n  z\n\n\nb: c\n", "{a: x\n y\n\nz\n, b: c}"},
      {"a: |-\n  x\n\nb: c\n", "{a: x, b: c}"},
      {"a: |+\n  x\n\nb: c\n", "{a: x\n\n, b: c}"},
      {"a: >\n  x\n  y\n\n  z\n", "{a: x y\nz\n}"},
      {"a: >-\n  x\n    more\n  y\n", "{a: x\n  more\ny}"},
      {"a: |2\n   x\n  y\n", "{a:  x\ny\n}"},
      {"- |\n  x: y\n  # not a comment\n- b\n", "[x: y\n# not a comment\n, b]"},
      {"a: |\n  x", "{a: x}"},
      {"a: |\nb: c\n", "{a: , b: c}"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(read(text), expected) << text;
}

TEST(Yaml, SpansOfBrokenCollectionsLieInThem) {
  for (const char* text :
       {"a: {push]\nb", "a: {]", "a: [ : x]", "a: [x, : ]", "a: {: }", "a: {x: y, ]"}) {
    const File file(text);
    for (const Node& node : file.nodes()) {
      EXPECT_LE(node.span.begin, node.span.end) << text;
      EXPECT_LE(node.span.end, std::string_view(text).size()) << text;
      if (node.is_flow) EXPECT_GE(node.span.begin, 3U) << text;
    }
  }
}

TEST(Yaml, SaysWhereItIsBroken) {
  const std::pair<const char*, const char*> cases[] = {
      {"a:\n\tb: c\n", "2:1 a tab cannot indent"},
      {"a: b: c\n", "1:5 a mapping cannot begin within a value"},
      {"a: [x, y\nb: c\n", "1:4 unclosed '['"},
      {"a: {x: y\n", "1:4 unclosed '{'"},
      {"a: 'x\n", "1:4 unclosed quote"},
      {"a: \"x\\q\"\n", "1:6 unknown escape"},
      {"a: 1\nb: 2\na: 3\n", "3:1 key 'a' is defined twice"},
      {"a: {x: 1, x: 2}\n", "1:11 key 'x' is defined twice"},
      {"a:\n    b: 1\n  c: 2\n", "3:3"},
      {"a:\n  b: 1\n    c: 2\n", "3:6 a mapping cannot begin within a value"},
      {"a: 1\ntext\n", "2:1 expected a key and ':'"},
      {"a: 1\n---\nb: 2\n", "2:1 a second document"},
      {"a: \"x\" y\n", "1:8 unexpected text"},
      {"a: @x\n", "1:4 a value cannot begin with '@'"},
      {"a: - b\n", "1:4 a sequence must begin"},
      {"run: |\n  python - <<'PY'\nimport torch\n  PY\n", "3:1 this line is indented by 0 spaces"}};
  for (const auto& [text, expected] : cases) EXPECT_THAT(read(text), HasSubstr(expected)) << text;
}

// After the lines that break out, the rest of the file is still read.
TEST(Yaml, GoesOnBehindABrokenBlockScalar) {
  const std::string text =
      "jobs:\n  a:\n    steps:\n      - run: |\n          python <<'PY'\nimport torch\n"
      "print(1)\nPY\n      - run: next\n  b: c\n";
  const File file(text);
  ASSERT_EQ(file.problems().size(), 1U);
  EXPECT_EQ(shown(file, file.root()),
            "{jobs: {a: {steps: [{run: python <<'PY'\n}, {run: next}]}, b: c}}");
}

TEST(Yaml, KnowsThePlaceOfEachByteOfAScript) {
  const std::string text =
      "a:\n  - run: |\n      one\n        two\n\n      three\n  - b: x\n    y\n";
  const File file(text);
  for (const Node& node : file.nodes())
    for (std::size_t i = 0; i < node.value.size(); ++i)
      if (node.kind == Kind::kScalar && node.value[i] > ' ')
        EXPECT_EQ(text[source_of(node, i)], node.value[i]) << node.value << " at " << i;
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

// Bounded time is what the test's own limit checks; bounded memory is the number of nodes.
TEST(Yaml, SurvivesHostileFiles) {
  std::string laughs = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i)
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" +
              repeated("*a" + std::to_string(i - 1) + ", ", 10) + "x]\n";
  const File file(laughs);
  EXPECT_TRUE(file.problems().empty());
  EXPECT_LT(file.nodes().size(), 2000U);
  EXPECT_EQ(file.get(file.root(), "a59")->items.size(), 11U);

  EXPECT_EQ(File("a: " + std::string(10 << 20, 'x') + "\n").root().entries.size(), 1U);
  EXPECT_FALSE(File(repeated("[", 100'000)).problems().empty());
  EXPECT_FALSE(File(repeated("{a: ", 100'000)).problems().empty());
  EXPECT_FALSE(File(repeated("- ", 100'000)).problems().empty());
  std::string deep;
  for (std::size_t i = 0; i < 2000; ++i) deep += std::string(i, ' ') + "a:\n";
  EXPECT_FALSE(File(deep).problems().empty());
  EXPECT_FALSE(File("a: " + repeated("\"", 1'000'001)).problems().empty());
  EXPECT_FALSE(File(repeated("a: 1\n", 100'000)).problems().empty());
  (void)File(repeated("&a ", 100'000));
  (void)File(repeated("a: |\n", 100'000));
  (void)File(repeated("? ", 100'000));
  (void)File(std::string("a: \0b\n", 6));
  const File loop("a: &a [*a]\n");
  EXPECT_EQ(loop.resolved(loop.node(loop.get(loop.root(), "a")->items[0])),
            loop.get(loop.root(), "a"));
}

}  // namespace
}  // namespace hipwright::syntax::yaml
