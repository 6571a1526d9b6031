// SPDX-License-Identifier: MIT
// A group of segments: the shared ones, or those of one private pool. Memory never moves between
// groups.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/device.h"
#include "runtime/pool/free_blocks.h"
#include "runtime/stream.h"

namespace hipwright::runtime {

// The free blocks of a group that one stream may use without waiting.
struct Arena {
  Group* group = nullptr;
  Stream stream;  // kept alive: a new stream must not get the handle of one that orders memory
  FreeBlocks free;

  device::Stream native() const { return runtime::native(stream); }
};

struct Group {
  unsigned number = 0;     // 0: shared
  bool abandoned = false;  // no handle of the private pool remains
  std::vector<std::unique_ptr<Segment>> segments;
  std::uint64_t reserved = 0;   // bytes of its segments
  std::uint64_t allocated = 0;  // of these, in live blocks
  std::uint64_t returning = 0;  // of these, on their way back to the device

  bool shared() const { return number == 0; }

  Arena& arena_of(const Stream& stream) {
    if (last_ == nullptr || last_->stream != stream) last_ = &look_up(stream);
    return *last_;
  }
  std::size_t arena_count() const { return arenas_.size(); }
  template <class Function>
  void for_each_arena(Function function) {
    for (auto& [key, arena] : arenas_) function(*arena);
  }
  // Its blocks are gone or in other arenas.
  void erase(const Arena& arena) {
    if (last_ == &arena) last_ = nullptr;
    const StreamState* key = arena.stream.state().get();
    arenas_.erase(key);
  }

  Segment& add(std::unique_ptr<Segment> segment) {
    segment->group = this;
    segment->index = segments.size();
    reserved += segment->size;
    segments.push_back(std::move(segment));
    return *segments.back();
  }
  void erase(Segment& segment) {
    const std::size_t index = segment.index;
    reserved -= segment.size;
    std::swap(segments[index], segments.back());
    segments[index]->index = index;
    segments.pop_back();
  }

 private:
  Arena& look_up(const Stream& stream) {
    std::unique_ptr<Arena>& arena = arenas_[stream.state().get()];
    if (!arena) {
      arena = std::make_unique<Arena>();
      arena->group = this;
      arena->stream = stream;
    }
    return *arena;
  }

  std::unordered_map<const StreamState*, std::unique_ptr<Arena>> arenas_;
  Arena* last_ = nullptr;
};

}  // namespace hipwright::runtime
