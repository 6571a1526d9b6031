// SPDX-License-Identifier: MIT
#include "lsp/message.h"

#include <gmock/gmock.h>

namespace hipwright::lsp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What a reader makes of bytes that come in pieces: bodies, and complaints after '!'.
std::vector<std::string> read(std::string_view bytes, std::size_t piece = std::string::npos) {
  MessageReader reader;
  std::vector<std::string> list;
  for (std::size_t at = 0; at < bytes.size(); at += std::min(piece, bytes.size())) {
    reader.feed(bytes.substr(at, piece));
    while (const auto body = reader.next())
      list.push_back(*body ? **body : "!" + body->error().message);
  }
  return list;
}

TEST(Message, BodiesAreSplitByContentLength) {
  const std::string two =
      "Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: x; charset=utf-8\r\n\r\n[1]";
  EXPECT_THAT(read(two), ElementsAre("{}", "[1]"));
  EXPECT_THAT(read(two, 1), ElementsAre("{}", "[1]"));
  EXPECT_THAT(read("Content-Length: 5\r\n\r\n{}"), ElementsAre());
}

TEST(Message, AfterABrokenHeaderTheNextOneIsFound) {
  const std::string good = "Content-Length: 2\r\n\r\n{}";
  for (const std::string bad :
       {"Content-Length: two\r\n\r\n", "Length: 2\r\n\r\n{}", "Content-Length: -1\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 2 3\r\n\r\n", "\r\n\r\n"})
    for (const std::size_t piece : {std::size_t{1}, std::string::npos}) {
      const auto list = read(bad + good, piece);
      ASSERT_EQ(list.size(), 2U) << bad;
      EXPECT_THAT(list[0], HasSubstr("Content-Length"));
      EXPECT_EQ(list[1], "{}") << bad;
    }
}

TEST(Message, GarbageIsRejectedOnceAndDiscarded) {
  EXPECT_EQ(read(std::string(1 << 20, 'x'), 1000).size(), 1U);
}

TEST(Message, GarbageMayComeInPiecesShorterThanAHeader) {
  for (const std::size_t piece : {1U, 2U, 7U}) {
    const auto list = read("\r\n\r\nx\ny\nContent-Length: 2\r\n\r\n{}", piece);
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[1], "{}");
  }
}

TEST(Message, ABodyThatIsTooLargeIsSkipped) {
  const std::size_t size = kLargestMessage + 1;
  const std::string bytes = "Content-Length: " + std::to_string(size) + "\r\n\r\n" +
                            std::string(size, ' ') + "Content-Length: 2\r\n\r\n{}";
  EXPECT_THAT(read(bytes, 1 << 16), ElementsAre(HasSubstr("larger than"), "{}"));
}

TEST(Message, BodiesAreJson) {
  EXPECT_EQ(parse_body(R"({"a":[1,"]]\"[["]})")->dump(), R"({"a":[1,"]]\"[["]})");
  for (const std::string_view bad : {"", "{", "{]", "\"\xFF\"", "nul", "{}{}", "\"\\"})
    EXPECT_EQ(parse_body(bad).error().code, ErrorCode::kParseError) << bad;
}

TEST(Message, DeepNestingDoesNotOverflowTheStack) {
  const auto deep = parse_body(std::string(1'000'000, '[') + std::string(1'000'000, ']'));
  ASSERT_FALSE(deep);
  EXPECT_THAT(deep.error().message, HasSubstr("nested"));
}

TEST(Message, TheLengthCountsBytes) {
  EXPECT_EQ(framed(Value("ä")), "Content-Length: 4\r\n\r\n\"ä\"");
  // Half a character: replaced, not thrown.
  EXPECT_EQ(framed(Value("\xC3")), "Content-Length: 5\r\n\r\n\"\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace hipwright::lsp
