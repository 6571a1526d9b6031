// SPDX-License-Identifier: MIT
#include "lsp/inbox.h"

#include <thread>

#include <gtest/gtest.h>

namespace hipwright::lsp {
namespace {

TEST(Inbox, DeliversMessagesInOrderThenEnds) {
  Inbox inbox;
  inbox.put(R"({"id":1})");
  inbox.put("{");
  inbox.put(refuse(ErrorCode::kInvalidRequest, "too large"));
  inbox.close();
  EXPECT_EQ(inbox.take()->message->dump(), R"({"id":1})");
  EXPECT_EQ(inbox.take()->message.error().code, ErrorCode::kParseError);
  EXPECT_EQ(inbox.take()->message.error().message, "too large");
  EXPECT_TRUE(inbox.empty());
  EXPECT_FALSE(inbox.take());
}

TEST(Inbox, AWaitingRequestCanBeCancelled) {
  Inbox inbox;
  inbox.put(R"({"id":1,"method":"a"})");
  inbox.put(R"({"id":"1","method":"b"})");
  inbox.put(R"({"id":1,"result":0})");
  inbox.put(R"({"method":"$/cancelRequest","params":{"id":1}})");
  inbox.put(R"({"method":"$/cancelRequest"})");
  EXPECT_TRUE(inbox.take()->is_cancelled);
  EXPECT_FALSE(inbox.take()->is_cancelled) << "another id";
  EXPECT_FALSE(inbox.take()->is_cancelled) << "an answer, not a request";
  EXPECT_TRUE(inbox.empty());
}

TEST(Inbox, ReadersBlockWhileTheInboxIsFull) {
  Inbox inbox(100);
  const std::string large = "\"" + std::string(60, 'x') + "\"";
  constexpr int kCount = 1000;
  std::thread reader([&] {
    for (int i = 0; i < kCount; ++i) inbox.put(large);
    inbox.close();
  });
  int taken = 0;
  while (inbox.take()) ++taken;
  reader.join();
  EXPECT_EQ(taken, kCount);
}

}  // namespace
}  // namespace hipwright::lsp
