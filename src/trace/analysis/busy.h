// SPDX-License-Identifier: MIT
// When the GPU works, on what, and why it waits.
#pragma once

#include <array>
#include <vector>

#include "trace/categories.h"
#include "trace/trace.h"

namespace hipwright::trace {

// The category of every GPU event, by the event's index.
std::vector<Category> categories_of(const Trace& trace);

struct CategoryTime {
  std::size_t events = 0;
  Nanoseconds sum = 0;        // of the events' durations
  Nanoseconds exclusive = 0;  // overlap counted once: these add up to the busy time
};

struct StreamTime {
  std::uint32_t stream = 0;
  std::size_t events = 0;
  Nanoseconds busy = 0;     // some event of this stream runs
  Nanoseconds overlap = 0;  // of that, while another stream of the device is busy
};

// A time within the span in which nothing runs on the device.
struct Gap {
  Interval time;
  std::uint32_t next = 0;   // the GPU event that ends it
  Nanoseconds launch = 0;   // of it, after the host had begun the call that launches `next`
  bool knows_call = false;  // false: all of it is of unknown cause
  Nanoseconds host() const { return time.length() - launch; }
};

struct DeviceTime {
  std::int64_t device = 0;
  Interval span;  // begin of the first event to end of the last
  Nanoseconds busy = 0;
  std::array<CategoryTime, kCategories> categories{};
  std::vector<StreamTime> streams;
  std::vector<Gap> gaps;
  Nanoseconds idle() const { return span.length() - busy; }
};

// One per device that has events.
std::vector<DeviceTime> device_times(const Trace& trace, const std::vector<Category>& categories);

}  // namespace hipwright::trace
