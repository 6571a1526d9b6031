// SPDX-License-Identifier: MIT
// Memory use by purpose tag.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hipwright::runtime {

struct Purpose {
  std::string name;
  std::uint64_t live = 0;
  std::uint64_t bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t allocations = 0;

  void count_allocation(std::size_t size) {
    ++live;
    ++allocations;
    bytes += size;
    peak_bytes = std::max(peak_bytes, bytes);
  }
  void count_free(std::size_t size) {
    --live;
    bytes -= size;
  }
};

class Purposes {
 public:
  // Bounds the number of tags, in case a program creates a new one for every buffer.
  static constexpr std::size_t kMost = 4096;
  static constexpr std::string_view kRest = "(more purposes)";

  // The address stays valid. A thread mostly repeats itself: the last one is tried first.
  Purpose& find(std::string_view name) {
    if (last_ == nullptr || last_->name != name) last_ = &look_up(name);
    return *last_;
  }
  const std::deque<Purpose>& all() const { return purposes_; }
  void reset_peaks() {
    for (Purpose& purpose : purposes_) purpose.peak_bytes = purpose.bytes;
  }

 private:
  Purpose& look_up(std::string_view name) {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return *found->second;
    if (purposes_.size() == kMost) return look_up(kRest);
    if (purposes_.empty()) add(kRest);  // its place is kept
    return name == kRest ? purposes_.front() : add(name);
  }
  Purpose& add(std::string_view name) {
    Purpose& purpose = purposes_.emplace_back();
    purpose.name = name;
    by_name_.emplace(purpose.name, &purpose);
    return purpose;
  }

  std::deque<Purpose> purposes_;
  std::unordered_map<std::string_view, Purpose*> by_name_;
  Purpose* last_ = nullptr;
};

}  // namespace hipwright::runtime
