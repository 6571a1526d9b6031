// SPDX-License-Identifier: MIT
#include "trace/read/json_split.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace hipwright::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Splitted {
  std::vector<std::string> pieces;  // "path line: text"
  Result<bool> is_whole = false;
};

Splitted split(std::string_view text, std::size_t block, std::string_view unwanted = "never") {
  Splitted out;
  JsonSplitter splitter(
      "t.json",
      [](std::string_view path, char) {
        if (path.empty() || path == "a" || path == "a[]") return Split::kEnter;
        if (path.ends_with("events")) return Split::kBatch;
        return path.ends_with("skip") ? Split::kSkip : Split::kWhole;
      },
      [&](const JsonPiece& piece) -> Status {
        out.pieces.push_back(fmt::format("{} {}: {}", piece.path, piece.line, piece.text));
        return {};
      },
      [&](std::string_view element) { return element.find(unwanted) == std::string_view::npos; });
  for (std::size_t at = 0; at < text.size(); at += block)
    if (const Status fed = splitter.feed(text.substr(at, block)); !fed) {
      out.is_whole = std::unexpected(fed.error());
      return out;
    }
  out.is_whole = splitter.finish();
  return out;
}

// Longer than one block of the search, with everything in texts that could mislead it.
constexpr std::string_view kText = R"( {"x": "a]}\"[{", "skip": [{"y": "\\"}, "]"], "n": -1.5e3,
 "events": [{"k": "}\\\""}, {"k": [[], {}], "long": "0123456789012345678901234567890123456789012345678901234567890123456789"} ,
  {"third": 3}],
 "a": [{"events": [], "b": {"c": [1,2]}}, {"events": [{"z": 1}]}], "last": true}
)";

TEST(JsonSplit, DeliversTheSamePiecesHoweverTheTextArrives) {
  const Splitted whole = split(kText, kText.size());
  EXPECT_TRUE(whole.is_whole.value());
  EXPECT_THAT(
      whole.pieces,
      ElementsAre(
          R"(x 1: "a]}\"[{")", "n 1: -1.5e3",
          R"(events[] 2: [{"k": "}\\\""},{"k": [[], {}], "long": "0123456789012345678901234567890123456789012345678901234567890123456789"},{"third": 3}])",
          R"(a[].b 4: {"c": [1,2]})", R"(a[].events[] 4: [{"z": 1}])", "last 4: true"));
  for (std::size_t block : {1U, 2U, 3U, 7U, 63U, 64U, 65U, 100U})
    EXPECT_EQ(split(kText, block).pieces, whole.pieces) << block;
}

TEST(JsonSplit, LeavesOutUnwantedElements) {
  EXPECT_THAT(split(R"({"events":[{"a":1},{"no":1},{"b":1}]})", 4, "no").pieces,
              ElementsAre(R"(events[] 1: [{"a":1},{"b":1}])"));
}

TEST(JsonSplit, DeliversWhatIsCompleteOfATextThatEndsInTheMiddle) {
  for (std::string_view end : {"", "{", R"({"c": ")", R"({"c": "\)", ","}) {
    const Splitted cut = split(
        std::string(R"({"events":[{"a":1},{"b":2})") + (end.empty() ? "" : ",") + std::string(end),
        5);
    EXPECT_FALSE(cut.is_whole.value());
    EXPECT_THAT(cut.pieces, ElementsAre(R"(events[] 1: [{"a":1},{"b":2}])")) << end;
  }
}

TEST(JsonSplit, RejectsWhatIsNotJsonWithTheLine) {
  EXPECT_THAT(split("", 1).is_whole.error().message(), HasSubstr("the file is empty"));
  EXPECT_THAT(split("hello", 2).is_whole.error().message(),
              HasSubstr("not a JSON object or array"));
  EXPECT_THAT(split("{\n\"x\" 1}", 2).is_whole.error().message(), HasSubstr("t.json:2"));
  EXPECT_THAT(split("{\"x\": 1} {", 2).is_whole.error().message(), HasSubstr("after the end"));
  EXPECT_THAT(split("{3: 1}", 2).is_whole.error().message(), HasSubstr("expected a key"));
}

TEST(JsonSplit, SurvivesDeepNesting) {
  const std::string deep(1 << 20, '[');
  EXPECT_FALSE(split("{\"skip\":" + deep, 1 << 16).is_whole.value());
  const std::string entered = "{\"a\":[{\"a\":1}]";
  EXPECT_FALSE(split(entered, 3).is_whole.value());
}

}  // namespace
}  // namespace hipwright::trace
