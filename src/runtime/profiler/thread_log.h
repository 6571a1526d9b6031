// SPDX-License-Identifier: MIT
// The regions of one thread. The thread begins and ends regions without a lock; the profiler
// collects the finished ones under its mutex.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "device/device.h"
#include "hipwright/device.h"

namespace hipwright::runtime {

// A text that was interned: its number, and the one copy that lives as long as the profiler.
struct Name {
  std::uint32_t number = 0;
  const std::string* text = nullptr;
};

// A moment of the device: an event in the region's stream. Without one it is the host's moment,
// because the stream had nothing to do then.
struct RegionInfo {
  std::uint32_t name = 0;
  std::uint32_t stream = 0;  // the name of its stream
  std::uint64_t host_begin = 0;
  std::uint64_t host_end = 0;
  device::Event device_begin = nullptr;
  device::Event device_end = nullptr;
  bool host_only = false;
};

struct ThreadLog;

struct OpenRegion {
  RegionInfo info;
  Stream stream;  // must not close before the region ends
  ThreadLog* log = nullptr;
};

struct ThreadLog {
  static constexpr std::size_t kRing = 1024;  // a power of two
  static constexpr unsigned kCachedBits = 6;

  // --- The owner's ---
  std::deque<OpenRegion> regions;  // stable addresses
  std::vector<OpenRegion*> free_regions;
  std::vector<device::Event> free_events;
  // Names by where they are in memory, and by what they say: a buffer may be used again.
  struct CachedName {
    const char* data = nullptr;
    std::size_t size = 0;
    Name name;

    bool matches(std::string_view text) const {
      return data == text.data() && size == text.size() && name.text != nullptr &&
             std::memcmp(name.text->data(), text.data(), text.size()) == 0;
    }
  };
  std::array<CachedName, std::size_t{1} << kCachedBits> cached_names{};
  CachedName cached_stream;
  std::unordered_map<std::string_view, Name> names;

  // --- From the owner to the profiler ---
  std::array<RegionInfo, kRing> ring;
  std::atomic<std::size_t> head = 0;    // finished so far
  std::atomic<std::size_t> tail = 0;    // collected so far
  std::atomic<bool> abandoned = false;  // the thread has ended

  // --- The profiler's ---
  std::uint32_t thread = 0;
  std::vector<OpenRegion*> ended_elsewhere;  // regions that were moved to another thread

  // Whether `info` found a place.
  bool push(const RegionInfo& info) {
    const std::size_t at = head.load(std::memory_order_relaxed);
    if (at - tail.load(std::memory_order_acquire) == kRing) return false;
    ring[at % kRing] = info;
    head.store(at + 1, std::memory_order_release);
    return true;
  }

  CachedName& cached(std::string_view text) {
    const auto address = reinterpret_cast<std::uintptr_t>(text.data());
    return cached_names[(address * 0x9e3779b97f4a7c15U) >> (64 - kCachedBits)];
  }
};

}  // namespace hipwright::runtime
