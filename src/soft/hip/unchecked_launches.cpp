// SPDX-License-Identifier: MIT
#include "soft/hip/unchecked_launches.h"

#include <map>
#include <mutex>
#include <thread>

namespace hipwright::soft::hip {

namespace {

std::mutex mutex;
// By thread: a thread may end before the program does. Lives until after the last exit handler.
std::map<std::thread::id, UnseenFailure>& failures() {
  static auto* const all = new std::map<std::thread::id, UnseenFailure>;
  return *all;
}
// Queries are frequent, and there is rarely anything to drop.
thread_local bool has_failure = false;

}  // namespace

void add_unseen(UnseenFailure failure) {
  const std::lock_guard lock(mutex);
  failures()[std::this_thread::get_id()] = std::move(failure);
  has_failure = true;
}

void mark_seen() noexcept {
  if (!has_failure) return;
  const std::lock_guard lock(mutex);
  failures().erase(std::this_thread::get_id());
  has_failure = false;
}

std::vector<UnseenFailure> unseen_failures() {
  const std::lock_guard lock(mutex);
  std::vector<UnseenFailure> all;
  for (const auto& [thread, failure] : failures()) all.push_back(failure);
  return all;
}

}  // namespace hipwright::soft::hip
