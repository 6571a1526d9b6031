// SPDX-License-Identifier: MIT
// Messages that came and are not handled yet. One thread fills it, another takes.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "lsp/message.h"

namespace hipwright::lsp {

class Inbox {
 public:
  // While more bytes than that wait, nothing more is read.
  explicit Inbox(std::size_t most_bytes = std::size_t{256} << 20) : most_bytes_(most_bytes) {}

  struct Item {
    RpcResult<Value> message;
    std::size_t bytes = 0;
    bool is_cancelled = false;
  };

  // A body, or what is wrong with what came. A request that waits and is taken back is marked.
  // Waits while too much waits.
  void put(RpcResult<std::string> body);
  void close();  // nothing more comes

  // Waits for a message; none: nothing more comes.
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
