// SPDX-License-Identifier: MIT
// Received messages that are not handled yet. One thread adds, another takes.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "lsp/message.h"

namespace hipwright::lsp {

class Inbox {
 public:
  // Reading pauses while more bytes than this are waiting.
  explicit Inbox(std::size_t most_bytes = std::size_t{256} << 20) : most_bytes_(most_bytes) {}

  struct Item {
    RpcResult<Value> message;
    std::size_t bytes = 0;
    bool is_cancelled = false;
  };

  // A body, or the error in what was received. Marks a waiting request that is cancelled. Blocks
  // while too many bytes are waiting.
  void put(RpcResult<std::string> body);
  void close();  // no more messages will come

  // Waits for a message; empty: the inbox is closed.
  std::optional<Item> take();
  bool empty();

 private:
  void cancel(const Value& id);

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::size_t bytes_ = 0;
  bool is_closed_ = false;
};

}  // namespace hipwright::lsp
