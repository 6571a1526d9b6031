// SPDX-License-Identifier: MIT
#include "lsp/inbox.h"

namespace hipwright::lsp {

void Inbox::put(RpcResult<std::string> body) {
  Item item{.message = refuse(ErrorCode::kParseError, "")};
  if (body) {
    item.bytes = body->size();
    item.message = parse_body(*body);
  } else {
    item.message = std::unexpected(std::move(body).error());
  }
  std::unique_lock lock(mutex_);
  if (item.message) {
    const std::string* const method = string_at(*item.message, {"method"});
    if (method != nullptr && *method == "$/cancelRequest") {
      if (const Value* id = member(*item.message, {"params", "id"})) cancel(*id);
      return;
    }
  }
  changed_.wait(lock, [&] { return is_closed_ || items_.empty() || bytes_ < most_bytes_; });
  bytes_ += item.bytes;
  items_.push_back(std::move(item));
  changed_.notify_all();
}

void Inbox::cancel(const Value& id) {
  for (Item& item : items_) {
    if (!item.message || string_at(*item.message, {"method"}) == nullptr) continue;
    const Value* const waiting = member(*item.message, {"id"});
    if (waiting != nullptr && *waiting == id) item.is_cancelled = true;
  }
}

void Inbox::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

std::optional<Inbox::Item> Inbox::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_closed_ || !items_.empty(); });
  if (items_.empty()) return std::nullopt;
  Item item = std::move(items_.front());
  items_.pop_front();
  bytes_ -= item.bytes;
  changed_.notify_all();
  return item;
}

bool Inbox::empty() {
  const std::lock_guard lock(mutex_);
  return items_.empty();
}

}  // namespace hipwright::lsp
