// SPDX-License-Identifier: MIT
// A profiler's trace as plain values, whatever wrote it: what ran on the GPU, which call of the
// host launched it, which operation made the call.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace hipwright::trace {

using Nanoseconds = std::int64_t;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Texts that occur many times, by number. Number 0 is the empty text.
class Names {
 public:
  Names() { id(""); }
  Names(Names&&) = default;
  Names& operator=(Names&&) = default;

  std::uint32_t id(std::string_view text);
  const std::string& text(std::uint32_t id) const { return texts_[id]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // keeps its elements in place
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

struct Interval {
  Nanoseconds begin = 0, end = 0;
  Nanoseconds length() const { return end - begin; }
};

// What an event of a real trace can have: at most 80 years from the clock's zero, at most a day
// long.
constexpr bool is_plausible(const Interval& time) {
  constexpr Nanoseconds kFar = 2'500'000'000'000'000'000, kLong = 86'400'000'000'000;
  return time.begin > -kFar && time.begin < kFar && time.end >= time.begin &&
         time.end - time.begin <= kLong;
}

enum class GpuKind : std::uint8_t { kKernel, kCopy, kFill };

struct GpuEvent {
  Interval time;
  GpuKind kind = GpuKind::kKernel;
  std::uint32_t name = 0;
  std::uint32_t stream = 0;                      // index of Trace::streams
  std::int64_t correlation = -1;                 // -1: unknown
  std::int64_t external = -1;                    // number of the operation, as the profiler counts
  std::array<std::uint32_t, 3> grid{}, block{};  // 0: unknown
  std::uint64_t bytes = 0;                       // of a copy or fill; 0: unknown
  // Set by link().
  std::uint32_t call = kNone;  // index of Trace::calls
  std::uint32_t op = kNone;    // index of Trace::ops, the innermost one
};

// A call of the GPU runtime on the host.
struct HostCall {
  Interval time;
  std::uint32_t name = 0;
  std::uint32_t thread = 0;  // index of Trace::threads
  std::int64_t correlation = -1, external = -1;
  std::uint32_t op = kNone;  // set by link()
};

// An operation of the framework (aten::mm), or a range that the user named.
struct Op {
  Interval time;
  std::uint32_t name = 0;
  std::uint32_t thread = 0;
  std::int64_t external = -1;
  bool is_annotation = false;
  std::uint32_t shapes = 0;      // name: "[[4,3],[]]"; 0: not recorded
  std::uint32_t types = 0;       // name: "float,float"
  std::uint32_t strides = 0;     // name, as shapes; of operations that copy
  std::uint32_t arguments = 0;   // name: scalar arguments, separated by '|'
  std::uint32_t parent = kNone;  // set by link(): the operation around it
};

struct Device {
  std::int64_t id = 0;
  std::string name;    // as the profiler wrote it; may be empty
  std::string gfx;     // where the profiler says it
  unsigned units = 0;  // compute units or SMs
  unsigned major = 0, minor = 0;
  unsigned wave = 0;
  std::uint64_t memory = 0;  // bytes
};

struct Stream {
  std::int64_t device = 0, number = 0;
  friend auto operator<=>(const Stream&, const Stream&) = default;
};

struct Thread {
  std::int64_t process = 0, thread = 0;
  friend auto operator<=>(const Thread&, const Thread&) = default;
};

struct Trace {
  std::string file;    // as named by the user
  std::string format;  // "PyTorch (Kineto)", "rocprofv3 JSON", …
  Names names;
  std::vector<Device> devices;  // those the file describes, used or not
  std::vector<Stream> streams;
  std::vector<Thread> threads;
  std::vector<GpuEvent> gpu;    // ascending begin, after link()
  std::vector<HostCall> calls;  // the same
  std::vector<Op> ops;          // by thread, then begin, outer before inner, after link()
  int rank = -1, world_size = 0;
  // What the file lacks or what could not be read, one sentence per kind.
  std::vector<std::string> notes;
  bool is_complete = true;  // false: parts of the file could not be read; a note says which

  const std::string& text(std::uint32_t name) const { return names.text(name); }
};

constexpr Nanoseconds kLatest = std::numeric_limits<Nanoseconds>::max();

// A part of a trace, in time since its first event.
struct Window {
  Nanoseconds from = 0, to = kLatest;
  bool is_all() const { return from == 0 && to == kLatest; }
};

// Leaves the GPU events that begin in the window, and what the host did from the launch of the
// first of them; an error if there are none. To be called before link().
Status keep_window(Trace& trace, const Window& window);

// Sorts the events and connects them: GPU event to call by correlation, call to operation by number
// or by time, operation to the one around it. Adds notes on what could not be connected.
void link(Trace& trace);

// A kernel's name for people: demangled, without arguments and template arguments.
std::string short_name(std::string_view name);

}  // namespace hipwright::trace
